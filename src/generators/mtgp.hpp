// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "generators/rank_starter.hpp"
#include "generators/ring_warp.hpp"
#include "generators/twister_streams.hpp"
#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/mtgp.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"
#include "rivulet/generators.hpp"
#include "rng/word.hpp"
#include "streams/generator.hpp"

namespace rivulet {

#if RIVULET_VECTOR_WORD && defined(__GNUC__) && !defined(__clang__)
/// MTGP's tables of 16 entries in vector registers. If one register holds a table, one instruction
/// looks up all lanes. If a register holds half a table, the entry of the highest index bit is
/// XORed separately, which is cheaper than lookups in both halves.
class MtgpRegisters {
 public:
  static constexpr int width = lanes<Word>;
  static constexpr bool fits_a_table = 2 * width >= MtgpEntries::size;

  explicit MtgpRegisters(const std::uint32_t* entries)
      : low_(WordTraits<Word>::load(entries).part[0]),
        highest_(Vector{} + entries[MtgpEntries::size / 2]) {}

  /// Returns the entry of each lane's index. Indices need no mask, because __builtin_shuffle
  /// reduces indices modulo the vector's length.
  KOKKOS_FORCEINLINE_FUNCTION Word operator()(const Word& index) const {
    const Vector places = index.part[0];
    Vector entry = __builtin_shuffle(low_, places);
    if constexpr (width < MtgpEntries::size) {
      constexpr std::uint32_t bit = MtgpEntries::size / 2;
      entry ^= reinterpret_cast<Vector>((places & bit) == bit) & highest_;
    }
    return Word(entry);
  }

 private:
  using Vector = Word::Part;
  Vector low_;
  Vector highest_;
};
#else
struct MtgpRegisters {
  static constexpr bool fits_a_table = false;
  explicit MtgpRegisters(const std::uint32_t*) {}
};
#endif

/// Returns the lookup for indices of type Word. `bit_entries` holds entries 1, 2, 4 and 8;
/// `entries` holds all 16.
KOKKOS_FORCEINLINE_FUNCTION auto mtgp_lookup([[maybe_unused]] const std::uint32_t (&bit_entries)[4],
                                             [[maybe_unused]] const std::uint32_t* entries) {
  if constexpr (MtgpRegisters::fits_a_table) {
    return MtgpRegisters(entries);
  } else if constexpr (lanes<Word> == 1) {
    return MtgpEntries{entries};
  } else {
    return MtgpSums(bit_entries);
  }
}

namespace detail {

/// A parameter set in registers, with the lookups of its two tables.
template <class Lookup>
struct MtgpLookups {
  MtgpSet parameters;
  Lookup table_lookup;
  Lookup temper_lookup;
  KOKKOS_FORCEINLINE_FUNCTION const MtgpSet& set() const { return parameters; }
  KOKKOS_FORCEINLINE_FUNCTION const Lookup& table() const { return table_lookup; }
  KOKKOS_FORCEINLINE_FUNCTION const Lookup& temper() const { return temper_lookup; }
};

/// A table's entries in a column of scratch memory. The memory banks serve 16 reads at once: either
/// all 16 words of one table, or the same word of 16 tables.
template <int columns>
struct MtgpColumn {
  /// One entry of each column. A Row begins at this column's entry, not at the first column's.
  struct Row {
    std::uint32_t entry[columns];
  };
  const Row* rows;

  const std::uint32_t* entries() const { return reinterpret_cast<const std::uint32_t*>(rows); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(std::uint32_t index) const {
    index %= MtgpEntries::size;
    hide_from_optimizer(index);  // else nvcc adds a shift
    return rows[index].entry[0];
  }
};

/// MTGP's recurrence with its tables in scratch memory.
template <int columns>
struct MtgpScratchRecurrence : MtgpRecurrence<MtgpLookups<MtgpColumn<columns>>> {
  /// Returns the recurrence for CPU vectors.
  auto for_vectors() const {
    const MtgpSet& set = this->tables.parameters;
    using Lookup = decltype(mtgp_lookup(set.table, this->tables.table_lookup.entries()));
    // Constructs the lookups in place, because GCC 12 would otherwise copy the registers through
    // memory, with stalls.
    return MtgpRecurrence<MtgpLookups<Lookup>>{
        {set, mtgp_lookup(set.table, this->tables.table_lookup.entries()),
         mtgp_lookup(set.temper, this->tables.temper_lookup.entries())}};
  }
};

template <int columns>
struct ScratchRecurrence<MtgpWords, columns> {
  using type = MtgpScratchRecurrence<columns>;
  static constexpr int entries = 2 * MtgpEntries::size;
  static constexpr std::size_t bytes = entries * sizeof(std::uint32_t);

