// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/generators/planned_family.hpp"
#include "rivulet/detail/streams/jump_range.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

namespace detail {

/// Shared array for host kernels. (A Kokkos::View would launch a kernel to destroy elements of
/// class type.)
template <class T>
class HostValues {
 public:
  explicit HostValues(const std::vector<T>& values)
      : values_(std::make_shared<const std::vector<T>>(values)), first_(values_->data()) {}

  const T& operator()(std::size_t i) const { return first_[i]; }

 private:
  std::shared_ptr<const std::vector<T>> values_;
  const T* first_;
};

/// Launches the kernels that start and move a rank's streams.
struct RankLaunch : ExecLaunch<Space, Word> {
  template <class T>
  auto uploaded([[maybe_unused]] const std::string& label, const std::vector<T>& values) const {
    if constexpr (device_build) {
      return ExecLaunch<Space, Word>::uploaded(label, values);
    } else {
      return HostValues<T>(values);
    }
  }
  template <class Body>
  void each(const char* label, std::uint64_t count, const Body& body) const {
    for_each_stream(exec, label, count, body);
  }
  template <class Body>
  void groups(const char* label, std::uint64_t count, const Body& body) const {
    for_each_stream_lane(exec, label, count, body);
  }
};

/// Caches the last computed jumps, because successive segments and pieces usually have equal
/// lengths.
template <class Jump>
class LastJumps {
 public:
  /// Returns the jumps by 2^r * `rounds` rounds for all 2^r <= `max_multiple`, with `rounds` > 0.
  /// Calls make() unless these jumps are cached.
  template <class Make>
  const std::vector<Jump>& get(Uint128 rounds, std::uint64_t max_multiple, const Make& make) {
    if (rounds_ != rounds || max_multiple_ < max_multiple) {
      jumps_ = make();
      rounds_ = rounds;
      max_multiple_ = max_multiple;
    }
    return jumps_;
  }

 private:
  std::vector<Jump> jumps_;
  Uint128 rounds_ = 0;
  std::uint64_t max_multiple_ = 0;
};

}  // namespace detail

/// Moves a rank's streams to their starts, and makes them jump ahead. `Starts` (such as
/// detail::TwisterStarts) defines the jumps. `plan` must outlive this object.
template <class S, class Starts>
class RankStarter {
 public:
  using Streams = S;
  using Plan = typename S::Plan;

  RankStarter(const Plan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Moves every stream to its start. The first call computes the jumps. Blocking.
  void seed(const Space& space, const Streams& streams) {
    if (range_.count == 0) return;
    if (!jumps_) jumps_.emplace(Starts::range_jumps(HostSpace(), plan_, range_));
    Starts::start(detail::RankLaunch{{space}}, plan_, range_, *jumps_, streams);
    space.fence();
  }

  /// Advances every stream by `rounds` rounds, in O(log rounds). Blocking.
  void advance(const Space& space, const Streams& streams, Uint128 rounds) {
    advance(space, streams, rounds, {0, range_.count});
  }
  /// Advances only the streams `some`, given by local indices.
  void advance(const Space& space, const Streams& streams, Uint128 rounds, StreamRange some) {
    if (some.count == 0 || rounds == 0) return;
    const auto& jumps = jumps_of(advance_jumps_, rounds, 1);
    Starts::jump(detail::RankLaunch{{space}}, streams, jumps.front(),
                 detail::JumpRange::all_of(some.first, some.first + some.count));
    space.fence();
  }

  /// Copies each stream's state to its first segment, and moves every segment to its start.
  /// Blocking.
  void place(const Space& space, const Streams& from, const Streams& to, const Segments& cut) {
    to.copy_first(space, from);
    if (cut.count > 1) {
      const auto& jumps = jumps_of(segment_jumps_, cut.rounds, cut.count - 1);
      // The number of positioned segments doubles: jump r moves by 2^r segments.
      std::size_t r = 0;
      for (std::uint64_t done = cut.streams; done < cut.total(); done *= 2) {
        Starts::jump(detail::RankLaunch{{space}}, to, jumps[r++],
                     detail::JumpRange::to_from(done, std::min(2 * done, cut.total()), done));
      }
    }
    space.fence();
  }

 private:
  using Jumps = detail::LastJumps<typename Starts::Jump>;

  const auto& jumps_of(Jumps& last, Uint128 rounds, std::uint64_t max_multiple) const {
    return last.get(rounds, max_multiple, [&] {
      return Starts::multiple_jumps(HostSpace(), plan_, range_, rounds * Streams::round_numbers,
                                    max_multiple);
    });
  }

  const Plan& plan_;
  StreamRange range_;
  std::optional<typename Starts::Jumps> jumps_;  ///< computed by the first seed()
  Jumps segment_jumps_;
  Jumps advance_jumps_;
};

}  // namespace rivulet
