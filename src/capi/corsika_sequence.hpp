// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"

namespace rivulet {

/// A sequence of CORSIKA on the host: ranmar48 with published seeding, as doubles in (0, 1). An
/// exact 0 becomes 2^-48. Draws a buffer at a time, with vector registers.
class CorsikaSequence {
 public:
  /// An unseeded sequence. Its members are 0, so the pages of an array of sequences are allocated
  /// only when used.
  constexpr CorsikaSequence() = default;

  /// Moves to the position after `drawn` numbers of the sequence ijkl = 30082 ij + kl, in O(log
  /// drawn). Throws Error for ijkl outside 0 .. 942438977; the sequence is then unchanged.
  void seed(std::int64_t ijkl, std::uint64_t drawn) {
    auto state = published_start<Ranmar48>(ranmar_seed(ijkl));
    if (drawn > 0) state = ranmar_jump(state, LaggedFibonacciJump(drawn));
    std::copy_n(state.x, ranmar_words, words_.end() - ranmar_words);
    c_ = state.c;
    ahead_ = 0;
    drawn_with_ahead_ = drawn;
    ijkl_ = ijkl;
    seeded_ = true;
  }

  bool seeded() const { return seeded_; }
  std::int64_t ijkl() const { return ijkl_; }
  std::uint64_t drawn() const { return drawn_with_ahead_ - ahead_; }

  /// Returns the count of numbers that take() can copy from the buffer.
  std::size_t ahead() const { return ahead_; }

  /// Copies the next `count` numbers, at most ahead().
  void take(double* to, std::size_t count) {
    const double* from = ahead_numbers_.data() + (batch - ahead_);
    ahead_ -= count;
    if (count == 1) {
      *to = *from;
    } else {
      std::copy_n(from, count, to);
    }
  }

  /// Writes the next `count` numbers; the sequence must have been seeded.
  void draw(double* to, std::size_t count) {
    while (count > 0) {
      if (ahead_ == 0 && count >= batch) {
        make_batch(to);
        to += batch;
        count -= batch;
        continue;
      }
      if (ahead_ == 0) {
        make_batch(ahead_numbers_.data());
        ahead_ = batch;
      }
      const std::size_t part = std::min(count, ahead_);
      take(to, part);
      to += part;
      count -= part;
    }
  }

 private:
  /// Numbers per buffer. A larger buffer fills more of the L1 cache; with a smaller one, the 97
  /// words are copied more often.
  static constexpr std::size_t batch = 512;
  /// Numbers per step. They fill vector registers. They do not depend on each other, because a step
  /// is not longer than the recurrence's lag, 33.
  static constexpr std::size_t step = 32;
  static_assert(step <= ranmar_lag && batch % step == 0 && batch >= ranmar_words);

  /// The arithmetic sequence's offset for each number of a step.
  static constexpr auto strides = [] {
    std::array<std::uint64_t, step> stride{};
    for (std::size_t j = 0; j < step; ++j) {
      stride[j] = ranmar_stride<Ranmar48>(static_cast<int>(j) + 1);
    }
    return stride;
  }();

  /// Returns number * 2^-48 for number < 2^48, and, by CORSIKA's rule, 2^-48 for 0. Vector units
  /// before AVX-512 cannot convert 64-bit integers. Instead, the number is inserted into the lowest
  /// bits of the double 2^52, and 2^52 is subtracted.
  static double uniform(std::uint64_t number) {
    constexpr double base = 0x1p52;
    const auto raised = std::bit_cast<double>(std::bit_cast<std::uint64_t>(base) | number);
    const double value = (raised - base) * 0x1p-48;
    return value < 0x1p-48 ? 0x1p-48 : value;
  }

  /// Writes the next `batch` numbers of the recurrence. words_ ends with the 97 words before them.
  void make_batch(double* to) {
    std::uint64_t* x = words_.data();
    std::copy_n(words_.end() - ranmar_words, ranmar_words, x);
    for (std::size_t i = 0; i < batch; i += step) {
      for (std::size_t j = 0; j < step; ++j) {
        const std::uint64_t word = x[i + j] - x[i + j + (ranmar_words - ranmar_lag)];
        x[i + j + ranmar_words] = word;
        to[i + j] = uniform(ranmar_number<Ranmar48>(word, ranmar_lower<Ranmar48>(c_, strides[j])));
      }
      c_ = ranmar_lower<Ranmar48>(c_, strides[step - 1]);
    }
    drawn_with_ahead_ += batch;
  }

  std::size_t ahead_ = 0;
  std::uint64_t drawn_with_ahead_ = 0;
  std::uint64_t c_ = 0;
  std::int64_t ijkl_ = 0;
  bool seeded_ = false;
  alignas(64) std::array<double, batch> ahead_numbers_{};
  alignas(64) std::array<std::uint64_t, ranmar_words + batch> words_{};
};

}  // namespace rivulet
