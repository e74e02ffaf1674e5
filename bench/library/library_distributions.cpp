// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Draws a second of distributions on one core: Rivulet's over a stream of Philox4x32, over
// std::mt19937_64, and the standard library's over the same, where it has them. Usage:
// library_distributions [REPETITIONS]. Also numbers of Sobol's points of eight dimensions.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <rivulet/permutation.hpp>
#include <rivulet/rivulet.hpp>
#include <rivulet/sobol.hpp>
#include <string>
#include <vector>

#include "timing.hpp"

namespace rivulet {
namespace {

constexpr int draws = 100000;  ///< a turn, short enough to be undisturbed
double kept = 0;               ///< what was drawn, so that it is

template <class Engine, class Distribution>
void draw(Engine& engine, Distribution distribution) {
  double sum = 0;
  for (int i = 0; i < draws; ++i) sum += static_cast<double>(distribution(engine));
  kept += sum;
}

Stream<Philox4x32> philox(1, 2);
std::mt19937_64 twister(1);

template <class Ours>
void add_ours(std::vector<timing::Case>& cases, const std::string& name, const Ours& ours) {
  cases.push_back({name, [=] { draw(philox, ours); }});
  cases.push_back({"", [=] { draw(twister, ours); }});
}
template <class Ours, class Standard>
void add(std::vector<timing::Case>& cases, const std::string& name, const Ours& ours,
         const Standard& standard) {
  add_ours(cases, name, ours);
  cases.push_back({"std", [=] { draw(twister, standard); }});
}

/// A draw is an element.
void add_shuffle(std::vector<timing::Case>& cases) {
  static std::vector<int> numbers(draws);
  std::iota(numbers.begin(), numbers.end(), 0);
  cases.push_back(
      {"shuffle, 10^5 numbers", [] { shuffle(philox, numbers.data(), numbers.size()); }});
  cases.push_back({"", [] { shuffle(twister, numbers.data(), numbers.size()); }});
  cases.push_back({"std", [] { std::shuffle(numbers.begin(), numbers.end(), twister); }});
}

void add_permutation(std::vector<timing::Case>& cases, std::uint64_t n) {
  cases.push_back({"Permutation of " + std::to_string(n), [n] {
                     const Permutation permutation(1, 2, n);
                     std::uint64_t sum = 0;
                     for (std::uint64_t i = 0; i < draws; ++i) sum += permutation(i % n);
                     kept += static_cast<double>(sum);
                   }});
}

template <class Real>
void add_sobol(std::vector<timing::Case>& cases, const std::string& name) {
  cases.push_back({name, [sobol = Sobol<Kokkos::HostSpace>(8)] {
                     Real sum = 0;
                     for (std::uint64_t i = 0; i < draws; ++i)
                       sum += sobol.uniform<Real>(i / 8, i % 8);
                     kept += static_cast<double>(sum);
                   }});
}

std::vector<timing::Case> all_cases() {
  std::vector<timing::Case> cases;
  add_sobol<float>(cases, "Sobol, scrambled float");
  add_sobol<double>(cases, "Sobol, scrambled double");
  add(cases, "Uniform", Uniform<double>(), std::uniform_real_distribution<double>());
  add(cases, "Normal", Normal<double>(), std::normal_distribution<double>());
  add(cases, "LogNormal", LogNormal<double>(), std::lognormal_distribution<double>());
  add(cases, "Cauchy", Cauchy<double>(), std::cauchy_distribution<double>());
  add(cases, "Gamma, shape 0.5", Gamma<double>(0.5), std::gamma_distribution<double>(0.5));
  add(cases, "Gamma, shape 4", Gamma<double>(4), std::gamma_distribution<double>(4));
  add(cases, "ChiSquare, 3 degrees", ChiSquare<double>(3),
      std::chi_squared_distribution<double>(3));
  add(cases, "Student, 3 degrees", Student<double>(3), std::student_t_distribution<double>(3));
  add(cases, "Geometric, p 0.01", Geometric(0.01), std::geometric_distribution<long>(0.01));
  add(cases, "Binomial, n 20, p 0.3", Binomial(20, 0.3), std::binomial_distribution<long>(20, 0.3));
  add(cases, "Binomial, n 1000, p 0.3", Binomial(1000, 0.3),
      std::binomial_distribution<long>(1000, 0.3));
  add(cases, "Poisson, mean 4", Poisson(4), std::poisson_distribution<long>(4));
  add(cases, "Poisson, mean 100", Poisson(100), std::poisson_distribution<long>(100));
  add_ours(cases, "Beta, 2 and 3", Beta<double>(2, 3));
  add_ours(cases, "Beta, 0.5 and 0.5", Beta<double>(0.5, 0.5));
  add_ours(cases, "VonMises, concentration 4", VonMises<double>(0, 4));
  add_ours(cases, "TruncatedNormal, from -1 to 2", TruncatedNormal<double>(0, 1, -1, 2));
  add_ours(cases, "TruncatedNormal, above 5", TruncatedNormal<double>(0, 1, 5, HUGE_VAL));
  add_shuffle(cases);
  for (const std::uint64_t n : {6ULL, 1000000ULL, 1ULL << 40}) add_permutation(cases, n);
  return cases;
}

/// Of the fastest turn, as few others are free of what else the machine does.
double rate(const timing::Case& one) { return 1e-6 * draws / std::ranges::min(one.seconds); }

void print(const std::vector<timing::Case>& cases) {
  std::printf(
      "10^6 draws/s on one core\n| %-29s | philox4x32 | mt19937_64 | standard library's |\n", "");
  std::size_t i = 0;
  while (i < cases.size()) {
    std::printf("| %-29s | %10.1f |", cases[i].name.c_str(), rate(cases[i]));
    const std::size_t twister_at = i + 1;
    ++i;
    if (i < cases.size() && cases[i].name.empty()) {
      std::printf(" %10.1f |", rate(cases[i++]));
    } else {
      std::printf(" %10s |", "");
    }
    if (i < cases.size() && cases[i].name == "std") {
      std::printf(" %6.1f: ours %4.2f x |\n", rate(cases[i]),
                  rate(cases[twister_at]) / rate(cases[i]));
      ++i;
    } else {
      std::printf(" %18s |\n", "");
    }
  }
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 101;
  auto cases = rivulet::all_cases();
  timing::measure(cases, repetitions);
  rivulet::print(cases);
  return rivulet::kept == 0;
}
