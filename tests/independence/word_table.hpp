// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace rivulet::independence {

/// Numbers 0 .. numbers-1 of several streams, as words of 32 bits.
class WordTable {
 public:
  WordTable(std::uint64_t streams, std::uint64_t numbers)
      : streams_(streams), numbers_(numbers), words_(streams * numbers) {}

  std::uint64_t streams() const { return streams_; }
  std::uint64_t numbers() const { return numbers_; }
  std::uint32_t& operator()(std::uint64_t stream, std::uint64_t number) {
    return words_[stream * numbers_ + number];
  }
  std::uint32_t operator()(std::uint64_t stream, std::uint64_t number) const {
    return words_[stream * numbers_ + number];
  }
  std::span<std::uint32_t> stream(std::uint64_t s) {
    return {words_.data() + s * numbers_, numbers_};
  }

 private:
  std::uint64_t streams_;
  std::uint64_t numbers_;
  std::vector<std::uint32_t> words_;  ///< stream after stream
};

/// Draws streams that are tested together: numbers 0 .. numbers-1 of the streams with these ids, in
/// this order.
using TableFunction =
    std::function<WordTable(std::span<const std::uint64_t> ids, std::uint64_t numbers)>;

/// The `count` ids first, first + stride, ...
inline std::vector<std::uint64_t> ids(std::uint64_t count, std::uint64_t first = 0,
                                      std::uint64_t stride = 1) {
  std::vector<std::uint64_t> all(count);
  for (std::uint64_t i = 0; i < count; ++i) all[i] = first + i * stride;
  return all;
}

/// Bits first .. first+count-1 of every word, counted from the highest, as TestU01 does.
struct Bits {
  int first = 0;
  int count = 32;

  std::uint32_t of(std::uint32_t word) const {
    return word >> (32 - first - count) & static_cast<std::uint32_t>((1ULL << count) - 1);
  }
};

}  // namespace rivulet::independence
