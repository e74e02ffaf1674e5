// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "rivulet/detail/streams/jump_range.hpp"
#include "rivulet/detail/streams/tausworthe_jump.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"

// The starts and jumps of streams of the Tausworthe family, whose States have word(k, stream) and
// put(k, stream, word).

namespace rivulet::detail {

template <class Kind, class States>
KOKKOS_FORCEINLINE_FUNCTION typename Tausworthe<Kind>::State tausworthe_state(
    const States& states, std::uint64_t stream) {
  typename Tausworthe<Kind>::State state;
  for (int k = 0; k < Kind::words; ++k) state.z[k] = states.word(k, stream);
  return state;
}
template <class Kind, class States>
KOKKOS_FORCEINLINE_FUNCTION void put_tausworthe(const States& states, std::uint64_t stream,
                                                const typename Tausworthe<Kind>::State& state) {
  for (int k = 0; k < Kind::words; ++k) states.put(k, stream, state.z[k]);
}

/// Streams by published seeding.
template <class Kind, class States>
struct PublishedTausworthe {
  States states;
  std::uint64_t first;  ///< id

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    put_tausworthe<Kind>(states, stream, published_tausworthe_start<Kind>(first + stream));
  }
};

/// Streams at the base moved by the jumps of their ids' bits: E(id). A thread makes the first of
/// `together` streams so, and each other one from the stream that lacks its lowest set bit.
template <class Kind, class States, class Jumps>
struct StartTausworthe {
  States states;
  Jumps jumps;  ///< number r is what bit r of an id adds
  typename Tausworthe<Kind>::State base;
  StreamRange range;
  std::uint64_t together;

  KOKKOS_FUNCTION void operator()(std::uint64_t number) const {
    // From multiples of `together` on, so that the ids differ in the low bits.
    const std::uint64_t begin = (range.first / together + number) * together;
    const std::uint64_t from = begin < range.first ? range.first : begin;
    const std::uint64_t last = range.first + range.count;
    const std::uint64_t upto = begin + together < last ? begin + together : last;
    for (std::uint64_t id = from; id < upto; ++id) {
      const std::uint64_t parent = id & (id - 1);
      const bool has_parent = id != 0 && parent >= from;
      auto state = has_parent ? tausworthe_state<Kind>(states, parent - range.first) : base;
      const std::uint64_t bits = has_parent ? id ^ parent : id;
      for (std::uint64_t r = 0; bits >> r != 0; ++r) {
        if ((bits >> r & 1) != 0) jumps(r)(state.z);
        if (r == 63) break;
      }
      put_tausworthe<Kind>(states, id - range.first, state);
    }
  }
};

/// And then each by the hashed part of its start.
template <class Kind, class States, class Powers>
struct ScatterTausworthe {
  States states;
  Powers powers;  ///< number e is the jump of 2^e steps
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    auto state = tausworthe_state<Kind>(states, stream);
    hashed_jump(powers, first + stream, state.z);
    put_tausworthe<Kind>(states, stream, state);
  }
};

/// Streams of a range, lanes<Word> at a time, by one jump.
template <class Kind, class States, class Word>
struct JumpTausworthe {
  States states;
  TauswortheJump<Kind> jump;
  JumpRange range;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    StreamGroup<Word> group;
    if (!group.find(range, first)) return;
    Word z[Kind::words];
    for (int k = 0; k < Kind::words; ++k) {
      z[k] =
          Traits::generate([&](int l) { return states.word(k, group.stream[l] - range.distance); });
    }
    jump(z);
    for (int k = 0; k < Kind::words; ++k) group.put(states, k, z[k]);
  }
};

template <class Kind>
struct TauswortheStarts {
  using Jump = TauswortheJump<Kind>;
  struct Jumps {
    std::vector<Jump> of_bits;
    std::vector<Jump> of_powers;
  };

  static unsigned log2_jump_limit(const TausworthePlan& plan) {
    return plan.starts().log2_distance() - 1;
  }

  template <class Host>
  static Jumps range_jumps(const Host&, const TausworthePlan& plan, StreamRange range) {
    if (plan.request().seeding == Seeding::published) return {};
    Jumps jumps{{}, tausworthe_powers<Kind>()};
    const std::uint64_t last = range.first + range.count - 1;
    for (unsigned r = 0; r < 64 && last >> r != 0; ++r) {
      jumps.of_bits.push_back(tausworthe_jump<Kind>(plan.starts().jump(r)));
    }
    return jumps;
  }
  template <class Host>
  static std::vector<Jump> doubling_jumps(const Host&, const TausworthePlan&, StreamRange,
                                          Uint128 numbers, unsigned count) {
    std::vector<Jump> jumps;
    for (unsigned r = 0; r < count; ++r) jumps.push_back(tausworthe_jump<Kind>(numbers << r));
    return jumps;
  }

  template <class Launch, class States>
  static void start(const Launch& launch, const TausworthePlan& plan, StreamRange range,
                    const Jumps& jumps, const States& states) {
    if (plan.request().seeding == Seeding::published) {
      launch.each("rivulet::seed_streams", range.count,
                  PublishedTausworthe<Kind, States>{states, range.first});
      return;
    }
    // A device needs many threads, a CPU few jumps.
    const std::uint64_t together = Launch::on_device ? 8 : 256;
    const std::uint64_t last = range.first + range.count - 1;
    const auto of_bits = launch.uploaded("rivulet::tausworthe_jumps", jumps.of_bits);
    launch.each(
        "rivulet::seed_streams", last / together - range.first / together + 1,
        StartTausworthe<Kind, States, std::remove_const_t<decltype(of_bits)>>{
            states, of_bits, native_tausworthe_start<Kind>(plan.request().seed), range, together});
    const auto powers = launch.uploaded("rivulet::tausworthe_powers", jumps.of_powers);
    launch.each("rivulet::scatter_streams", range.count,
                ScatterTausworthe<Kind, States, std::remove_const_t<decltype(powers)>>{
                    states, powers, range.first});
  }
  template <class Launch, class States>
  static void jump(const Launch& launch, const States& states, const Jump& jump,
                   const JumpRange& range) {
    launch.groups("rivulet::jump", range.count(),
                  JumpTausworthe<Kind, States, typename Launch::Word>{states, jump, range});
  }
};

}  // namespace rivulet::detail
