// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/generators/jump_distances.hpp"
#include "kernels/generators/scatter_streams.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet {

namespace detail {

/// Launches what starts and moves a rank's streams.
struct RankLaunch {
  using Word = rivulet::Word;
  static constexpr bool on_device = device_build;

  Space space;

  template <class Body>
  void each(const char* label, std::uint64_t count, const Body& body) const {
    for_each_stream(space, label, count, body);
  }
  template <class Body>
  void groups(const char* label, std::uint64_t count, const Body& body) const {
    for_each_stream_lane(space, label, count, body);
  }
  template <class Body>
  void teams(const char* label, std::uint64_t count, const Body& body) const {
    for_each_shared_team(space, label, {count, 1, Body::threads, 1, Body::scratch_bytes}, body);
  }
  template <class T>
  Kokkos::View<T*, Space> uploaded(const std::string& label, const std::vector<T>& values) const {
    const Kokkos::View<T*, Space> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                       values.size());
    copy_to_device(view.data(), values.data(), values.size() * sizeof(T));
    return view;
  }
};

/// The states of a rank's streams, or segments, as starts and jumps see them.
template <class Streams>
struct RankStates {
  using Step = decltype(step_of(std::declval<Streams>().recurrence(0)));

  Streams streams;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream(std::uint64_t index) const {
    return streams.stream(index);
  }
  KOKKOS_FORCEINLINE_FUNCTION Step step(std::uint64_t index) const {
    return step_of(streams.recurrence(index));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& rest(int k, std::uint64_t index) const {
    return streams.word(k, index);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int k, std::uint64_t index) const {
    return rest(k, index);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint64_t index, std::uint32_t word) const {
    rest(k, index) = k == 0 ? word & Step::first_mask : word;
  }
};

template <class Streams>
void apply_jump(const Space& space, const Streams& streams, const JumpTable& table,
                const JumpRange& range) {
  jump_streams(RankLaunch{space}, RankStates<Streams>{streams}, table, range);
}

}  // namespace detail

/// Puts the streams of a rank that share parameter sets where they belong. `plan` must outlive it.
template <class S>
class SetsStarter {
 public:
  using Streams = S;
  using Plan = typename S::Plan;

  SetsStarter(const Plan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Every stream to its start. The first time computes the jumps.
  void seed(const Space& space, const Streams& streams) {
    if (range_.count == 0) return;
    if (!jumps_) jumps_ = range_jumps(HostSpace(), plan_, range_);
    detail::start_streams(detail::RankLaunch{space}, plan_, range_, *jumps_,
                          detail::RankStates<Streams>{streams});
    const detail::StreamIndices indices{range_.first, plan_.sets()};
    if (indices.any(range_.count)) detail::scatter_streams(space, streams, indices);
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const Streams& streams, Uint128 rounds) {
    advance(space, streams, rounds, {0, range_.count});
  }
  /// The same of some streams, given by local indices.
  void advance(const Space& space, const Streams& streams, Uint128 rounds, StreamRange some) {
    if (some.count == 0 || rounds == 0) return;
    const JumpTable& table = last_jump_.of(rounds, [&] {
      return common_jump(HostSpace(), plan_, range_, rounds * Streams::round_numbers);
    });
    detail::apply_jump(space, streams, table,
                       detail::JumpRange::all_of(some.first, some.first + some.count));
    space.fence();
  }

  /// The segments of streams to their starts, from where the streams are.
  void place(const Space& space, const Streams& from, const Streams& to, const Segments& cut) {
    to.copy_first(space, from);
    const auto& jumps = distances_.of(cut, [&](unsigned bits) {
      return doubling_jumps(HostSpace(), plan_, range_,
                            Uint128{cut.rounds} * Streams::round_numbers, bits);
    });
    for_each_doubling(cut, [&](unsigned r, std::uint64_t first, std::uint64_t last) {
      detail::apply_jump(space, to, jumps[r], detail::JumpRange::to_from(first, last, first));
    });
    space.fence();
  }

 private:
  const Plan& plan_;
  StreamRange range_;
  std::optional<RangeJumps> jumps_;  // of the first seed(), for the others
  JumpDistances<std::vector<JumpTable>> distances_;
  LastJump<JumpTable> last_jump_;
};

}  // namespace rivulet
