// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Measures draws per second of distributions on one core. Usage: library_distributions
// [REPETITIONS]. The libraries are:
// - Rivulet over a stream of Philox4x32, over xoshiro256pp and over std::mt19937_64
// - the standard library over std::mt19937_64
// - the GNU Scientific Library over its mt19937, if CMake finds it
// - Kokkos' Random_XorShift64_Pool

#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

#include "timing.hpp"

#if RIVULET_HAVE_GSL
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#endif

namespace rivulet {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using timing::text;

constexpr int draws = 100000;  ///< draws per turn, few enough that some turns run undisturbed
double checksum = 0;           ///< sum of all draws: keeps compilers from removing them

Stream<Philox4x32> philox(1, 2);
detail::CycleEngine<Xoshiro256pp> xoshiro({.z = {1, 2, 3, 4}, .place = {}});
std::mt19937_64 twister(1);

template <class Engine, class Distribution>
void draw(Engine& engine, Distribution distribution) {
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += static_cast<double>(distribution(engine));
  checksum += sum;
}

enum Library { of_philox, of_xoshiro, of_twister, standard, gsl, pool, libraries };

struct Row {
  std::string name;
  double numbers = 0;  ///< 32-bit numbers per draw; 0: not counted
  std::array<int, libraries> at{-1, -1, -1, -1, -1, -1};  ///< indices of cases; -1: none
};

class Table {
 public:
  template <class Run>
  void add_case(Library library, const Run& run) {
    rows_.back().at[library] = static_cast<int>(cases_.size());
    cases_.push_back({rows_.back().name, run});
  }

  template <class Ours>
  void ours(const std::string& name, const Ours& ours) {
    rows_.push_back({name});
    add_case(of_philox, [=] { draw(philox, ours); });
    add_case(of_xoshiro, [=] { draw(xoshiro, ours); });
    add_case(of_twister, [=] { draw(twister, ours); });
    const std::uint64_t before = philox.position();
    draw(philox, ours);
    rows_.back().numbers = static_cast<double>(philox.position() - before) / draws;
  }
  template <class Standard>
  void add_std(const Standard& distribution) {
    add_case(standard, [=] { draw(twister, distribution); });
  }
  /// `Draw` is a function that draws a number from an engine.
  template <class Draw>
  void add_gsl([[maybe_unused]] const Draw& draw_number) {
#if RIVULET_HAVE_GSL
    static gsl_rng* const engine = gsl_rng_alloc(gsl_rng_mt19937);
    add_case(gsl, [draw_number] { draw(engine, draw_number); });
#endif
  }
  template <class Draw>
  void add_pool(const Draw& draw_number) {
    add_case(pool, [draw_number, states = states_] {
      auto engine = states.get_state();
      draw(engine, draw_number);
      states.free_state(engine);
    });
  }

  void measure(int repetitions) { timing::measure(cases_, repetitions); }
  void print() const {
    std::printf(
        "10^6 draws/s on one core. Ratios: of ours over the same std::mt19937_64 to the standard\n"
        "library's, over Philox4x32 to GSL's, and over xoshiro256pp to Kokkos' pool's.\n"
        "| %-29s | numbers | philox4x32 | xoshiro256pp | mt19937_64 | %-14s | %-14s | %-14s |\n",
        "", "std", "GSL", "Kokkos' pool");
    for (const Row& row : rows_) {
      std::printf("| %-29s | %7s | %10s | %12s | %10s |", row.name.c_str(),
                  text("%.2f", row.numbers).data(), text("%.1f", rate(row, of_philox)).data(),
                  text("%.1f", rate(row, of_xoshiro)).data(),
                  text("%.1f", rate(row, of_twister)).data());
      print_peer(row, standard, of_twister);
      print_peer(row, gsl, of_philox);
      print_peer(row, pool, of_xoshiro);
      std::printf("\n");
    }
  }

 private:
  /// Returns 10^6 draws per second in the fastest turn, which other load disturbs least, or 0 if
  /// the library lacks the distribution.
  double rate(const Row& row, Library library) const {
    if (row.at[library] < 0) return 0;
    const auto& seconds = cases_[static_cast<std::size_t>(row.at[library])].seconds;
    return 1e-6 * draws / std::ranges::min(seconds);
  }
  void print_peer(const Row& row, Library library, Library ours) const {
    const double peer_rate = rate(row, library);
    std::printf(" %5s %8s |", text("%.1f", peer_rate).data(),
                text("%.2f x", peer_rate > 0 ? rate(row, ours) / peer_rate : 0).data());
  }

