// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/team_lanes.hpp"

namespace rivulet::detail {

/// Consecutive numbers of the stream that one warp takes together.
inline constexpr int shared_block = 32;

/// What take() returns: K blocks of 32 numbers, one number of each block for each lane. On a device
/// a lane has only its own K numbers; on a CPU one object has all.
// bits: of a NumberFormat.
template <class Integer_, int bits, int K, bool by_lanes>
class SharedNumbers {
 public:
  using Integer = Integer_;
  using result_type = Integer;
  static_assert(K > 0, "take<K>() gives K > 0 numbers a lane");
  static constexpr int blocks = K;

  /// first: index of the first number.
  KOKKOS_FORCEINLINE_FUNCTION explicit SharedNumbers(std::uint64_t first) : first_(first) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer min() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer max() {
    constexpr int width = 8 * sizeof(Integer);
    return static_cast<Integer>(~Integer{0}) >> (width - (bits < width ? bits : width));
  }

  /// Number k of a lane, 0 <= lane < 32, 0 <= k < K; uniform in 0 .. max().
  KOKKOS_FORCEINLINE_FUNCTION Integer operator()(int lane, int k = 0) const {
    return values_[place(lane, k)];
  }
  /// The index of that number, counted from where the stream was opened.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index(int lane, int k = 0) const {
    return first_ + static_cast<std::uint64_t>(k * shared_block + lane);
  }

  class Engine {
   public:
    using result_type = Integer;
    static constexpr int format_bits = bits;
    KOKKOS_FORCEINLINE_FUNCTION Engine(const SharedNumbers& numbers, int lane)
        : numbers_(&numbers), lane_(lane) {}
    KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer min() { return SharedNumbers::min(); }
    KOKKOS_FORCEINLINE_FUNCTION static constexpr Integer max() { return SharedNumbers::max(); }
    KOKKOS_FORCEINLINE_FUNCTION Integer operator()() {
      RIVULET_ASSERT(next_ < K, "More than K numbers of take<K>() were drawn: take more.");
      return (*numbers_)(lane_, next_++);
    }

   private:
    const SharedNumbers* numbers_;
    int lane_;
    int next_ = 0;
  };
  /// The numbers of a lane as an engine, for distributions: at most K numbers.
  KOKKOS_FORCEINLINE_FUNCTION Engine engine(int lane) const { return Engine(*this, lane); }

  /// For the functions that make the numbers.
  KOKKOS_FORCEINLINE_FUNCTION void put(int lane, int k, Integer value) {
    values_[place(lane, k)] = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION void set_first(std::uint64_t first) { first_ = first; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int place([[maybe_unused]] int lane, int k) {
    if constexpr (by_lanes) {
      return k;
    } else {
      return k * shared_block + lane;
    }
  }

  std::uint64_t first_;
  Integer values_[by_lanes ? K : K * shared_block];
};

}  // namespace rivulet::detail
