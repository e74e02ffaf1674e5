// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if __cplusplus <= 201703L
#error "Rivulet's headers need C++20. Compile with -std=c++20, or link Rivulet::rng, which sets it."
#endif

// Rivulet's library for Kokkos programs: streams of random numbers in a program's kernels.
// docs/library.md explains it by task, with the programs in examples/. Include battery.hpp,
// create.hpp and sobol.hpp separately: these also need the library Rivulet::rivulet.

#include "rivulet/distributions.hpp"
#include "rivulet/error.hpp"
#include "rivulet/fill.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/permutation.hpp"
#include "rivulet/stream.hpp"
#include "rivulet/streams.hpp"
