// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/detail/streams/twister_jump.hpp"
#include "rivulet/detail/this_thread.hpp"

// The starts of twisters. Kernels run through a Launch. The `rivulet` program and the C++ library
// each have their own Launch. A Launch has
// - Word: the word type of its kernels;
// - on_device: true if its kernels run on a device;
// - each(label, count, body): calls body(i) for 0 <= i < count in a kernel;
// - groups(label, count, body): calls body(first) for the first index of each group of lanes<Word>
// consecutive indices;
// - teams(label, count, body): on a device, calls body(team, i, scratch) for 0 <= i < count, on all
//   Body::threads threads of a team;
// - exec: the execution space;
// - uploaded(label, values): returns a view of a copy that kernels can read.
//
// TwisterStarts, RanmarStarts and CycleStarts have the same interface for starts and jumps:
// - Jumps: the jumps for the starts of a range;
// - range_jumps(host, plan, range): returns these Jumps, computed on the host;
// - start(launch, plan, range, jumps, states): moves the streams of a range to their starts;
// - Jump: a jump by one distance;
// - multiple_jumps(host, plan, range, distance, max_multiple): returns a vector whose element r is
//   the Jump by 2^r * distance numbers, 2^r <= max_multiple;
// - jump(launch, states, jump, range): moves the streams that a JumpRange selects;
// - log2_jump_limit(plan): returns e such that a jump by 2^e numbers could reach the start of
//   another stream.
//
// start() and jump() are asynchronous on devices.

// The stream with index i on its cycle starts at position E(i) + h(i) of the cycle (see
// IrregularStarts for E and h). Jumps compute each stream's state at E(i) from the state of another
// stream. Each stream then takes h(i) single steps.

namespace rivulet::detail {

/// Maps consecutive streams to their indices on the cycles.
struct StreamIndices {
  std::uint64_t first = 0;   ///< id of the first stream
  std::uint64_t cycles = 1;  ///< stream s has the index s / cycles

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t hashed_steps(std::uint64_t stream) const {
    return IrregularStarts::hashed_steps((first + stream) / cycles);
  }
  /// Returns true if any of the first `streams` streams has hashed steps. Streams of index 0 have
  /// none.
  bool any(std::uint64_t streams) const { return streams > 0 && first + streams > cycles; }
};

/// Advances each stream by its h(i) hashed steps, with one stream per lane. For twisters of few
/// words.
template <class States, class Word>
struct ScatterByLane {
  using Recurrence = typename RecurrenceOf<States>::template Over<Word>;
  static constexpr int n = Recurrence::n;

  States states;
  StreamIndices indices;
  JumpRange range;

  struct Ring {
    Recurrence recurrence;
    Word steps;
    Word x[n];
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    StreamGroup<Word> group;
    if (!group.find(range, first)) return;
    std::uint32_t steps[lanes<Word>];
    std::uint32_t max_steps = 0;
    for (int l = 0; l < lanes<Word>; ++l) {
      steps[l] = indices.hashed_steps(group.stream[l]);
      max_steps = steps[l] > max_steps ? steps[l] : max_steps;
    }
    Ring ring{
        recurrence_of<Word>(states, group), Traits::generate([&](int l) { return steps[l]; }), {}};
    for (int k = 0; k < n; ++k) {
      ring.x[k] = Traits::generate([&](int l) { return states.word(k, group.stream[l]); });
    }
    for (std::uint32_t done = 0; done < max_steps; done += n) {
      step_all(ring, done, std::make_integer_sequence<int, n>{});
    }
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < lanes<Word>; ++l) {
        const auto oldest = static_cast<int>(steps[l] % std::uint32_t{n});
        const int place = k < oldest ? k + n - oldest : k - oldest;
        if (group.has[l]) states.put_word(place, group.stream[l], Traits::lane(ring.x[k], l));
      }
    }
  }

  template <int... k>
  KOKKOS_FORCEINLINE_FUNCTION void step_all(Ring& ring, std::uint32_t done,
                                            std::integer_sequence<int, k...>) const {
    (step<k>(ring, done + std::uint32_t{k}), ...);
  }
  /// Replaces the oldest word in the lanes that take more than `done` steps.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void step(Ring& ring, std::uint32_t done) const {
    Word& x = ring.x[k];
    const Word next =
        ring.recurrence.next([&ring](auto j) RIVULET_INLINE_LAMBDA { return ring.x[(k + j) % n]; });
    // `goes` is all ones in lanes with steps > done, where the difference's highest bit is 0.
    const Word goes = ((ring.steps - Word(done + 1u)) >> 31) - Word(1u);
    x ^= (x ^ next) & goes;
  }
};

