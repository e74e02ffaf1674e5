// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"
#include "rivulet/detail/rng/mtgp.hpp"
#include "rng/mtgp_lookup.hpp"
#include "rng/word.hpp"

namespace rivulet {

namespace detail {

/// One stream, a number at a time, in the shape of the standard library's engines.
class MtgpScalar {
 public:
  using result_type = std::uint32_t;
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;

  template <class Streams>
  KOKKOS_FUNCTION MtgpScalar(const Streams& streams, std::uint64_t stream)
      : tables_(streams.tables(stream)) {
    for (int k = 0; k < n; ++k) x_[k] = streams.word(k, stream);
  }

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FUNCTION std::uint32_t operator()() {
    const MtgpSet& set = tables_.set;
    const std::uint32_t word =
        Recurrence::step(set, x_[next_], x_[after(1)], x_[after(set.pos)], tables_.table());
    const std::uint32_t t = x_[after(set.pos - 1)];
    x_[next_] = word;
    next_ = after(1);
    return Recurrence::temper(word, t, tables_.temper());
  }
  KOKKOS_FUNCTION void discard(std::uint64_t count) {
    for (; count > 0; --count) (*this)();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int after(int words) const {
    return next_ + words < n ? next_ + words : next_ + words - n;
  }

  MtgpTables tables_;
  std::uint32_t x_[n];
  int next_ = 0;
};

/// What lanes of a device look entries up in: scratch memory, whose banks serve all 16 words of a
/// table at once, or registers.
inline constexpr bool mtgp_entries_in_scratch = true;
KOKKOS_FORCEINLINE_FUNCTION auto mtgp_device_lookup(
    [[maybe_unused]] const std::uint32_t (&of_bit)[4],
    [[maybe_unused]] const std::uint32_t* entries) {
  if constexpr (mtgp_entries_in_scratch) {
    return MtgpEntries{entries};
  } else {
    return MtgpSums(of_bit);
  }
}

/// The tables of a stream's set in scratch memory, and what else of it is in registers.
class MtgpScratchTables {
 public:
  static constexpr int size = MtgpEntries::size;
  static constexpr std::size_t bytes = 2 * size * sizeof(std::uint32_t);

  /// The lanes have to meet before they look anything up.
  template <class Lanes>
  KOKKOS_FUNCTION MtgpScratchTables(const Lanes& lanes, const MtgpTables& tables,
                                    std::uint32_t* scratch)
      : set_(tables.set), entries_(scratch) {
    const MtgpTables* const from = &tables;
    lanes.each(2 * size, [from, scratch](int i) { scratch[i] = from->entries[i]; });
  }

  KOKKOS_FORCEINLINE_FUNCTION const MtgpSet& set() const { return set_; }
  KOKKOS_FORCEINLINE_FUNCTION auto table() const {
    return mtgp_device_lookup(set_.table, entries_);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto temper() const {
    return mtgp_device_lookup(set_.temper, entries_ + size);
  }
  /// The same for vectors of a CPU.
  auto table_of_words() const { return mtgp_lookup(set_.table, entries_); }
  auto temper_of_words() const { return mtgp_lookup(set_.temper, entries_ + size); }

 private:
  MtgpSet set_;
  const std::uint32_t* entries_;
};

/// Draws from one stream with the lanes of a team, up to 256 numbers at a time. On a CPU its words
/// are in a line of memory, so that all loops are over vectors; when the line is full, the state
/// goes back to the beginning. On a device they are in a ring of 4 * 256, where new words replace
/// none that the same draw reads: the lanes meet once a draw.
class MtgpTeam {
 public:
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int team_numbers = Recurrence::team_numbers;
  static constexpr int ring_words = 4 * team_numbers;
  static constexpr int line_words = n + 8 * team_numbers;
  /// On a CPU: to begin where new words lie in whole lines of its cache, and to move the state back
  /// in whole vectors.
  static constexpr int line_of_cache = 16;
  static constexpr int padding = device_build ? 0 : 2 * line_of_cache;
  static constexpr std::size_t scratch_bytes =
      MtgpScratchTables::bytes +
      (device_build ? ring_words : line_words + padding) * sizeof(std::uint32_t);

