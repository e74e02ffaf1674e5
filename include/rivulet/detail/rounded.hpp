// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cmath>

#include "rivulet/detail/ieee754.hpp"

// IEEE 754 operations that are each rounded once, and therefore return the same bits everywhere
// (see ieee754.hpp for compiler flags). A compiler may fuse a product with a sum (GCC and nvcc do
// by default), even if an inlined function computes one of them. The last bit then depends on the
// compiler, its flags and the machine. The code therefore writes a * b + c as fused(a, b, c), which
// always rounds once. Barriers keep compilers from fusing product() with a sum.

namespace rivulet::detail {

#if defined(__CUDA_ARCH__)

// nvcc never fuses these intrinsics with other operations (CUDA C++ Programming Guide).
KOKKOS_FORCEINLINE_FUNCTION double product(double a, double b) { return __dmul_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float product(float a, float b) { return __fmul_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION double sum(double a, double b) { return __dadd_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float sum(float a, float b) { return __fadd_rn(a, b); }
/// Returns the value, but hides it from the compiler: x + -0 is x.
KOKKOS_FORCEINLINE_FUNCTION double sealed(double value) { return __dadd_rn(value, -0.0); }
KOKKOS_FORCEINLINE_FUNCTION float sealed(float value) { return __fadd_rn(value, -0.0F); }
KOKKOS_FORCEINLINE_FUNCTION double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
KOKKOS_FORCEINLINE_FUNCTION float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) { return __ddiv_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float quotient(float a, float b) { return __fdiv_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION double square_root(double x) { return __dsqrt_rn(x); }
KOKKOS_FORCEINLINE_FUNCTION float square_root(float x) { return __fsqrt_rn(x); }

#else

/// Returns the value, but hides it from the compiler: an empty assembly statement reads and writes
/// the value's floating-point register. Two alternatives are not enough: GCC 12.2 fuses in
/// vectorised loops in spite of __builtin_assoc_barrier, and a user's -ffp-contract=fast overrides
/// clang's pragma.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sealed(Real value) {
#if defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+v"(value));
#elif defined(__x86_64__)
  asm("" : "+x"(value));
#elif defined(__aarch64__)
  asm("" : "+w"(value));
#elif defined(__powerpc64__)
  asm("" : "+d"(value));
#elif defined(__riscv) || defined(__s390x__) || defined(__loongarch__)
  asm("" : "+f"(value));
#else
  asm("" : "+m"(value));
#endif
  return value;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real product(Real a, Real b) {
  return sealed(a * b);
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real sum(Real a, Real b) {
  return sealed(a) + sealed(b);
}
/// Returns a * b + c, rounded once. The function is slow if the compiler may not use FMA
/// instructions: see with_fma().
KOKKOS_FORCEINLINE_FUNCTION double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
KOKKOS_FORCEINLINE_FUNCTION float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real quotient(Real a, Real b) {
  return a / b;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real square_root(Real x) {
  using std::sqrt;
  return sqrt(x);
}

#endif

/// Returns c0 + x (c1 + x (c2 + ...)).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real, Real c0) {
  return c0;
}
template <class Real, class... Reals>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real x, Real c0, Real c1, Reals... c) {
  return fused(x, polynomial(x, c1, c...), c0);
}

#if defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDA_ARCH__) && \
    !defined(__HIP_DEVICE_COMPILE__)
template <class Function, class... Numbers>
[[gnu::target("avx2,fma"), gnu::noinline]] KOKKOS_FUNCTION auto call_with_fma(Numbers... numbers) {
  return Function{}(numbers...);
}
template <class Function, class... Numbers>
[[gnu::noinline]] KOKKOS_FUNCTION auto call_without_fma(Numbers... numbers) {
  return Function{}(numbers...);
}
/// Returns Function{}(numbers...), where Function calls fused(). Programs compiled for generic
/// x86-64 check at run time whether the processor has FMA and AVX2. Without these, the C library
/// computes the same bits. Function must be forced inline: otherwise the compiler would not use FMA
/// instructions in it.
template <class Function, class... Numbers>
KOKKOS_FORCEINLINE_FUNCTION auto with_fma(Numbers... numbers) {
  const bool has_both = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
  return has_both ? call_with_fma<Function>(numbers...) : call_without_fma<Function>(numbers...);
}
#else
template <class Function, class... Numbers>
KOKKOS_FORCEINLINE_FUNCTION auto with_fma(Numbers... numbers) {
  return Function{}(numbers...);
}
#endif

}  // namespace rivulet::detail