/// Advances each stream by its h(i) hashed steps in memory, with one thread per stream. For
/// twisters of many words.
template <class States>
struct ScatterByThread {
  static constexpr int n = RecurrenceOf<States>::n;

  States states;
  StreamIndices indices;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto steps = static_cast<int>(indices.hashed_steps(stream));
    static_assert(1 << IrregularStarts::log2_hashed_steps <= 2 * n);
    const auto recurrence = states.recurrence(stream);
    for (int step = 0; step < steps; ++step) {
      const int oldest = ring_index<n>(step);
      states.stored_word(oldest, stream) = recurrence.next([&](int j) RIVULET_INLINE_LAMBDA {
        return states.stored_word(ring_index<n>(oldest + j), stream);
      });
    }
    // States in memory begin with the oldest word. Three reversals rotate the ring in place.
    const int oldest = ring_index<n>(steps);
    reverse(stream, 0, oldest);
    reverse(stream, oldest, n);
    reverse(stream, 0, n);
    states.put_word(0, stream, states.stored_word(0, stream));
  }

  KOKKOS_FUNCTION void reverse(std::uint64_t stream, int begin, int end) const {
    for (; begin < --end; ++begin) {
      const std::uint32_t word = states.stored_word(begin, stream);
      states.stored_word(begin, stream) = states.stored_word(end, stream);
      states.stored_word(end, stream) = word;
    }
  }
};

/// Moves `count` streams from E(i) to their starts.
template <class Launch, class States>
void scatter_streams(const Launch& launch, const States& states, const StreamIndices& indices,
                     std::uint64_t count) {
  constexpr const char* label = "rivulet::scatter_streams";
  if constexpr (RecurrenceOf<States>::n < many_words) {
    launch.groups(
        label, count,
        ScatterByLane<States, typename Launch::Word>{states, indices, JumpRange::all_of(0, count)});
  } else {
    launch.each(label, count, ScatterByThread<States>{states, indices});
  }
}

/// Sets the streams at the local indices first, first + 1, ... to the seeded states of their sets.
template <class States>
struct SeedStreams {
  States states;
  std::uint64_t first;
  std::uint64_t first_id;
  std::uint64_t sets;
  bool published;
  std::uint64_t seed;

