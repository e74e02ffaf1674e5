// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace rivulet {

// The variants of RANMAR, with what `rivulet --list` says of them. Each is a lagged Fibonacci
// sequence modulo 2^bits less an arithmetic sequence that starts at c_start and goes down by c_step
// modulo c_modulus. The published constants are Marsaglia, Zaman & Tsang, "Toward a universal
// random number generator", Statistics & Probability Letters 9 (1990) 35: c_start 362436, c_step
// 7654321, c_modulus 2^24 - 3.

/// RANMAR of 24 bits (Marsaglia, Zaman & Tsang, Statistics & Probability Letters 9 (1990) 35), that
/// of James and of CERN's library (V113).
struct Ranmar24 {
  static constexpr std::string_view name = "ranmar24";
  static constexpr std::string_view doc = "RANMAR of 24 bits, as published";
  static constexpr std::string_view period = "about 2^144";
  using Integer = std::uint32_t;
  static constexpr int bits = 24;
  static constexpr Integer c_start = 362436;
  static constexpr Integer c_step = 7654321;
  static constexpr Integer c_modulus = (Integer{1} << 24) - 3;
};

/// RANMAR of 48 bits, CERN's RM48 (V116) and CORSIKA's RMMARD: 48 bits from the lagged Fibonacci
/// sequence, the arithmetic sequence still that of 24 bits, in the upper half. The lower 24 bits
/// are the lagged Fibonacci sequence's alone.
struct Ranmar48 {
  static constexpr std::string_view name = "ranmar48";
  static constexpr std::string_view doc = "RANMAR of 48 bits, CERN's RM48 and CORSIKA's";
  static constexpr std::string_view period = "about 2^168";
  using Integer = std::uint64_t;
  static constexpr int bits = 48;
  static constexpr Integer c_start = Integer{Ranmar24::c_start} << 24;
  static constexpr Integer c_step = Integer{Ranmar24::c_step} << 24;
  static constexpr Integer c_modulus = Integer{Ranmar24::c_modulus} << 24;
};

/// RANMAR of 48 bits as M. F. McCann's thesis (University College Dublin, 2011) most likely extends
/// it: start and step scaled, modulus 2^48 - 3. That is 11 * 167 * 239 * 641110271, but shares no
/// factor with the step.
struct Ranmar48Scaled : Ranmar48 {
  static constexpr std::string_view name = "ranmar48_scaled";
  static constexpr std::string_view doc = "RANMAR of 48 bits as a thesis extends it";
  static constexpr std::string_view period = "about 2^192";
  static constexpr Integer c_modulus = (Integer{1} << 48) - 3;
};

/// Rivulet's RANMAR of 48 bits: the arithmetic sequence's modulus is the largest prime below 2^48,
/// and the step's lower half is not zero (0x9e3779, the leading bits of the golden ratio's
/// fraction).
struct Ranmar48x : Ranmar48 {
  static constexpr std::string_view name = "ranmar48x";
  static constexpr std::string_view doc = "RANMAR of 48 bits with a prime modulus";
  static constexpr std::string_view period = "about 2^192";
  static constexpr Integer c_step = Ranmar48::c_step + 0x9e3779;
  static constexpr Integer c_modulus = (Integer{1} << 48) - 59;
};

}  // namespace rivulet
