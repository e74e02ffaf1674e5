// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Numerator and denominator of each ratio of rates, as benchmark names (up to their first slash).
/// A denominator with a * is a pattern, and means the fastest case that matches.
using Ratios = std::vector<std::pair<std::string, std::string>>;

/// A console reporter that also records rates, and prints ratios of their medians. Colours are off,
/// because an escape sequence would precede the first ratio, even in redirected output.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  explicit RatioReporter(Ratios pairs) : ConsoleReporter(OO_Tabular), pairs_(std::move(pairs)) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto rate = run.counters.find("items_per_second");
      if (run.run_type != Run::RT_Iteration || rate == run.counters.end()) continue;
      rates_[run.run_name.function_name].push_back(rate->second);
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void print_ratios() const {
    for (const auto& [ours, theirs] : pairs_) {
      const auto a = rates_.find(ours);
      const auto b = fastest(theirs);
      if (a == rates_.end() || b == rates_.end()) continue;
      std::printf("%s / %s: %.3f (medians %.3f and %.3f G/s)\n", ours.c_str(), b->first.c_str(),
                  median(a->second) / median(b->second), median(a->second) / 1e9,
                  median(b->second) / 1e9);
    }
  }

 private:
  using Rates = std::map<std::string, std::vector<double>>;

  static bool matches(const std::string& name, const std::string& pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return name == pattern;
    return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
           name.ends_with(pattern.substr(star + 1));
  }

  Rates::const_iterator fastest(const std::string& pattern) const {
    auto found = rates_.end();
    for (auto one = rates_.begin(); one != rates_.end(); ++one) {
      if (!matches(one->first, pattern)) continue;
      if (found == rates_.end() || median(one->second) > median(found->second)) found = one;
    }
    return found;
  }

  static double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  }

  Ratios pairs_;
  Rates rates_;
};

#if defined(__clang__)
inline constexpr const char* compiler_name = "Clang " __clang_version__;
#else
inline constexpr const char* compiler_name = "GCC " __VERSION__;
#endif

/// Parses options, runs all registered benchmarks and prints ratios. scripts/bench reads the last
/// lines, and the context from --benchmark_out. Returns the exit status.
inline int run_benchmarks(int argc, char** argv, const Ratios& ratios) {
  benchmark::AddCustomContext("compiler", compiler_name);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  RatioReporter reporter(ratios);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  return 0;
}

/// The main function of benchmarks that need Kokkos. `add` registers them and returns their Ratios.
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
