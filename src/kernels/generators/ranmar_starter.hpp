// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/generators/jump_distances.hpp"
#include "kernels/generators/ranmar_streams.hpp"
#include "rivulet/detail/algebra/lagged_fibonacci.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {
namespace detail {

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

/// A jump as kernels apply it.
template <class Variant>
struct RanmarJump {
  using Integer = typename Variant::Integer;

  explicit RanmarJump(const LaggedFibonacciJump& jump)
      : coefficients(Kokkos::view_alloc("rivulet::ranmar_jump", Kokkos::WithoutInitializing),
                     ranmar_words),
        step(static_cast<Integer>(jump.times(Variant::c_step, Variant::c_modulus))) {
    // What is right modulo 2^64 is right modulo every smaller power.
    const auto& p = jump.coefficients();
    const std::vector<Integer> host(p.begin(), p.end());
    copy_to_device(coefficients.data(), host.data(), host.size() * sizeof(Integer));
  }

  Kokkos::View<Integer*, Space> coefficients;
  Integer step;  ///< of the arithmetic sequence
};

/// Moves streams by one jump (LaggedFibonacciJump), by teams.
template <class Variant>
struct JumpRanmar {
  using Integer = typename Variant::Integer;
  /// Words of the sequence that the sums are made of, x_0 .. x_192.
  static constexpr int terms = 2 * ranmar_words - 1;
  static constexpr std::size_t scratch_bytes = terms * sizeof(Integer);

  RanmarStreams<Variant> streams;
  RanmarJump<Variant> jump;
  std::uint64_t first;     ///< local index of the first stream that moves
  std::uint64_t distance;  ///< each from the state of the stream so many before it

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t i, void* scratch) const {
    auto* const x = static_cast<Integer*>(scratch);
    const std::uint64_t to = first + i;
    const std::uint64_t from = to - distance;
    lanes.each(ranmar_words, [&](int k) { x[k] = streams.word(k, from); });
    // So many words at a time that do not depend on each other.
    constexpr int together = (terms - ranmar_words) / 3;
    static_assert(together <= ranmar_lag);
    for (int k = ranmar_words; k < terms; k += together) {
      Integer* const next = x + k;
      lanes.each(together, [=](int j) { next[j] = next[j - ranmar_words] - next[j - ranmar_lag]; });
    }
    const Integer* const p = jump.coefficients.data();
    lanes.each(ranmar_words, [&](int j) {
      Integer sum = 0;
      for (int k = 0; k < ranmar_words; ++k) sum += p[k] * x[k + j];
      streams.word(j, to) = sum;
    });
    lanes.once([&] {
      streams.word(ranmar_words, to) =
          ranmar_lower<Variant>(streams.word(ranmar_words, from), jump.step);
    });
  }
};

/// The same on a CPU, with the scratch memory of a thread: host programs jump from threads that may
/// not launch teams.
template <class Variant>
struct JumpRanmarByThread {
  JumpRanmar<Variant> jump;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    std::uint64_t scratch[scratch_words(JumpRanmar<Variant>::scratch_bytes)];
    jump(StreamLanes(), i, scratch);
  }
};

template <class Variant>
void apply_jump(const Space& space, const RanmarStreams<Variant>& streams,
                const RanmarJump<Variant>& jump, StreamRange targets, std::uint64_t distance) {
  const JumpRanmar<Variant> body{streams, jump, targets.first, distance};
  if constexpr (device_build) {
    constexpr int teams_together = 4;  // warps of a device's block
    for_each_stream_team(space, "rivulet::ranmar_jump",
                         {targets.count, teams_together, JumpRanmar<Variant>::scratch_bytes}, body);
  } else {
    for_each_stream(space, "rivulet::ranmar_jump", targets.count,
                    JumpRanmarByThread<Variant>{body});
  }
}

}  // namespace detail

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
                      detail::SeedRanmar<Variant>{streams, plan_.request().seed});
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
    advance(space, streams, rounds, {0, range_.count});
  }
  /// The same of some streams, given by local indices.
  void advance(const Space& space, const RanmarStreams<Variant>& streams, Uint128 rounds,
               StreamRange some) const {
    if (some.count == 0 || rounds == 0) return;
    const detail::RanmarJump<Variant> jump(LaggedFibonacciJump(rounds * ranmar_words));
    detail::apply_jump(space, streams, jump, some, 0);
    space.fence();
  }

  /// The segments of streams to their starts, from where the streams are.
  void place(const Space& space, const RanmarStreams<Variant>& from,
             const RanmarStreams<Variant>& to, const Segments& cut) {
    to.copy_first(space, from);
    const auto& jumps = distances_.of(cut, [&](unsigned count) { return jumps_of(cut, count); });
    for_each_doubling(cut, [&](unsigned r, std::uint64_t first, std::uint64_t last) {
      detail::apply_jump(space, to, jumps[r], {first, last - first}, first);
    });
    space.fence();
  }

 private:
  using Jumps = std::vector<detail::RanmarJump<Variant>>;

  static Jumps jumps_of(const Segments& cut, unsigned count) {
    LaggedFibonacciJump jump(Uint128{cut.rounds} * ranmar_words);
    Jumps jumps;
    for (unsigned r = 0; r < count; ++r, jump = jump.doubled()) jumps.emplace_back(jump);
    return jumps;
  }

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
  JumpDistances<Jumps> distances_;
};

}  // namespace rivulet
