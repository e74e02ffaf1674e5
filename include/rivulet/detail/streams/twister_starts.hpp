// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/detail/streams/scatter_streams.hpp"
#include "rivulet/detail/streams/twister_jump.hpp"
#include "rivulet/detail/this_thread.hpp"

// The starts of twisters, in kernels that a Launch launches, the program's or the C++ library's:
// - Word, on_device;
// - each(label, count, body): body(i) for 0 <= i < count; groups(label, count, body): body(first)
//   for the first of each lanes<Word> of them;
// - teams(label, count, body): body(team, i, scratch) by the Body::threads threads of a device's
//   team;
// - exec, its execution space; uploaded(label, values): a view.
//
// TwisterStarts, RanmarStarts and CycleStarts tell both how streams get to their starts and
// how they jump from there:
// - Jumps, and range_jumps(host, plan, range): what the host computes for the starts of a range;
// - start(launch, plan, range, jumps, states): the streams of a range to their starts;
// - Jump, and multiple_jumps(host, plan, range, distance, most): a vector whose element r is the
//   Jump by 2^r * distance numbers, 2^r <= most;
// - jump(launch, states, jump, range): moves streams. Like start(), asynchronous on devices;
// - log2_jump_limit(plan): jumps of 2^this numbers could lead to where another stream starts.

namespace rivulet::detail {

/// The key of init_by_array in native seeding.
struct DcmtKey {
  static constexpr int length = 8;
  std::uint32_t words[length];
};

/// The run's seed, the set's number among its source's, and what tells the twister from any other:
/// two that had the same seeded state would give numbers alike until they have drifted apart.
KOKKOS_INLINE_FUNCTION DcmtKey dcmt_key(std::uint64_t seed, std::uint64_t set, int p,
                                        const DcmtParameters<std::uint32_t>& parameters) {
  return {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
           static_cast<std::uint32_t>(set), static_cast<std::uint32_t>(set >> 32),
           static_cast<std::uint32_t>(p), parameters.a, parameters.b, parameters.c}};
}

/// Streams from local index `first` on, to the seeded states of their sets.
template <class States>
struct SeedStreams {
  States states;
  std::uint64_t first;
  std::uint64_t first_id;
  std::uint64_t sets;
  bool published;
  std::uint64_t seed;

  /// A state seen as an array, for the initialisers.
  struct Words {
    const States& states;
    std::uint64_t stream;
    KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return states.rest(k, stream); }
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const std::uint64_t stream = first + offset;
    const Words x{states, stream};
    fill(x, (first_id + stream) % sets, states.recurrence(stream));
    states.put(0, stream, x[0]);
  }
  template <int P>
  KOKKOS_FUNCTION void fill(const Words& x, std::uint64_t number,
                            const DcmtRecurrence<P>& twister) const {
    if (published) {
      init_genrand(x, twister.n, published_seed_factor * static_cast<std::uint32_t>(number));
      return;
    }
    const auto key = dcmt_key(seed, number, P, twister.set);
    init_by_array(x, twister.n, key.words, DcmtKey::length);
  }
  KOKKOS_FUNCTION void fill(const Words& x, std::uint64_t number, const MtgpWords& twister) const {
    const MtgpSet& set = twister.tables.set();
    if (published) {
      mtgp_init_state(x, set, published_mtgp_seed(seed, number));
    } else {
      native_mtgp_start(x, set, number, seed);
    }
  }
};
template <class Launch, class States>
void seed_streams(const Launch& launch, const SetsPlan& plan, StreamRange range,
                  const States& states, StreamRange some) {
  const StreamRequest& request = plan.request();
  launch.each("rivulet::seed_streams", some.count,
              SeedStreams<States>{states, some.first, range.first, plan.sets(),
                                  request.seeding == Seeding::published, request.seed});
}

