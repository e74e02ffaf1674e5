// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// Ends the program where a precondition does not hold, on devices too; nothing with NDEBUG.
#ifdef NDEBUG
#define RIVULET_ASSERT(condition) ((void)0)
#else
#define RIVULET_ASSERT(condition) \
  ((condition) ? (void)0 : Kokkos::abort("rivulet: " #condition " does not hold"))
#endif