  Kokkos::Random_XorShift64_Pool<Host> states_{1};
  std::vector<timing::Case> cases_;
  std::vector<Row> rows_;
};

#if RIVULET_HAVE_GSL
using GslEngine = gsl_rng*;
#define RIVULET_GSL(call) [](GslEngine engine) { return static_cast<double>(call); }
#else
#define RIVULET_GSL(call) 0
#endif

/// Sums the components, which forces compilers to compute all three.
struct VectorSum {
  template <class Rng>
  double operator()(Rng& rng) const {
    const auto vector = UnitVector<double>()(rng);
    return vector.x + vector.y + vector.z;
  }
};

void add_reals(Table& table) {
  table.ours("Uniform", Uniform<double>());
  table.add_std(std::uniform_real_distribution<double>());
  table.add_gsl(RIVULET_GSL(gsl_rng_uniform(engine)));
  table.add_pool([](auto& engine) { return engine.drand(); });
  table.ours("Exponential", Exponential<double>());
  table.add_std(std::exponential_distribution<double>());
  table.add_gsl(RIVULET_GSL(gsl_ran_exponential(engine, 1)));
  table.ours("Normal", Normal<double>());
  table.add_std(std::normal_distribution<double>());
  table.add_gsl(RIVULET_GSL(gsl_ran_gaussian_ziggurat(engine, 1)));
  table.add_pool([](auto& engine) { return engine.normal(); });
  table.ours("LogNormal", LogNormal<double>());
  table.add_std(std::lognormal_distribution<double>());
  table.add_gsl(RIVULET_GSL(gsl_ran_lognormal(engine, 0, 1)));
  table.ours("Cauchy", Cauchy<double>());
  table.add_std(std::cauchy_distribution<double>());
  table.add_gsl(RIVULET_GSL(gsl_ran_cauchy(engine, 1)));
  table.ours("Gamma, shape 0.5", Gamma<double>(0.5));
  table.add_std(std::gamma_distribution<double>(0.5));
  table.add_gsl(RIVULET_GSL(gsl_ran_gamma(engine, 0.5, 1)));
  table.ours("Gamma, shape 4", Gamma<double>(4));
  table.add_std(std::gamma_distribution<double>(4));
  table.add_gsl(RIVULET_GSL(gsl_ran_gamma(engine, 4, 1)));
  table.ours("ChiSquare, 3 degrees", ChiSquare<double>(3));
  table.add_std(std::chi_squared_distribution<double>(3));
  table.add_gsl(RIVULET_GSL(gsl_ran_chisq(engine, 3)));
  table.ours("Student, 3 degrees", Student<double>(3));
  table.add_std(std::student_t_distribution<double>(3));
  table.add_gsl(RIVULET_GSL(gsl_ran_tdist(engine, 3)));
  table.ours("Beta, 2 and 3", Beta<double>(2, 3));
  table.add_gsl(RIVULET_GSL(gsl_ran_beta(engine, 2, 3)));
  table.ours("Beta, 0.5 and 0.5", Beta<double>(0.5, 0.5));
  table.add_gsl(RIVULET_GSL(gsl_ran_beta(engine, 0.5, 0.5)));
  table.ours("VonMises, concentration 4", VonMises<double>(0, 4));
  table.ours("TruncatedNormal, from -1 to 2", TruncatedNormal<double>(0, 1, -1, 2));
  table.ours("TruncatedNormal, above 5", TruncatedNormal<double>(0, 1, 5, HUGE_VAL));
  table.add_gsl(RIVULET_GSL(gsl_ran_gaussian_tail(engine, 5, 1)));
  table.ours("UnitVector", VectorSum());
#if RIVULET_HAVE_GSL
  table.add_gsl([](GslEngine engine) {
    double x = 0;
    double y = 0;
    double z = 0;
    gsl_ran_dir_3d(engine, &x, &y, &z);
    return x + y + z;
  });
#endif
}

void add_counts(Table& table) {
  table.ours("Bernoulli, p 0.3", Bernoulli(0.3));
  table.add_std(std::bernoulli_distribution(0.3));
  table.add_gsl(RIVULET_GSL(gsl_ran_bernoulli(engine, 0.3)));
  table.ours("Below 10^6", Below(1000000));
  table.add_std(std::uniform_int_distribution<std::uint32_t>(0, 999999));
  table.add_gsl(RIVULET_GSL(gsl_rng_uniform_int(engine, 1000000)));
  table.add_pool([](auto& engine) { return engine.urand(1000000); });
  table.ours("Geometric, p 0.01", Geometric(0.01));
  table.add_std(std::geometric_distribution<long>(0.01));
  table.add_gsl(RIVULET_GSL(gsl_ran_geometric(engine, 0.01)));
  table.ours("Binomial, n 20, p 0.3", Binomial(20, 0.3));
  table.add_std(std::binomial_distribution<long>(20, 0.3));
  table.add_gsl(RIVULET_GSL(gsl_ran_binomial(engine, 0.3, 20)));
  table.ours("Binomial, n 1000, p 0.3", Binomial(1000, 0.3));
  table.add_std(std::binomial_distribution<long>(1000, 0.3));
  table.add_gsl(RIVULET_GSL(gsl_ran_binomial(engine, 0.3, 1000)));
  table.ours("Poisson, mean 4", Poisson(4));
  table.add_std(std::poisson_distribution<long>(4));
  table.add_gsl(RIVULET_GSL(gsl_ran_poisson(engine, 4)));
  table.ours("Poisson, mean 100", Poisson(100));
  table.add_std(std::poisson_distribution<long>(100));
  table.add_gsl(RIVULET_GSL(gsl_ran_poisson(engine, 100)));
}

/// Adds a discrete distribution of 1000 cells. GSL's table is never freed.
void add_discrete(Table& table, const DiscreteTable<Host>& cells,
                  const std::vector<double>& weights) {
  table.ours("DiscreteTable, 1000 cells", cells.distribution());
  table.add_std(std::discrete_distribution<int>(weights.begin(), weights.end()));
#if RIVULET_HAVE_GSL
  static gsl_ran_discrete_t* const peer = gsl_ran_discrete_preproc(weights.size(), weights.data());
  table.add_gsl(RIVULET_GSL(gsl_ran_discrete(engine, peer)));
#endif
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 101;
  std::vector<double> weights(1000);
  std::iota(weights.begin(), weights.end(), 1.0);
  const rivulet::DiscreteTable<rivulet::Host> cells(rivulet::Host(), weights);
  rivulet::Table table;
  rivulet::add_reals(table);
  rivulet::add_counts(table);
  rivulet::add_discrete(table, cells, weights);
  table.measure(repetitions);
  table.print();
  return rivulet::checksum == 0;
}