/// MT19937's streams to the one state: word i % n of stream i / n.
template <class States, class View>
struct SeedMt19937 {
  States states;
  std::uint64_t first;
  View state;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    constexpr auto n = static_cast<std::uint64_t>(Mt19937Recurrence::n);
    states.put(static_cast<int>(i % n), first + i / n, state(i % n));
  }
};
template <class Launch, class States>
void seed_streams(const Launch& launch, const Mt19937Plan& plan, StreamRange, const States& states,
                  StreamRange some) {
  const auto words = plan.first_state();
  const auto state = launch.uploaded("rivulet::mt19937_state",
                                     std::vector<std::uint32_t>(words.begin(), words.end()));
  launch.each("rivulet::seed_streams", some.count * words.size(),
              SeedMt19937<States, decltype(state)>{states, some.first, state});
}

struct TwisterStarts {
  using Jumps = RangeJumps;
  using Jump = JumpTable;

  static unsigned log2_jump_limit(const SetsPlan& plan) {
    return plan.starts().log2_distance() - 1;
  }

  template <class Host>
  static Jumps range_jumps(const Host& host, const SetsPlan& plan, StreamRange range) {
    return rivulet::range_jumps(host, plan, range);
  }
  template <class Host>
  static std::vector<Jump> multiple_jumps(const Host& host, const SetsPlan& plan, StreamRange range,
                                          Uint128 numbers, std::uint64_t most) {
    return rivulet::multiple_jumps(host, plan, range, numbers, most);
  }
  template <class Launch, class States>
  static void jump(const Launch& launch, const States& states, const Jump& jump,
                   const JumpRange& range) {
    if (range.count() > 0) jump_by(launch, states, columns_of(launch, jump), range);
  }

  /// To E(i), i being the index on their cycle (IrregularStarts), and from there.
  template <class Launch, class Plan, class States>
  static void start(const Launch& launch, const Plan& plan, StreamRange range, const Jumps& jumps,
                    const States& states) {
    for (const auto& part : jumps.from_seeds) {
      const std::uint64_t first = part.first - range.first;
      const std::uint64_t last = part.last - range.first;
      seed_streams(launch, plan, range, states, {first, last - first});
      if (!part.jump.bits.empty()) {
        jump(launch, states, part.jump, JumpRange::all_of(first, last));
      }
    }
    // The highest bits first: each stream of an index comes from that whose index lacks its lowest.
    for (auto r = static_cast<unsigned>(jumps.of_bits.size()); r-- > 0;) {
      jump(launch, states, jumps.of_bits[r],
           JumpRange::of_bit(r, plan.sets(), range.first, range.count));
    }
    const StreamIndices indices{range.first, plan.sets()};
    if (indices.any(range.count)) scatter_streams(launch, states, indices, range.count);
  }

 private:
  template <class Launch>
  static auto columns_of(const Launch& launch, const JumpTable& table) {
    const auto bits = launch.uploaded("rivulet::jump_polynomials", table.bits);
    return JumpColumns<std::remove_const_t<decltype(bits)>>{bits, table.sets, table.places()};
  }
  template <class Launch, class States, class Columns>
  static void jump_by(const Launch& launch, const States& states, const Columns& columns,
                      const JumpRange& range) {
    using Word = typename Launch::Word;
    constexpr bool is_short = RecurrenceOf<States>::n < many_words;
    constexpr bool side_by_side = Launch::on_device || lanes<Word> != 1;
    constexpr const char* label = "rivulet::jump";
    if constexpr (is_short && side_by_side) {
      launch.groups(label, range.count(),
                    JumpInRegisters<States, Columns, Word>{states, columns, range});
    } else if constexpr (Launch::on_device) {
      launch.teams(label, range.count(), JumpByWarp<States, Columns>{states, columns, range});
    } else {
      using Body = JumpByThread<States, Columns, Word>;
      const auto all = static_cast<std::uint64_t>(launch.exec.concurrency());
      const std::uint64_t threads = ThisThreadOnly::active() ? 1 : std::min(range.count(), all);
      const auto memory = std::make_unique<typename Body::Memory[]>(threads);
      launch.each(label, threads, Body{states, columns, range, memory.get(), threads});
      launch.exec.fence();
    }
  }
};

}  // namespace rivulet::detail
