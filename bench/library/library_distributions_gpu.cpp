// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures draws per second of distributions on a GPU. Usage: library_distributions_gpu
// [REPETITIONS]. The libraries are:
// - Rivulet over streams of Philox4x32, Philox4x32x7 and xoshiro256pp
// - cuRAND over Philox4x32-10 and XORWOW
// - Kokkos' Random_XorShift64_Pool
//
// Kernels construct Philox engines, and load and store other engines. Each thread draws a thousand
// or more numbers, sums them in the draws' own type, and writes the sum. The exit status is 1 if a
// mean is wrong.

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

#include "timing.hpp"
#if RIVULET_HAVE_CURAND
#include "curand_engines.hpp"
#define RIVULET_DEVICE __device__
#else
#define RIVULET_DEVICE KOKKOS_FUNCTION
#endif

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Threads = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint64_t>>;
using Pool = Kokkos::Random_XorShift64_Pool<Exec>;
using PoolEngine = Pool::generator_type;
using timing::text;

constexpr std::uint64_t seed = 1;
constexpr int draws_per_iteration = 4;  ///< draws per loop iteration: one block of Philox

/// Streams that each thread constructs.
template <class Generator>
struct MadeInKernel {
  KOKKOS_FUNCTION Stream<Generator> open(std::uint64_t thread) const { return {seed, thread}; }
  KOKKOS_FUNCTION void close(std::uint64_t, const Stream<Generator>&) const {}
};
struct OfPool {
  Pool pool;
  KOKKOS_FUNCTION PoolEngine open(std::uint64_t) const { return pool.get_state(); }
  KOKKOS_FUNCTION void close(std::uint64_t, const PoolEngine& engine) const {
    pool.free_state(engine);
  }
};

/// Number of values per draw: 1, or 2 or 4 for a vector.
template <class Drawn>
inline constexpr int width = 1;
template <class Drawn>
requires requires(Drawn drawn) { drawn.x; }
inline constexpr int width<Drawn> = sizeof(Drawn) / sizeof(Drawn::x);

/// Sums the draws of each thread. `Draw` draws a number, or a vector of two or four, from an
/// engine. `unroll` is the unroll factor of the inner loop.
template <class Sum, int unroll, class Engines, class Draw>
struct Kernel {
  Engines engines;
  Draw draw;
  int draws;
  Kokkos::View<Sum*, Exec> sums;

  RIVULET_DEVICE void operator()(std::uint64_t thread) const {
    auto engine = engines.open(thread);
    Sum sum = 0;
    for (int i = 0; i < draws; i += draws_per_iteration) {
#pragma unroll(unroll)
      for (int k = 0; k < draws_per_iteration; k += width<decltype(draw(engine))>)
        add(sum, draw(engine));
    }
    engines.close(thread, engine);
    sums(thread) = sum;
  }

 private:
  template <class Drawn>
  RIVULET_DEVICE static void add(Sum& sum, const Drawn& drawn) {
    if constexpr (width<Drawn> == 1) {
      sum += static_cast<Sum>(drawn);
    } else {
      sum += drawn.x;
      sum += drawn.y;
      if constexpr (width<Drawn> == 4) {
        sum += drawn.z;
        sum += drawn.w;
      }
    }
  }
};

/// Constructs the distribution in the kernel, so that its parameters are compile-time constants.
template <class Distribution>
struct Default {
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(Rng& rng) const {
    return Distribution()(rng);
  }
};

enum Column { philox, philox_7, xoshiro, curand_one, curand_several, xorwow, pool, columns };

struct Row {
  std::string name;
  double mean;         ///< expected mean of a draw; NAN: not checked
  int draws;           ///< per thread
  double numbers = 0;  ///< 32-bit numbers per draw; 0: not counted
  std::array<int, columns> at{-1, -1, -1, -1, -1, -1, -1};  ///< indices of cases; -1: none
};

struct Table {
  /// The number of threads is a multiple of the concurrency, so all multiprocessors have the same
  /// load.
  std::uint64_t threads = 4 * static_cast<std::uint64_t>(Exec().concurrency());
  Streams<Xoshiro256pp> xoshiros{{.count = threads, .seed = seed}};
  Pool states{seed};
#if RIVULET_HAVE_CURAND
  CurandXorwows xorwows{threads, seed};
#endif
  std::vector<Row> rows = {};
  std::vector<timing::Case> cases = {};
  bool is_right = true;

  template <class Sum, int unroll, class Engines, class Draw>
  void add(Column column, const Engines& engines, const Draw& draw) {
    Row& row = rows.back();
    const Kokkos::View<Sum*, Exec> sums("sums", threads);
    const auto run = [label = row.name, policy = Threads(0, threads),
                      kernel = Kernel<Sum, unroll, Engines, Draw>{engines, draw, row.draws, sums}] {
      Kokkos::parallel_for(label, policy, kernel);
    };
    run();
    check(row, column, sums);
    row.at[column] = static_cast<int>(cases.size());
    cases.push_back({row.name, run});
  }

