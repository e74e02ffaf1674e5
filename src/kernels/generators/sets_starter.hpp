// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/generators/doublings.hpp"
#include "kernels/generators/scatter_streams.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "streams/jump_table.hpp"

namespace rivulet {

namespace detail {

/// The streams that a jump moves: local indices first .. last - 1 that lie in the first `run` of
/// every `stride`, counted from `begin` (which may be before first). Each moves from the state of
/// the stream `distance` before it.
struct JumpRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t distance = 0;
  std::int64_t begin = 0;
  std::uint64_t run = 1;
  std::uint64_t stride = 1;

  static JumpRange all_of(std::uint64_t first, std::uint64_t last) {
    return to_from(first, last, 0);
  }
  static JumpRange to_from(std::uint64_t first, std::uint64_t last, std::uint64_t distance) {
    return {first, last, distance, static_cast<std::int64_t>(first), 1, 1};
  }
  /// Streams to go through.
  KOKKOS_FUNCTION std::uint64_t count() const {
    const std::uint64_t span = to_unsigned(static_cast<std::int64_t>(last) - begin);
    const std::uint64_t rest = span % stride;
    return span / stride * run + (rest < run ? rest : run);
  }
  /// Number `offset` of them, modulo 2^64: those before 0 are beyond any last.
  KOKKOS_FUNCTION std::uint64_t stream(std::uint64_t offset) const {
    return to_unsigned(begin) + offset / run * stride + offset % run;
  }
  KOKKOS_FUNCTION bool has(std::uint64_t stream) const { return stream >= first && stream < last; }

 private:
  KOKKOS_FUNCTION static std::uint64_t to_unsigned(std::int64_t i) {
    return static_cast<std::uint64_t>(i);
  }
};

}  // namespace detail

/// Puts the streams of a rank that share parameter sets where they belong. `plan` must outlive it.
/// Kernels: seed(space, streams, plan, first, count) gives streams the seeded states of their sets,
/// jump(space, streams, table, range) moves them, and scatter(space, streams, indices) brings them
/// from E(i) to their starts.
template <class S, class Kernels>
class SetsStarter {
 public:
  using Streams = S;
  using Plan = typename S::Plan;

  SetsStarter(const Plan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Every stream to its start. The first time computes the jumps.
  void seed(const Space& space, const Streams& streams) {
    if (range_.count == 0) return;
    if (!jumps_) jumps_ = range_jumps(plan_, range_);
    for (const auto& part : jumps_->from_seeds) seed_part(space, streams, part);
    // Streams are made from those of fewer bits: the index's higher ones.
    for (auto r = jumps_->of_bits.size(); r-- > 0;) {
      Kernels::jump(space, streams, jumps_->of_bits[r], streams_of_bit(r));
    }
    const detail::StreamIndices indices{range_.first, plan_.sets()};
    if (indices.any(range_.count)) Kernels::scatter(space, streams, indices);
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const Streams& streams, Uint128 rounds) {
    advance(space, streams, rounds, {0, range_.count});
  }
  /// The same of some streams, given by local indices.
  void advance(const Space& space, const Streams& streams, Uint128 rounds, StreamRange some) {
    if (some.count == 0 || rounds == 0) return;
    const JumpTable& table = last_jump_.of(
        rounds, [&] { return common_jump(plan_, range_, rounds * Streams::round_numbers); });
    Kernels::jump(space, streams, table,
                  detail::JumpRange::all_of(some.first, some.first + some.count));
    space.fence();
  }

  /// The segments of streams to their starts, from where the streams are.
  void place(const Space& space, const Streams& from, const Streams& to, const Segments& cut) {
    to.copy_first(space, from);
    const auto& jumps = doublings_.of(cut, [&](unsigned bits) {
      return doubling_jumps(plan_, range_, Uint128{cut.rounds} * Streams::round_numbers, bits);
    });
    for_each_doubling(cut, [&](unsigned r, std::uint64_t first, std::uint64_t last) {
      Kernels::jump(space, to, jumps[r], detail::JumpRange::to_from(first, last, first));
    });
    space.fence();
  }

 private:
  void seed_part(const Space& space, const Streams& streams,
                 const RangeJumps::FromSeeds& part) const {
    const std::uint64_t first = part.first - range_.first;
    const std::uint64_t last = part.last - range_.first;
    Kernels::seed(space, streams, plan_, first, last - first);
    if (!part.jump.bits.empty()) {
      Kernels::jump(space, streams, part.jump, detail::JumpRange::all_of(first, last));
    }
  }

  /// The streams whose index has r as its lowest set bit and that have in the range the stream
  /// whose index lacks it.
  detail::JumpRange streams_of_bit(std::size_t r) const {
    const std::uint64_t distance = plan_.sets() << r;
    const std::uint64_t stride = 2 * distance;
    // From the odd multiple of the distance that is next to the range's first stream, or before.
    const std::uint64_t begin = range_.first / stride * stride + distance;
    return {distance,     range_.count, distance, static_cast<std::int64_t>(begin - range_.first),
            plan_.sets(), stride};
  }

  const Plan& plan_;
  StreamRange range_;
  std::optional<RangeJumps> jumps_;  // of the first seed(), for the others
  Doublings<std::vector<JumpTable>> doublings_;
  LastJump<JumpTable> last_jump_;
};

}  // namespace rivulet