  /// Array access to a stream's words, for init_genrand() and similar functions.
  struct Words {
    const States& states;
    std::uint64_t stream;
    KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return states.stored_word(k, stream); }
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const std::uint64_t stream = first + offset;
    const Words x{states, stream};
    fill(x, (first_id + stream) % sets, states.recurrence(stream));
    states.put_word(0, stream, x[0]);
  }
  template <int P>
  KOKKOS_FUNCTION void fill(const Words& x, std::uint64_t number,
                            const DcmtRecurrence<P>& twister) const {
    if (published) {
      init_genrand(x, twister.n, published_seed_factor * static_cast<std::uint32_t>(number));
      return;
    }
    // The key holds the run's seed, the set's number in its source, and the parameters that
    // identify the twister. From a common seeded state, two twisters would draw similar numbers
    // until their states diverge.
    const std::uint32_t key[8] = {static_cast<std::uint32_t>(seed),
                                  static_cast<std::uint32_t>(seed >> 32),
                                  static_cast<std::uint32_t>(number),
                                  static_cast<std::uint32_t>(number >> 32),
                                  static_cast<std::uint32_t>(P),
                                  twister.set.a,
                                  twister.set.b,
                                  twister.set.c};
    init_by_array(x, twister.n, key, 8);
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

/// Copies one state to all streams of MT19937. Index i is word i % n of stream i / n.
template <class States, class View>
struct SeedMt19937 {
  States states;
  std::uint64_t first;
  View state;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    constexpr auto n = static_cast<std::uint64_t>(Mt19937Recurrence::n);
    states.put_word(static_cast<int>(i % n), first + i / n, state(i % n));
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

  /// Returns the jumps for a range, computed on the threads of a host space. Each set costs about
  /// log2_distance squarings modulo its characteristic polynomial. If every set has one stream, the
  /// cost is zero.
  template <class Host>
  static Jumps range_jumps(const Host& host, const SetsPlan& plan, StreamRange range) {
    Jumps jumps;
    if (range.count == 0) return jumps;
    const std::uint64_t columns = std::min(range.count, plan.sets());
    jumps.from_seeds = seeded_streams(plan, range);
    for (auto& part : jumps.from_seeds) {
      if (plan.index_of(part.first) > 0) part.jump = JumpTable::zeros(plan.degree(), columns);
    }
    const std::uint64_t indices = (range.count - 1) / plan.sets();
    jumps.bit_jumps.assign(static_cast<std::size_t>(std::bit_width(indices)),
                           JumpTable::zeros(plan.degree(), columns));
    const std::uint64_t max_index = std::max(plan.index_of(jumps.from_seeds.back().first), indices);
    if (max_index == 0) return jumps;

    for_each_on_host(host, "rivulet::jump_polynomials", columns, [&](std::size_t j) {
      const std::uint64_t last = range.first + j + (range.count - 1 - j) / columns * columns;
      if (plan.index_of(last) == 0) return;  // the column's streams start at their seeded states
      const auto set_jumps = plan.jumps(plan.set_of(range.first + j), max_index);
      for (auto& part : jumps.from_seeds) {
        const std::uint64_t distance =
            (j + columns - (part.first - range.first) % columns) % columns;
        const bool has_column = distance < part.last - part.first;
        if (has_column && !part.jump.bits.empty()) {
          part.jump.put(j, set_jumps->of(plan.index_of(part.first)));
        }
      }
      for (std::size_t r = 0; r < jumps.bit_jumps.size(); ++r) {
        jumps.bit_jumps[r].put(j, set_jumps->bit_jumps()[r]);
      }
    });
    return jumps;
  }

  /// Returns the jumps by 2^r * `steps` steps for all r with 2^r <= max_multiple. Column j belongs
  /// to streams range.first + j, range.first + j + sets, ...
  template <class Host>
  static std::vector<Jump> multiple_jumps(const Host& host, const SetsPlan& plan, StreamRange range,
                                          Uint128 steps, std::uint64_t max_multiple) {
    const std::uint64_t columns = std::min(range.count, plan.sets());
    const auto bits = static_cast<unsigned>(std::bit_width(max_multiple));
    std::vector<Jump> jumps(bits, JumpTable::zeros(plan.degree(), columns));
    for_each_on_host(host, "rivulet::jump_polynomials", columns, [&](std::size_t j) {
      const Gf2Modulus phi(plan.polynomial(plan.set_of(range.first + j)));
      const auto set_jumps = doubling_powers_of_t(steps, bits, phi);
      for (unsigned r = 0; r < bits; ++r) jumps[r].put(j, set_jumps[r]);
    });
    return jumps;
  }

  template <class Launch, class States>
  static void jump(const Launch& launch, const States& states, const Jump& jump,
                   const JumpRange& range) {
    if (range.count() == 0) return;
    const auto bits = launch.uploaded("rivulet::jump_polynomials", jump.bits);
    using Columns = JumpColumns<std::remove_const_t<decltype(bits)>>;
    const Columns columns{bits, jump.sets, jump.places()};
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

  /// Moves each stream to E(i), where i is its index on the cycle (IrregularStarts), and then to
  /// its start.
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
    // The loop begins with the highest bit. A jump computes a stream's state from that of another
    // stream, its source, which must already be at its own E(i). The source's index is the stream's
    // index without its lowest set bit.
    for (auto r = static_cast<unsigned>(jumps.bit_jumps.size()); r-- > 0;) {
      jump(launch, states, jumps.bit_jumps[r],
           JumpRange::of_bit(r, plan.sets(), range.first, range.count));
    }
    const StreamIndices indices{range.first, plan.sets()};
    if (indices.any(range.count)) scatter_streams(launch, states, indices, range.count);
  }
};

}  // namespace rivulet::detail