  template <class Sum>
  void check(const Row& row, Column column, const Kokkos::View<Sum*, Exec>& sums) {
    double all = 0;
    Kokkos::parallel_reduce(
        "sum", Threads(0, threads),
        KOKKOS_LAMBDA(std::uint64_t i, double& sum) { sum += static_cast<double>(sums(i)); }, all);
    const double mean = all / row.draws / static_cast<double>(threads);
    const bool is_free = std::isnan(row.mean);
    if (is_free || std::abs(mean - row.mean) < 0.02 * std::max(1.0, row.mean)) return;
    std::fprintf(stderr, "%s, column %d: the mean is %g, not %g\n", row.name.c_str(), column, mean,
                 row.mean);
    is_right = false;
  }

  /// Returns 10^9 draws per second, or 0 if the column lacks the distribution.
  double rate(const Row& row, Column column) const {
    if (row.at[column] < 0) return 0;
    const double draws = static_cast<double>(threads) * row.draws;
    return 1e-9 * draws / cases[static_cast<std::size_t>(row.at[column])].median();
  }
  void print() const {
    std::printf(
        "10^9 draws/s on a GPU. Ratios: of ours over Philox4x32 to the faster of cuRAND's, a call\n"
        "a number and a call for two or four; over xoshiro256pp to XORWOW's and the pool's.\n"
        "| %-26s | numbers | philox4x32 | philox4x32_7 | xoshiro256pp | %-14s | %-15s | %-15s | "
        "%-15s |\n"
        "|---|---|---|---|---|---|---|---|---|\n",
        "", "cuRAND, Philox", "by 2 or 4", "cuRAND, XORWOW", "Kokkos' pool");
    for (const Row& row : rows) {
      std::printf("| %-26s | %7s | %10s | %12s | %12s | %14s | %6s", row.name.c_str(),
                  text("%.2f", row.numbers).data(), text("%.1f", rate(row, philox)).data(),
                  text("%.1f", rate(row, philox_7)).data(), text("%.1f", rate(row, xoshiro)).data(),
                  text("%.1f", rate(row, curand_one)).data(),
                  text("%.1f", rate(row, curand_several)).data());
      print_ratio(rate(row, philox), std::max(rate(row, curand_one), rate(row, curand_several)));
      for (const Column peer : {xorwow, pool}) {
        std::printf(" %6s", text("%.1f", rate(row, peer)).data());
        print_ratio(rate(row, xoshiro), rate(row, peer));
      }
      std::printf("\n");
    }
  }
  static void print_ratio(double ours, double theirs) {
    std::printf(" %8s |", text("%.2f x", theirs > 0 ? ours / theirs : 0).data());
  }
};

/// Adds rows, and then the last row's cases, column by column. `Sum` is the type of the sum of
/// draws.
template <class Sum, int unroll = draws_per_iteration>
struct RowCases {
  Table& table;

  template <class Distribution>
  void ours(const std::string& name, double mean, const Distribution& distribution,
            int draws_per_thread = 4096) const {
    table.rows.push_back({name, mean, draws_per_thread});
    table.add<Sum, unroll>(philox, MadeInKernel<Philox4x32>(), distribution);
    table.add<Sum, unroll>(philox_7, MadeInKernel<Philox4x32x7>(), distribution);
    table.add<Sum, unroll>(xoshiro, table.xoshiros, distribution);
    if constexpr (!std::is_same_v<Distribution, Discrete>) {  // Discrete reads device memory
      Stream<Philox4x32> rng(1, 2);
      constexpr int draws = 100000;
      for (int i = 0; i < draws; ++i) distribution(rng);
      table.rows.back().numbers = static_cast<double>(rng.position()) / draws;
    }
  }
  template <class Draw>
  void pool_of(const Draw& draw) const {
    table.add<Sum, unroll>(pool, OfPool{table.states}, draw);
  }
#if RIVULET_HAVE_CURAND
  template <class Draw>
  void curand(Column column, const Draw& draw) const {
    table.add<Sum, unroll>(column, CurandPhiloxes{seed}, draw);
  }
  template <class Draw>
  void curand_xorwow(const Draw& draw) const {
    table.add<Sum, unroll>(xorwow, table.xorwows, draw);
  }
#endif
};

#if RIVULET_HAVE_CURAND
#define RIVULET_ONE(call) \
  rows.curand(curand_one, [=] __device__(CurandPhilox& state) { return call; })
#define RIVULET_SEVERAL(call) \
  rows.curand(curand_several, [=] __device__(CurandPhilox& state) { return call; })
#define RIVULET_XORWOW(call) \
  rows.curand_xorwow([=] __device__(CurandXorwow& state) { return call; })
#else
#define RIVULET_ONE(call) static_cast<void>(0)
#define RIVULET_SEVERAL(call) static_cast<void>(0)
#define RIVULET_XORWOW(call) static_cast<void>(0)
#endif
#define RIVULET_POOL(call) rows.pool_of(KOKKOS_LAMBDA(PoolEngine& engine) { return call; })

struct Word {
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Rng& rng) const {
    return detail::draw_number<std::uint32_t>(rng);
  }
};