  /// Loads the state into scratch memory. Lanes: each(count, f) calls f(0) .. f(count - 1), by all
  /// lanes together, and makes what they wrote visible to all.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION MtgpTeam(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch)
      : tables_(lanes, streams.tables(stream), static_cast<std::uint32_t*>(scratch)),
        x_(first_word(static_cast<std::uint32_t*>(scratch) + 2 * MtgpScratchTables::size)) {
    std::uint32_t* const x = x_;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
  }

  /// The next numbers, a multiple of 32 up to team_numbers, to to[0 ..], which all lanes see.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, std::uint32_t* to,
                                        int numbers = team_numbers) {
    if constexpr (device_build) {
      draw_in_ring(lanes, to, numbers);
    } else {
      draw_in_line(lanes, to, numbers);
    }
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, const Streams& streams,
                             std::uint64_t stream) const {
    const std::uint32_t* const x = x_;
    const int oldest = oldest_;
    lanes.each(n, [&](int k) { streams.put_word(k, stream, x[wrapped(oldest + k)]); });
  }

 private:
  static_assert((ring_words & (ring_words - 1)) == 0);
  KOKKOS_FUNCTION static std::uint32_t* first_word(std::uint32_t* words) {
    if constexpr (device_build) return words;
    const auto number = reinterpret_cast<std::uintptr_t>(words + n) / sizeof(std::uint32_t);
    return words + (line_of_cache - number % line_of_cache) % line_of_cache;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    return device_build ? k & (ring_words - 1) : k;
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw_in_line(const Lanes& lanes, std::uint32_t* to,
                                                int numbers) {
    using Traits = WordTraits<Word>;
    constexpr int width = rivulet::lanes<Word>;
    static_assert(32 % width == 0);
    if (oldest_ + n + numbers > line_words) move_back();
    std::uint32_t* const line = x_ + oldest_;
    const MtgpSet set = tables_.set();
    const auto table = tables_.table_of_words();
    const auto temper = tables_.temper_of_words();
    lanes.each(numbers / width, [=](int i) RIVULET_INLINE_LAMBDA {
      std::uint32_t* const x = line + i * width;
      const Word word = Recurrence::step(set, Traits::load(x), Traits::load(x + 1),
                                         Traits::load(x + set.pos), table);
      Traits::store(word, x + n);
      const Word t = Traits::load(x + set.pos - 1);
      Traits::store(Recurrence::temper(word, t, temper), to + i * width);
    });
    oldest_ += numbers;
  }
  KOKKOS_FUNCTION void move_back() {
    using Traits = WordTraits<Word>;
    for (int k = 0; k < n; k += rivulet::lanes<Word>) {
      Traits::store(Traits::load(x_ + oldest_ + k), x_ + k);
    }
    oldest_ = 0;
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw_in_ring(const Lanes& lanes, std::uint32_t* to,
                                                int numbers) {
    std::uint32_t* const x = x_;
    const int oldest = oldest_;
    const MtgpScratchTables tables = tables_;
    lanes.each(numbers, [=](int i) {
      const MtgpSet& set = tables.set();
      const int k = oldest + i;
      const std::uint32_t word = Recurrence::step(set, x[wrapped(k)], x[wrapped(k + 1)],
                                                  x[wrapped(k + set.pos)], tables.table());
      x[wrapped(k + n)] = word;
      to[i] = Recurrence::temper(word, x[wrapped(k + set.pos - 1)], tables.temper());
    });
    oldest_ = wrapped(oldest + numbers);
  }

  MtgpScratchTables tables_;
  std::uint32_t* x_;
  int oldest_ = 0;
};

}  // namespace detail
}  // namespace rivulet
