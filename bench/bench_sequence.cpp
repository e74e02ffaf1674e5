// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares two ways to draw doubles: a sequence, through rivulet.h as in host codes, and sequential
// RANMAR in double precision, which codes use today. Both draw the same number of doubles per call.
// The last lines are ratios of rates from the same run. Use one core (OMP_NUM_THREADS=1). Machines
// are noisy, so report medians: --benchmark_repetitions=9
// --benchmark_enable_random_interleaving=true. With --only=sweep, the program measures the grid of
// docs/classical.md instead, for scripts/bench.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench_ratios.hpp"
#include "capi/rivulet.h"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "sequences/sequence.hpp"

namespace rivulet {
namespace {

/// Sequential RANMAR in double precision, as codes use it today (James, Comput. Phys. Commun. 60
/// (1990) 329), with 48 bits as in CERN's library and CORSIKA. Its rate is the denominator of all
/// ratios. Its numbers equal those of ranmar48.
class ScalarDouble {
 public:
  ScalarDouble() {
    const auto start = published_start<Ranmar48>({1802, 9373});
    for (std::size_t k = 0; k < words; ++k) {
      u_[words - 1 - k] = static_cast<double>(start.x[k]) * 0x1p-48;
    }
  }

  /// Writes the next `count` numbers, in [0, 1).
  [[gnu::noinline]] void fill(double* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      double uniform = u_[i97_] - u_[j97_];
      if (uniform < 0) uniform += 1;
      u_[i97_] = uniform;
      i97_ = i97_ == 0 ? words - 1 : i97_ - 1;
      j97_ = j97_ == 0 ? words - 1 : j97_ - 1;
      c_ -= Ranmar24::c_step * 0x1p-24;
      if (c_ < 0) c_ += Ranmar24::c_modulus * 0x1p-24;
      uniform -= c_;
      if (uniform < 0) uniform += 1;
      to[i] = uniform;
    }
  }

 private:
  static constexpr std::size_t words = ranmar_words;

  std::array<double, words> u_{};
  double c_ = Ranmar24::c_start * 0x1p-24;
  std::size_t i97_ = words - 1;
  std::size_t j97_ = ranmar_lag - 1;
};

constexpr std::int64_t few = 10;
constexpr std::int64_t many = 10000000;

rivulet_sequence created(const std::string& generator, std::int64_t buffer, bool asynchronous,
                         std::int64_t instances = 1) {
  static int next_id = 0;
  rivulet_options options;
  rivulet_options_default(&options);
  options.generator = generator.c_str();
  options.instances = instances;
  options.buffer_numbers = buffer;
  options.asynchronous = asynchronous ? 1 : 0;
  rivulet_sequence sequence = 0;
  const std::string name = "sequence " + std::to_string(next_id++);
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

/// Measures fetches of the next numbers, with one or more streams per team. The counters are
/// seconds per number in the kernel and in the copy from the device.
void fetch(benchmark::State& state) {
  SequenceOptions options;
  options.generator = "ranmar48";
  options.seeding = Seeding::published;
  options.option_values.at(ij_option) = 1802;
  options.option_values.at(kl_option) = 9373;
  options.instances = static_cast<std::uint64_t>(state.range(1));
  options.order = Order::blocked;
  // The size of a fetch is rounded up to a multiple of the number of instances.
  const std::uint64_t padded = static_cast<std::uint64_t>(state.range(0)) + options.instances - 1;
  const std::uint64_t drawn = padded - padded % options.instances;
  options.block_length = drawn;
  const bool is_buffered = state.range(3) != 0;
  options.buffer_numbers = is_buffered ? drawn : 0;
  options.streams_per_team = static_cast<int>(state.range(2));
  options.profiled = true;
  Sequence sequence(options);
  std::vector<double> numbers(is_buffered ? few : drawn);
  sequence.get(numbers.size(), numbers.data());  // excludes first-call costs
  const SequenceSeconds before = sequence.seconds();
  for (auto _ : state) {
    for (std::uint64_t remaining = drawn; remaining > 0;) {
      const std::uint64_t chunk = std::min<std::uint64_t>(numbers.size(), remaining);
      sequence.get(chunk, numbers.data());
      benchmark::DoNotOptimize(numbers.data());
      benchmark::ClobberMemory();
      remaining -= chunk;
    }
  }
  const auto count = [&](const char* name, double seconds) {
    state.counters[name] = {seconds / static_cast<double>(drawn),
                            benchmark::Counter::kAvgIterations};
  };
  count("kernel", sequence.seconds().kernel - before.kernel);
  count("transfer", sequence.seconds().transfer - before.transfer);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(drawn));
}

int sweep(int argc, char** argv) {
  const auto is_ranmar48 = [](const Generator* one) { return one->name == "ranmar48"; };
  if (std::ranges::none_of(generators(), is_ranmar48)) {
    std::fprintf(stderr, "This build has no ranmar48. Add it to RIVULET_GENERATORS.\n");
    return 1;
  }
  rivulet_initialize();
  benchmark::AddCustomContext("space", Space::name());
  benchmark::RegisterBenchmark("sequential", scalar, few)->UseRealTime();
  for (const std::int64_t numbers : {100000, 1000000, 10000000}) {
    benchmark::RegisterBenchmark("sweep", fetch)
        ->UseRealTime()
        ->ArgNames({"fetch", "instances", "per_team", "buffered"})
        ->ArgsProduct({{numbers},
                       {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 45, 50},
                       {1, 4},
                       {0, 1}});
  }
  return run_benchmarks(argc, argv, {});
}

/// Compares sequences with the scalar generator, for few and many numbers per call.
int compare(int argc, char** argv) {
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
  return run_benchmarks(argc, argv,
                        {{"unbuffered_few", "scalar_few"},
                         {"buffered_few", "scalar_few"},
                         {"buffered_1e5_few", "scalar_few"},
                         {"asynchronous_few", "scalar_few"},
                         {"buffered_few_ranmar24", "scalar_few"},
                         {"buffered_few_20_instances", "scalar_few"},
                         {"unbuffered_many", "scalar_many"}});
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  using namespace rivulet;
  const bool is_sweep = argc > 1 && std::string_view(argv[1]) == "--only=sweep";
  if (is_sweep) argv[1] = argv[0];
  const int status = is_sweep ? sweep(argc - 1, argv + 1) : compare(argc, argv);
  const int ended = rivulet_finalize();
  return status != 0 ? status : ended;
}
