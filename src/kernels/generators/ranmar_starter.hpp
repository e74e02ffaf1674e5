// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/generators/ranmar_streams.hpp"
#include "rivulet/detail/algebra/lagged_fibonacci.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_jump.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {
namespace impl {

/// Streams by native seeding, the padding included.
template <class Variant>
struct SeedRanmar {
  RanmarStreams<Variant> streams;
  std::uint64_t run_seed;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto start = native_start<Variant>(run_seed, streams.range().first + stream);
    for (int k = 0; k < ranmar_words; ++k) streams.word(k, stream) = start.x[k];
    streams.word(ranmar_words, stream) = start.c;
  }
};

}  // namespace impl

/// Puts the RANMAR streams of a rank where they belong. `plan` must outlive it.
template <class Variant>
class RanmarStarter {
 public:
  RanmarStarter(const RanmarPlan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Every stream to its start.
  void seed(const Space& space, const RanmarStreams<Variant>& streams) const {
    if (range_.count == 0) return;
    if (plan_.request().seeding == Seeding::native) {
      for_each_stream(space, "rivulet::seed_ranmar", padded_streams(range_.count),
                      impl::SeedRanmar<Variant>{streams, plan_.request().seed});
    } else {
      // 97 words of bits one after the other: a host's work, done once.
      change_on_host(streams, [this](std::uint64_t stream, RanmarState<Variant>& state) {
        if (stream < range_.count) {
          state = published_start<Variant>(plan_.seed_of(range_.first + stream));
        }
      });
    }
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const RanmarStreams<Variant>& streams, Uint128 rounds) const {
    if (range_.count == 0 || rounds == 0) return;
    space.fence();
    const Uint128 numbers = rounds * ranmar_words;
    const LaggedFibonacciJump low(static_cast<std::uint64_t>(numbers));
    const LaggedFibonacciJump high(static_cast<std::uint64_t>(numbers >> 64), 64);
    const bool far = numbers >> 64 != 0;
    change_on_host(streams, [&](std::uint64_t, RanmarState<Variant>& state) {
      state = ranmar_jump(state, low);
      if (far) state = ranmar_jump(state, high);
    });
  }

 private:
  /// Calls change(stream, state) for every stream and puts the states back.
  template <class Change>
  void change_on_host(const RanmarStreams<Variant>& streams, const Change& change) const {
    streams.states().change_on_host([&](const auto& words, std::uint64_t stream) {
      RanmarState<Variant> state;
      for (int k = 0; k < ranmar_words; ++k)
        state.x[k] = words(static_cast<std::size_t>(k), stream);
      state.c = words(ranmar_words, stream);
      change(stream, state);
      for (int k = 0; k < ranmar_words; ++k)
        words(static_cast<std::size_t>(k), stream) = state.x[k];
      words(ranmar_words, stream) = state.c;
    });
  }

  const RanmarPlan& plan_;
  StreamRange range_;
};

}  // namespace rivulet
