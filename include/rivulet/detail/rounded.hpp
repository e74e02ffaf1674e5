// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cmath>

#include "rivulet/detail/ieee754.hpp"

// Operations of IEEE 754, each rounded separately. Where there is an instruction for a * b + c,
// compilers may use it (GCC and nvcc do by default), also across an inlined function, and the last
// bit then depends on the compiler, its flags and the machine. Results of the functions below are
// bitwise the same everywhere (see ieee754.hpp for compilers' flags): a product has a barrier to
// fusion around it. Sums need one only where an operand may be a caller's product.

namespace rivulet::detail {

#if defined(__CUDA_ARCH__)

// These intrinsics are never fused with other operations (CUDA C++ Programming Guide).
KOKKOS_FORCEINLINE_FUNCTION double product(double a, double b) { return __dmul_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float product(float a, float b) { return __fmul_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION double sum(double a, double b) { return __dadd_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float sum(float a, float b) { return __fadd_rn(a, b); }
/// x + -0 is x.
KOKKOS_FORCEINLINE_FUNCTION double sealed(double value) { return __dadd_rn(value, -0.0); }
KOKKOS_FORCEINLINE_FUNCTION float sealed(float value) { return __fadd_rn(value, -0.0F); }
KOKKOS_FORCEINLINE_FUNCTION double quotient(double a, double b) { return __ddiv_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION float quotient(float a, float b) { return __fdiv_rn(a, b); }
KOKKOS_FORCEINLINE_FUNCTION double square_root(double x) { return __dsqrt_rn(x); }
KOKKOS_FORCEINLINE_FUNCTION float square_root(float x) { return __fsqrt_rn(x); }

#else

/// The value, opaque to compilers: an assembly statement without instructions that takes and
/// returns a floating-point register. Neither GCC's __builtin_assoc_barrier (12.2 fuses in
/// vectorised loops all the same) nor, where a user sets -ffp-contract=fast, clang's pragma would
/// do.
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

/// c0 + x (c1 + x (c2 + ...)).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real, Real c0) {
  return c0;
}
template <class Real, class... Reals>
KOKKOS_FORCEINLINE_FUNCTION Real polynomial(Real x, Real c0, Real c1, Reals... c) {
  return c0 + product(x, polynomial(x, c1, c...));
}

}  // namespace rivulet::detail
