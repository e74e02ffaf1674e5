// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet::detail {

/// The local indices of the streams that a jump moves. The indices from `begin` up are divided into
/// blocks of `stride`; `begin` may be less than `first`. In each block, the first `run` indices are
/// selected if they are in first .. last - 1. A stream's new state is computed from the state of
/// the stream `distance` indices earlier.
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
    return {first, last, distance, static_cast<std::int64_t>(first)};
  }
  /// Selects the streams whose index has r as its lowest set bit. There are `count` streams on
  /// `sets` sets, and their ids start at `from`. The source of a stream is the stream whose index
  /// lacks bit r. A stream is skipped if its source is not among the `count` streams.
  static JumpRange of_bit(unsigned r, std::uint64_t sets, std::uint64_t from, std::uint64_t count) {
    const std::uint64_t distance = sets << r;
    const std::uint64_t stride = 2 * distance;
    // The odd multiple of the distance in the first stream's block of `stride` ids.
    const std::uint64_t begin = from / stride * stride + distance;
    return {distance, count, distance, static_cast<std::int64_t>(begin - from), sets, stride};
  }

  KOKKOS_FUNCTION std::uint64_t count() const {
    const std::uint64_t span = to_unsigned(static_cast<std::int64_t>(last) - begin);
    const std::uint64_t remainder = span % stride;
    return span / stride * run + (remainder < run ? remainder : run);
  }
  /// Returns selected index `offset` (counted from 0), modulo 2^64. has() rejects negative indices,
  /// which wrap.
  KOKKOS_FUNCTION std::uint64_t stream(std::uint64_t offset) const {
    if (run == stride) return to_unsigned(begin) + offset;
    return to_unsigned(begin) + offset / run * stride + offset % run;
  }
  KOKKOS_FUNCTION bool has(std::uint64_t stream) const { return stream >= first && stream < last; }

 private:
  KOKKOS_FUNCTION static std::uint64_t to_unsigned(std::int64_t i) {
    return static_cast<std::uint64_t>(i);
  }
};

/// The streams of a range that are assigned to a word's lanes.
template <class Word>
struct StreamGroup {
  bool has[lanes<Word>];
  std::uint64_t stream[lanes<Word>];  ///< a lane without a stream repeats another lane's

  /// Assigns the selected streams with the numbers first, first + 1, ... to the lanes. Returns
  /// false if no lane has a stream.
  KOKKOS_FUNCTION bool find(const JumpRange& range, std::uint64_t first) {
    int donor = lanes<Word>;
    for (int l = 0; l < lanes<Word>; ++l) {
      stream[l] = range.stream(first + static_cast<std::uint64_t>(l));
      has[l] = range.has(stream[l]);
      if (has[l]) donor = l;
    }
    if (donor == lanes<Word>) return false;
    for (int l = 0; l < lanes<Word>; ++l) {
      if (!has[l]) stream[l] = stream[donor];
    }
    return true;
  }
  /// Stores word k of each lane that has a stream. (With lanes in the outer loop and words in the
  /// inner one, GCC 12 at -O3 generated kernels whose jumps were lost; the cause is unknown.)
  template <class States>
  KOKKOS_FUNCTION void put(const States& states, int k, const Word& value) const {
    for (int l = 0; l < lanes<Word>; ++l) {
      if (has[l]) states.put_word(k, stream[l], WordTraits<Word>::lane(value, l));
    }
  }
};

}  // namespace rivulet::detail
