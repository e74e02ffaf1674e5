// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <Kokkos_Core.hpp>

#include "bench_ratios.hpp"
#include "kokkos_compat.hpp"

namespace rivulet {

/// The main function of benchmarks that need Kokkos. add: registers them, returns pairs.
template <class Add>
int kokkos_benchmarks(int argc, char** argv, const Add& add) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const int version = KOKKOS_VERSION;  // major * 10000 + minor * 100 + patch, Kokkos' own coding
  benchmark::AddCustomContext(
      "kokkos", fmt::format("{}.{}.{}, {}", version / 10000, version / 100 % 100, version % 100,
                            Space::name()));
  return run_benchmarks(argc, argv, add());
}

}  // namespace rivulet
