// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/law.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "rivulet/distributions/log_normal.hpp"

// CMake compiles this file with -ffp-contract=off. The code therefore needs no sealed(), which
// would keep compilers from vectorising the loops.

namespace rivulet {
namespace {

struct UniformLaw {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Real* x, std::size_t count, Real low,
                                              Real high) const {
    const Real width = high - low;
    for (std::size_t i = 0; i < count; ++i) x[i] = low + width * x[i];
  }
};

struct NormalLaw {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Real* x, std::size_t count, Real mean,
                                              Real deviation) const {
    for (std::size_t i = 0; i < count; ++i) x[i] = detail::StandardNormal{}(x[i]);
    for (std::size_t i = 0; i < count; ++i) x[i] = mean + deviation * x[i];
  }
};

struct ExponentialLaw {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Real* x, std::size_t count, Real mean, Real) const {
    for (std::size_t i = 0; i < count; ++i) x[i] = mean * detail::MinusLog{}(x[i]);
  }
};

struct LogNormalLaw {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Real* x, std::size_t count, Real mean,
                                              Real deviation) const {
    for (std::size_t i = 0; i < count; ++i) x[i] = detail::StandardNormal{}(x[i]);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = detail::ExpOfNormal{}(x[i], mean, deviation);
    }
  }
};

constexpr std::size_t poisson_block = 512;

struct PoissonOffsets {
  // Two loops, because GCC does not vectorise a loop in which both doubles and floats index a
  // table.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const double* u, std::int32_t* offsets,
                                              std::size_t count,
                                              detail::PoissonOffset offset) const {
    float q[poisson_block];
    float v[poisson_block];
    for (std::size_t i = 0; i < count; ++i) {
      q[i] = static_cast<float>(u[i] - 0.5);
      v[i] = static_cast<float>(0.5 - detail::magnitude(u[i] - 0.5));
    }
    for (std::size_t i = 0; i < count; ++i) offsets[i] = offset.from_halves(q[i], v[i]);
  }
};

template <class Real>
void apply_to(const Law& law, Real* numbers, std::size_t count) {
  const auto a = static_cast<Real>(law.a);
  const auto b = static_cast<Real>(law.b);
  switch (law.kind) {
    case Law::Kind::uniform:
      return detail::with_fma<UniformLaw>(numbers, count, a, b);
    case Law::Kind::normal:
      return detail::with_fma<NormalLaw>(numbers, count, a, b);
    case Law::Kind::exponential:
      return detail::with_fma<ExponentialLaw>(numbers, count, a, b);
    case Law::Kind::log_normal:
      return detail::with_fma<LogNormalLaw>(numbers, count, a, b);
  }
}

}  // namespace

void apply(const Law& law, float* numbers, std::size_t count) { apply_to(law, numbers, count); }
void apply(const Law& law, double* numbers, std::size_t count) { apply_to(law, numbers, count); }

void apply(const Poisson& counts, double* numbers, std::size_t count) {
  std::int32_t offsets[poisson_block];
  for (std::size_t first = 0; first < count; first += poisson_block) {
    const std::size_t end = std::min(count, first + poisson_block);
    detail::with_fma<PoissonOffsets>(numbers + first, offsets, end - first, counts.offset());
    for (std::size_t i = first; i < end; ++i) {
      numbers[i] = std::bit_cast<double>(counts.of_offset(offsets[i - first], numbers[i]));
    }
  }
}

}  // namespace rivulet
