// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rng/word.hpp"

// Whether compilers move lanes between vectors as they are told: GCC from 12 on, and Clang.
#if RIVULET_VECTOR_WORD && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define RIVULET_HAVE_SHUFFLES 1
#endif
#endif
#ifndef RIVULET_HAVE_SHUFFLES
#define RIVULET_HAVE_SHUFFLES 0
#endif
