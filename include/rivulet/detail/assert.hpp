// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// A precondition, checked in kernels too, where the program is compiled without NDEBUG or Kokkos was
/// built for debugging: the text says what was wrong and what would be right.
#if !defined(NDEBUG) || defined(KOKKOS_ENABLE_DEBUG)
#define RIVULET_ASSERT(condition, ...) \
  do {                                 \
    if (!(condition)) Kokkos::abort("rivulet: " #condition " is false. " __VA_ARGS__); \
  } while (false)
#else
#define RIVULET_ASSERT(condition, ...) static_cast<void>(0)
#endif