  template <class Lanes>
  KOKKOS_FUNCTION static type load(const Lanes& lanes, const MtgpWords& recurrence, void* scratch) {
    const MtgpTables* const from = recurrence.tables.all;
    auto* const to = static_cast<std::uint32_t*>(scratch);
    lanes.each(int{entries}, [from, to](int i) { to[i * columns] = from->entries[i]; });
    const auto* const rows = reinterpret_cast<const typename MtgpColumn<columns>::Row*>(to);
    return {{{from->set, {rows}, {rows + MtgpEntries::size}}}};
  }
};

/// A ring of three runs of 256 words. A draw reads its run and the next 93 words. The ring's first
/// words are repeated after its end, so a lane never wraps: all its addresses are constant offsets
/// from two registers.
class MtgpRing {
 public:
  using Recurrence = MtgpWords;
  static constexpr int numbers = ring_numbers<Recurrence>;
  static constexpr int size = 3 * numbers;

 private:
  static constexpr int n = Recurrence::n;
  static_assert(n + numbers <= size);
  static constexpr int words_per_lane = numbers / team_lanes;
  /// Start of the run whose new words cross the ring's end.
  static constexpr int crossing_begin = size - 2 * numbers;
  /// Index of a lane's first word that crosses the end. For lane 0 this is the ring's last word,
  /// which is also copied to the position before the ring.
  static constexpr int first_wrapped = (size - crossing_begin - n) / team_lanes;

 public:
  static constexpr int before = 1;
  static constexpr int after = crossing_begin + n + numbers - size;
  static_assert(after >= Mtgp11213Recurrence::most_pos);
  static_assert(crossing_begin + n + first_wrapped * team_lanes == size - before);

  KOKKOS_FORCEINLINE_FUNCTION explicit MtgpRing(int lane) : lane_(lane) {}

  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_; }
  KOKKOS_FORCEINLINE_FUNCTION int oldest() const { return begin_; }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes,
                                        const MtgpScratchRecurrence<1>& recurrence,
                                        std::uint32_t* ring, std::uint32_t* to) {
    const MtgpSet& set = recurrence.tables.set();
    const auto table = recurrence.tables.table();
    const auto temper = recurrence.tables.temper();
    const std::uint32_t* const x = ring + (begin_ + lane_);
    const std::uint32_t* const x_pos = x + set.pos;
    for (int i = 0; i < words_per_lane; ++i) {
      const int k = i * team_lanes;
      to[i] = Mtgp11213Recurrence::step(set, x[k], x[k + 1], x_pos[k], table);
    }
    // The last run's new words are stored in the first run. The second run's new words are stored
    // beyond the ring's end, for reads there, and again at the ring's beginning.
    const bool is_last = begin_ == size - numbers;
    std::uint32_t* const fresh = ring + (is_last ? lane_ - numbers : begin_ + lane_) + n;
    for (int i = 0; i < words_per_lane; ++i) fresh[i * team_lanes] = to[i];
    if (begin_ == crossing_begin) {
      for (int i = first_wrapped; i < words_per_lane; ++i) fresh[i * team_lanes - size] = to[i];
    }
    for (int i = 0; i < words_per_lane; ++i) {
      to[i] = Mtgp11213Recurrence::temper(to[i], x_pos[i * team_lanes - 1], temper);
    }
    lanes.sync();
    begin_ = is_last ? 0 : begin_ + numbers;
  }

 private:
  int lane_;
  int begin_ = 0;  ///< start of the oldest run
};

}  // namespace detail

/// The MTGP streams of one rank in device memory, and their sets. Only 13 bits of the oldest word
/// are state. MTGP has no lane mapping: device threads have too few registers for its words, and a
/// vector's lanes would each read x[k+pos] at a different offset.
class MtgpStreams : public detail::TwisterStreams<Mtgp11213, false> {
 public:
  using Plan = MtgpPlan;
  using Recurrence = Mtgp11213Recurrence;
  /// Time of a jump, in rounds of one stream. This includes computing the jump polynomial: about 50
  /// squarings of 0.15 ms each, because the modulus is dense. The value for a CPU was
  /// measured; the value for a device is an estimate.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 20;

  /// Uploads the sets, and allocates the states, which the starter then fills.
  MtgpStreams(const MtgpPlan&, StreamRange range)
      : TwisterStreams(range, Shared(Space(), StreamsOptions())) {}

#if RIVULET_LANES_SHUFFLE
  using WarpEngine = detail::RingWarp<detail::MtgpRing>;
#endif
};

/// The Mersenne Twister for graphics processors with exponent 11213.
struct MtgpGenerator : GeneratorBase<MtgpStreams, RankStarter<MtgpStreams, detail::TwisterStarts>> {
  using Library = Mtgp11213;

  static Generator facts() {
    Generator facts;
    facts.name = "mtgp11213";
    facts.doc = "the Mersenne Twister for graphics processors, 351 words of state, 200 sets";
    facts.period = "2^11213 - 1";
    facts.disjoint = "distinct irreducible characteristic polynomials; jump-ahead on the same one";
    facts.published = "mtgp11213 as cuRAND";
    facts.fails = "LinearComp";
    facts.published_seed = true;
    facts.log2_distance = [](const StreamRequest& request) -> std::optional<unsigned> {
      if (request.seeding == Seeding::published) return std::nullopt;
      return 128;
    };
    return facts;
  }
};

}  // namespace rivulet
