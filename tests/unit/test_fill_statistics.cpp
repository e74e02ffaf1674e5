// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Simple statistics of what a fill hands out. Seeds are fixed, so these never fail by chance; a
// p-value outside [1e-4, 1 - 1e-4] would be a fault of generator, seeding or arrangement.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "kernels/numbers/number_source.hpp"
#include "parameters/creator.hpp"
#include "parameters/parameter_file.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"

namespace rivulet {
namespace {

constexpr double least_p = 1e-4;
constexpr std::uint64_t streams = 64;
constexpr std::uint64_t each = 16384;  // 2^20 numbers in all

/// P(X > x) of a standard normal variable.
double normal_tail(double x) { return std::erfc(x / std::sqrt(2.0)) / 2; }

/// P(chi^2 > value) by Wilson & Hilferty (PNAS 17 (1931) 684), good to 1e-3 of itself and better
/// for the many degrees of freedom used here.
double chi_square_tail(double value, double degrees) {
  const double spread = 2 / (9 * degrees);
  return normal_tail((std::cbrt(value / degrees) - (1 - spread)) / std::sqrt(spread));
}

void expect_plausible(double p, const std::string& what) {
  EXPECT_GE(p, least_p) << what;
  EXPECT_LE(p, 1 - least_p) << what;
}

/// Numbers in the interleaved order.
template <class Number>
std::vector<Number> interleaved(const std::string& name, NumberType type) {
  const Generator& generator = built_generator(name);
  const auto plan = generator.plan({streams, 20261121}, io::Communicator::self());
  const Space space;
  NumberRequest request;
  request.type = type;
  request.mapping = generator.mappings.front();
  const auto source = make_number_source(space, *plan, {0, streams}, request);
  const Kokkos::View<Number*, Space> numbers("rivulet::test", streams * each);
  source->restart();
  source->draw({0, streams, 0, each}, {1, streams}, numbers.data());
  space.fence();
  const auto host = Kokkos::create_mirror_view(numbers);
  Kokkos::deep_copy(host, numbers);
  return {host.data(), host.data() + host.extent(0)};
}

/// Chi-square of how often each of `cells` values occurs.
template <class Numbers, class Cell>
double uniformity(const Numbers& numbers, std::size_t cells, Cell&& cell_of) {
  std::vector<std::uint64_t> counts(cells);
  for (const auto number : numbers) ++counts[cell_of(number)];
  const double expected = static_cast<double>(numbers.size()) / static_cast<double>(cells);
  const double sum =
      std::accumulate(counts.begin(), counts.end(), 0.0, [&](double total, std::uint64_t count) {
        const double off = static_cast<double>(count) - expected;
        return total + off * off;
      });
  return chi_square_tail(sum / expected, static_cast<double>(cells - 1));
}

/// Compares numbers `lag` apart with a normal distribution of variance 1 / n.
double serial_correlation(const std::vector<double>& numbers, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i + lag < numbers.size(); ++i) {
    sum += (numbers[i] - 0.5) * (numbers[i + lag] - 0.5);
  }
  return normal_tail(sum * 12 / std::sqrt(static_cast<double>(numbers.size() - lag)));
}

TEST(FillStatistics, BytesAreUniform) {
  for (const std::string& name : ready_names()) {
    const auto words = interleaved<std::uint32_t>(name, NumberType::uint32);
    for (unsigned byte = 0; byte < 4; ++byte) {
      const double p = uniformity(words, 256, [byte](std::uint32_t word) {
        return static_cast<std::size_t>(word >> (8 * byte) & 0xff);
      });
      expect_plausible(p, name + ", byte " + std::to_string(byte));
    }
  }
}

TEST(FillStatistics, HighBitsAreUniform) {
  for (const std::string& name : ready_names()) {
    const auto words = interleaved<std::uint64_t>(name, NumberType::uint64);
    const double p = uniformity(
        words, 4096, [](std::uint64_t word) { return static_cast<std::size_t>(word >> 52); });
    expect_plausible(p, name + ", 12 bits");
  }
}

TEST(FillStatistics, PairsOfNeighboursAreUniform) {
  for (const std::string& name : ready_names()) {
    const auto numbers = interleaved<double>(name, NumberType::float64);
    std::vector<std::size_t> cells;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      cells.push_back(static_cast<std::size_t>(numbers[i] * 64) * 64 +
                      static_cast<std::size_t>(numbers[i + 1] * 64));
    }
    const double p = uniformity(cells, 4096, [](std::size_t cell) { return cell; });
    expect_plausible(p, name + ", pairs");
  }
}

TEST(FillStatistics, NeighboursAreNotCorrelated) {
  // 1: neighbouring streams; 64: neighbours in a stream; 65: both.
  constexpr std::array<std::size_t, 5> lags{1, 2, 63, streams, streams + 1};
  for (const std::string& name : ready_names()) {
    const auto numbers = interleaved<double>(name, NumberType::float64);
    for (const std::size_t lag : lags) {
      expect_plausible(serial_correlation(numbers, lag), name + ", lag " + std::to_string(lag));
    }
  }
}

}  // namespace
}  // namespace rivulet