void add_integers(Table& table) {
  const RowCases<std::uint32_t> rows{table};
  rows.ours("32-bit words", NAN, Word());
  RIVULET_ONE(curand(&state));
  RIVULET_SEVERAL(curand4(&state));
  RIVULET_XORWOW(curand(&state));
  RIVULET_POOL(engine.urand());
  rows.ours("Below 10^6", 499999.5, Below(1000000));
  RIVULET_POOL(engine.urand(1000000));
}

void add_floats(Table& table) {
  const RowCases<float> rows{table};
  rows.ours("Uniform, float", 0.5, Default<Uniform<float>>());
  RIVULET_ONE(curand_uniform(&state));
  RIVULET_SEVERAL(curand_uniform4(&state));
  RIVULET_XORWOW(curand_uniform(&state));
  RIVULET_POOL(engine.frand());
  rows.ours("Exponential, float", 1, Default<Exponential<float>>());
  RIVULET_ONE(minus_log(curand_uniform(&state)));
  RIVULET_SEVERAL(minus_log(curand_uniform4(&state)));
  RIVULET_XORWOW(minus_log(curand_uniform(&state)));
  rows.ours("Normal, float", 0, Default<Normal<float>>());
  RIVULET_ONE(curand_normal(&state));
  RIVULET_SEVERAL(curand_normal4(&state));
  RIVULET_XORWOW(curand_normal2(&state));
  rows.ours("LogNormal, float", std::exp(0.5), Default<LogNormal<float>>());
  RIVULET_ONE(curand_log_normal(&state, 0, 1));
  RIVULET_SEVERAL(curand_log_normal4(&state, 0, 1));
  RIVULET_XORWOW(curand_log_normal2(&state, 0, 1));
}

/// Adds distributions with at least 53 random bits. This excludes curand_uniform_double() over
/// Philox, which has only 32 random bits.
void add_doubles(Table& table) {
  const RowCases<double> rows{table};
  rows.ours("Uniform, double", 0.5, Default<Uniform<double>>());
  RIVULET_SEVERAL(curand_uniform2_double(&state));
  RIVULET_XORWOW(curand_uniform_double(&state));
  RIVULET_POOL(engine.drand());
  rows.ours("Exponential, double", 1, Default<Exponential<double>>());
  RIVULET_SEVERAL(minus_log(curand_uniform2_double(&state)));
  RIVULET_XORWOW(minus_log(curand_uniform_double(&state)));
  RIVULET_POOL(-::log(engine.drand()));
  rows.ours("Normal, double", 0, Default<Normal<double>>());
  RIVULET_ONE(curand_normal_double(&state));
  RIVULET_SEVERAL(curand_normal2_double(&state));
  RIVULET_XORWOW(curand_normal2_double(&state));
  RIVULET_POOL(engine.normal());
  rows.ours("LogNormal, double", std::exp(0.5), Default<LogNormal<double>>());
  RIVULET_ONE(curand_log_normal_double(&state, 0, 1));
  RIVULET_SEVERAL(curand_log_normal2_double(&state, 0, 1));
  RIVULET_XORWOW(curand_log_normal2_double(&state, 0, 1));
}

/// Adds Poisson distributions. The loop is not unrolled, because the code of rejection sampling is
/// long.
void add_poisson(Table& table, int mean) {
  const RowCases<std::uint32_t, 1> rows{table};
  rows.ours("Poisson, mean " + std::to_string(mean), mean, Poisson(mean), 1024);
  RIVULET_ONE(curand_poisson(&state, mean));
  RIVULET_SEVERAL(curand_poisson4(&state, mean));
  RIVULET_XORWOW(curand_poisson(&state, mean));
}

/// Adds a table of the Poisson probabilities above 10^-5. For these, thresholds of 32 bits suffice,
/// as in cuRAND. The caller keeps the result until all cases have run.
DiscreteTable<Exec> add_poisson_table(Table& table, double mean) {
  std::vector<double> weights;
  for (int k = 0; k < 2 * mean; ++k) {
    const double p = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    weights.push_back(p > 1e-5 ? p : 0);
  }
  DiscreteTable<Exec> cells(Exec(), weights);
  const RowCases<std::uint32_t> rows{table};
  rows.ours("table of Poisson, mean 100", mean, cells.distribution());
#if RIVULET_HAVE_CURAND
  const curandDiscreteDistribution_t theirs = curand_poisson_table(mean);
#endif
  RIVULET_ONE(curand_discrete(&state, theirs));
  RIVULET_SEVERAL(curand_discrete4(&state, theirs));
  RIVULET_XORWOW(curand_discrete(&state, theirs));
  return cells;
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  rivulet::Table table;
  rivulet::add_integers(table);
  rivulet::add_floats(table);
  rivulet::add_doubles(table);
  for (const int mean : {1, 4, 20, 100, 1000, 10000}) rivulet::add_poisson(table, mean);
  const auto cells = rivulet::add_poisson_table(table, 100);
  timing::measure(table.cases, argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
  table.print();
  return table.is_right ? 0 : 1;
}
