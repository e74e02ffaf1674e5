// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "rivulet/detail/rng/ranmar_seeding.hpp"

namespace rivulet {

/// RANMAR as codes carry it, one number after the other in double precision (James, Comput. Phys.
/// Commun. 60 (1990) 329; 48 bits as in CERN's library and CORSIKA): what everything else here is
/// measured against. Gives ranmar48's numbers.
class RanmarSequential {
 public:
  explicit RanmarSequential(RanmarSeed seed) {
    const auto start = published_start<Ranmar48>(seed);
    for (std::size_t k = 0; k < words; ++k) {
      u_[words - 1 - k] = static_cast<double>(start.x[k]) * 0x1p-48;
    }
  }

  /// The next numbers, in [0, 1).
  void fill(double* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      double uniform = u_[i97_] - u_[j97_];
      if (uniform < 0) uniform += 1;
      u_[i97_] = uniform;
      i97_ = i97_ == 0 ? words - 1 : i97_ - 1;
      j97_ = j97_ == 0 ? words - 1 : j97_ - 1;
      c_ -= Ranmar24::c_step * 0x1p-24;
      if (c_ < 0) c_ += Ranmar24::c_modulus * 0x1p-24;
      uniform -= c_;
      if (uniform < 0) uniform += 1;
      to[i] = uniform;
    }
  }

 private:
  static constexpr std::size_t words = ranmar_words;

  std::array<double, words> u_{};
  double c_ = Ranmar24::c_start * 0x1p-24;
  std::size_t i97_ = words - 1;
  std::size_t j97_ = ranmar_lag - 1;
};

/// The implementation that codes carry today, outside the timed loop.
class ScalarDouble {
 public:
  [[gnu::noinline]] void fill(double* to, std::size_t count) { generator_.fill(to, count); }

 private:
  RanmarSequential generator_{{1802, 9373}};
};

/// Numbers a second, or bytes if a number counts as many.
inline void scalar_double(benchmark::State& state, std::int64_t counts_as = 1) {
  ScalarDouble generator;
  std::array<double, 1000> numbers;
  for (auto _ : state) {
    generator.fill(numbers.data(), numbers.size());
    double sum = 0;
    for (const double number : numbers) sum += number;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * counts_as *
                          static_cast<std::int64_t>(numbers.size()));
}

}  // namespace rivulet
