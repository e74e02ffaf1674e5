// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/launching/segments.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Segments are put to their starts by doubling: segments 2^r .. 2^(r+1) - 1 of every stream from
/// those 2^r before them. Calls jump(r, first, last) for each r: segments first .. last - 1 start
/// 2^r lengths behind the segments that lie `first` indices before them.
template <class Jump>
void for_each_doubling(const Segments& cut, const Jump& jump) {
  for (unsigned r = 0; std::uint64_t{1} << r < cut.count; ++r) {
    const std::uint64_t from = std::uint64_t{1} << r;
    jump(r, from * cut.streams, std::min(2 * from, cut.count) * cut.streams);
  }
}

/// Jumps of so many doublings.
inline unsigned doublings_of(const Segments& cut) {
  return static_cast<unsigned>(std::bit_width(cut.count - 1));
}

/// The jumps that a starter computed last, as equal segments follow each other in a job.
template <class Jumps>
class JumpDistances {
 public:
  /// Those of make(number of them), which depend on the segments' length.
  template <class Make>
  const Jumps& of(const Segments& cut, const Make& make) {
    const unsigned bits = doublings_of(cut);
    if (rounds_ != cut.rounds || bits_ < bits) {
      jumps_ = make(bits);
      rounds_ = cut.rounds;
      bits_ = bits;
    }
    return jumps_;
  }

 private:
  Jumps jumps_{};
  std::uint64_t rounds_ = 0;
  unsigned bits_ = 0;  ///< doublings that there are jumps for
};

/// The jump that a starter computed last, as pieces of equal length follow each other.
template <class Jump>
class LastJump {
 public:
  /// That of so many rounds, more than 0, which make() computes.
  template <class Make>
  const Jump& of(Uint128 rounds, const Make& make) {
    if (rounds != rounds_) {
      jump_ = make();
      rounds_ = rounds;
    }
    return jump_;
  }

 private:
  Jump jump_{};
  Uint128 rounds_ = 0;
};

}  // namespace rivulet
