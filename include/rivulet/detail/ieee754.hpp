// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Real numbers are bitwise the same everywhere because each operation follows IEEE 754. Compiler
// flags that violate the standard would change numbers silently. The checks below use macros that
// compilers define for some of these flags. GCC (since 12) defines macros for all parts of
// -ffast-math. clang defines macros only for -ffast-math as a whole and for -ffinite-math-only.
// nvcc (13.0) defines nothing for --use_fast_math, so the headers cannot reject this flag.

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error \
    "fast floating-point arithmetic is on (by -ffast-math, -Ofast or a part of them, with which \
Rivulet's numbers are not the same everywhere). Compile what includes Rivulet's headers without it."
#endif

// Evaluation method 16 differs from method 0 only in half precision.
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error \
    "floating-point operations have excess precision (by -mfpmath=387 or a processor without \
others, with which Rivulet's numbers are not the same everywhere). Compile for SSE2: -mfpmath=sse."
#endif

static_assert(sizeof(0.1) == sizeof(double),
              "floating-point constants have single precision (by -fsingle-precision-constant, "
              "with which Rivulet's numbers are not the same everywhere). Compile without it.");
