// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet::detail {

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
    return {first, last, distance, static_cast<std::int64_t>(first)};
  }
  /// Of streams `from`, from + 1, .. on `sets` sets those whose index has r as its lowest set bit,
  /// where the stream whose index lacks it is among them.
  static JumpRange of_bit(unsigned r, std::uint64_t sets, std::uint64_t from, std::uint64_t count) {
    const std::uint64_t distance = sets << r;
    const std::uint64_t stride = 2 * distance;
    // From the odd multiple of the distance that is next to the first stream, or before.
    const std::uint64_t begin = from / stride * stride + distance;
    return {distance, count, distance, static_cast<std::int64_t>(begin - from), sets, stride};
  }

  KOKKOS_FUNCTION std::uint64_t count() const {
    const std::uint64_t span = to_unsigned(static_cast<std::int64_t>(last) - begin);
    const std::uint64_t rest = span % stride;
    return span / stride * run + (rest < run ? rest : run);
  }
  /// Number `offset` of them, modulo 2^64: those before 0 are beyond any last.
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

/// The streams of a range that the lanes of a word work on.
template <class Word>
struct StreamGroup {
  bool has[lanes<Word>];
  std::uint64_t stream[lanes<Word>];  ///< where there is none, another one that there is

  /// Number `first` of the range and those that follow it. Whether there is any.
  KOKKOS_FUNCTION bool find(const JumpRange& range, std::uint64_t first) {
    int one = lanes<Word>;
    for (int l = 0; l < lanes<Word>; ++l) {
      stream[l] = range.stream(first + static_cast<std::uint64_t>(l));
      has[l] = range.has(stream[l]);
      if (has[l]) one = l;
    }
    if (one == lanes<Word>) return false;
    for (int l = 0; l < lanes<Word>; ++l) {
      if (!has[l]) stream[l] = stream[one];
    }
    return true;
  }
  /// Lane by lane to word k of the streams that there are. (With lanes in the outer loop and words
  /// in the inner one, GCC 12 at -O3 made kernels whose jumps were lost; the cause is not known.)
  template <class States>
  KOKKOS_FUNCTION void put(const States& states, int k, const Word& value) const {
    for (int l = 0; l < lanes<Word>; ++l) {
      if (has[l]) states.put_word(k, stream[l], WordTraits<Word>::lane(value, l));
    }
  }
};

}  // namespace rivulet::detail
