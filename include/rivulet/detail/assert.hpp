// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// RIVULET_ASSERT(condition, "what was wrong and what would be right") checks a precondition. If
/// the condition is false, the macro aborts the program, even in device code. The text is optional.
/// With NDEBUG the macro is a no-op, unless Kokkos was built for debugging.
#if !defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG)
#define RIVULET_HAS_ASSERTIONS true
#define RIVULET_ASSERT(condition, ...) \
  ((condition) ? (void)0               \
               : Kokkos::abort("rivulet: " #condition " does not hold. " __VA_ARGS__ "\n"))
#else
#define RIVULET_HAS_ASSERTIONS false
#define RIVULET_ASSERT(condition, ...) ((void)0)
#endif

namespace rivulet::detail {
constexpr bool has_assertions = RIVULET_HAS_ASSERTIONS;
}  // namespace rivulet::detail
