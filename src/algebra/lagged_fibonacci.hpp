// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace rivulet {

/// A jump by n numbers of the lagged Fibonacci sequence x_i = x_{i-97} - x_{i-33} modulo any power
/// of two up to 2^64: with t^n = sum p_i t^i in Z/2^64[t] / (t^97 + t^64 - 1), x_{n+j} is the sum
/// of p_i x_{i+j}. What is right modulo 2^64 is right modulo every smaller power.
class LaggedFibonacciJump {
 public:
  static constexpr int words = 97;
  using Words = std::array<std::uint64_t, words>;

  /// n = multiplier * 2^log2, in O(log n). Any n; 2^100 takes a few tenths of a millisecond.
  explicit LaggedFibonacciJump(std::uint64_t multiplier, unsigned log2 = 0);

  /// p_0 .. p_96 modulo 2^64.
  const Words& coefficients() const { return coefficients_; }

  /// Words x_n .. x_{n+96} from x_0 .. x_96.
  Words apply(const Words& x) const;

  /// n * step mod modulus, 0 <= step, 0 < modulus: how far an arithmetic sequence moves meanwhile.
  std::uint64_t times(std::uint64_t step, std::uint64_t modulus) const;

 private:
  std::uint64_t multiplier_;
  unsigned log2_;
  Words coefficients_{};
};

}  // namespace rivulet
