// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "bench_ratios.hpp"

// The parts of bench_generators: each registers its cases and returns the pairs to compare.

namespace rivulet::parts {

/// Every generator at the four things that it is for; pages are made of these cases.
Ratios all();
/// Kernels beside loops written by hand for this machine, on one core.
Ratios loops();
/// Points of one stream of every generator, by the mapping that the library takes for it.
Ratios one_stream();
/// Numbers of 1, 32 and 1024 streams in caches and beyond them, on one core.
Ratios memory();

/// Every generator of the list that starts natively, with what is shipped.
const std::vector<std::string>& ready_names();

template <class Run>
void add(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
}

}  // namespace rivulet::parts
