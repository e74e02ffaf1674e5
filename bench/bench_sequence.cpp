// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One sequence of doubles through rivulet.h as a host code calls it, beside the sequential
// generator in double precision that codes carry today, called for as many numbers at a time; the
// last lines are ratios, from this run. Then times of saving and skipping. For one core:
// OMP_NUM_THREADS=1. Machines are noisy, so quote medians:
// --benchmark_repetitions=9 --benchmark_enable_random_interleaving=true.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench_ratios.hpp"
#include "capi/rivulet.h"
#include "scalar_ranmar.hpp"

namespace rivulet {
namespace {

constexpr std::int64_t few = 10;
constexpr std::int64_t many = 10000000;

rivulet_sequence created(const std::string& generator, std::int64_t buffer, bool asynchronous,
                         std::int64_t instances = 1) {
  static int made = 0;
  rivulet_options options;
  rivulet_options_default(&options);
  options.generator = generator.c_str();
  options.instances = instances;
  options.buffer_numbers = buffer;
  options.asynchronous = asynchronous ? 1 : 0;
  rivulet_sequence sequence = 0;
  const std::string name = "sequence " + std::to_string(made++);
  if (rivulet_create(name.c_str(), &options, &sequence) != RIVULET_OK) {
    std::fprintf(stderr, "%s\n", rivulet_message());
  }
  return sequence;
}

void get(benchmark::State& state, const std::string& generator, std::int64_t batch,
         std::int64_t buffer, bool asynchronous, std::int64_t instances) {
  const rivulet_sequence sequence = created(generator, buffer, asynchronous, instances);
  std::vector<double> numbers(static_cast<std::size_t>(batch));
  for (auto _ : state) {
    if (rivulet_get_double(sequence, batch, numbers.data()) != RIVULET_OK) {
      state.SkipWithError(rivulet_message());
    }
    benchmark::DoNotOptimize(numbers.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * batch);
  rivulet_destroy(sequence);
}

void scalar(benchmark::State& state, std::int64_t batch) {
  ScalarDouble generator;
  std::vector<double> numbers(static_cast<std::size_t>(batch));
  for (auto _ : state) {
    generator.fill(numbers.data(), numbers.size());
    benchmark::DoNotOptimize(numbers.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

/// To where the sequence can deliver numbers again.
void save_and_restore(benchmark::State& state, std::int64_t buffer) {
  const rivulet_sequence sequence = created("ranmar48", buffer, false);
  std::int64_t size = 0;
  rivulet_save_size(sequence, &size);
  std::vector<char> bytes(static_cast<std::size_t>(size));
  double number = 0;
  rivulet_get_double(sequence, 1, &number);
  for (auto _ : state) {
    rivulet_save(sequence, size, bytes.data());
    rivulet_restore(sequence, size, bytes.data());
    rivulet_get_double(sequence, 1, &number);
    benchmark::DoNotOptimize(number);
  }
  rivulet_destroy(sequence);
}

/// And the next number.
void skip(benchmark::State& state, std::int64_t count) {
  const rivulet_sequence sequence = created("ranmar48", 0, false);
  double number = 0;
  for (auto _ : state) {
    rivulet_skip(sequence, count);
    rivulet_get_double(sequence, 1, &number);
    benchmark::DoNotOptimize(number);
  }
  rivulet_destroy(sequence);
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  using namespace rivulet;
  const auto gets = [](const char* name, std::int64_t batch, std::int64_t buffer, bool asynchronous,
                       const char* generator = "ranmar48", std::int64_t instances = 1) {
    benchmark::RegisterBenchmark(name, get, generator, batch, buffer, asynchronous, instances)
        ->UseRealTime();
  };
  benchmark::RegisterBenchmark("scalar_few", scalar, few)->UseRealTime();
  benchmark::RegisterBenchmark("scalar_many", scalar, many)->UseRealTime();
  gets("unbuffered_few", few, 0, false);
  gets("buffered_few", few, 4000, false);
  gets("buffered_1e5_few", few, 100000, false);
  gets("asynchronous_few", few, 100000, true);
  gets("buffered_few_ranmar24", few, 4000, false, "ranmar24");
  gets("buffered_few_20_instances", few, 40000, false, "ranmar48", 20);
  gets("unbuffered_many", many, 0, false);
  benchmark::RegisterBenchmark("save_and_restore", save_and_restore, 0)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("save_and_restore_buffered", save_and_restore, 4000)
      ->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("skip_1e18", skip, 1000000000000000000)
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(1000);
  const int status = run_benchmarks(argc, argv,
                                    {{"unbuffered_few", "scalar_few"},
                                     {"buffered_few", "scalar_few"},
                                     {"buffered_1e5_few", "scalar_few"},
                                     {"asynchronous_few", "scalar_few"},
                                     {"buffered_few_ranmar24", "scalar_few"},
                                     {"buffered_few_20_instances", "scalar_few"},
                                     {"unbuffered_many", "scalar_many"}});
  const int ended = rivulet_finalize();
  return status != 0 ? status : ended;
}
