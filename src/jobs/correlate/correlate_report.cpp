// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/correlate/correlate_report.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "io/results/sha256.hpp"

namespace rivulet {
namespace {

const std::string where = correlate_group;

// Files have no integers of 128 bits: 2^64 upper + lower.

std::int64_t upper(Int128 value) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<Uint128>(value) >> 64));
}
std::uint64_t lower(Int128 value) { return static_cast<std::uint64_t>(value); }
Int128 joined(std::int64_t upper, std::uint64_t lower) {
  const auto bits = static_cast<Uint128>(static_cast<std::uint64_t>(upper)) << 64 | lower;
  return static_cast<Int128>(bits);
}

void write_sum(io::ResultsFile& file, const std::string& name, Int128 value) {
  file.attribute(where, name + "_upper", upper(value));
  file.attribute(where, name + "_lower", lower(value));
}

Int128 read_sum(const io::ReadFile& file, const std::string& name) {
  return joined(file.attribute<std::int64_t>(where, name + "_upper"),
                file.attribute<std::uint64_t>(where, name + "_lower"));
}

std::uint64_t numbers_of(const CorrelationSums& sums) { return sums.streams * sums.numbers; }

void write_by_lag(io::ResultsFile& file, const CorrelationSums& sums,
                  const CorrelationResult& result, bool root) {
  std::vector<std::uint64_t> lag(sums.products.size());
  std::iota(lag.begin(), lag.end(), std::uint64_t{0});
  std::vector<std::int64_t> products_upper;
  std::vector<std::uint64_t> products_lower;
  for (const Int128 one : sums.products) {
    products_upper.push_back(upper(one));
    products_lower.push_back(lower(one));
  }
  const auto whole = [&](const char* name, const auto& values, const char* description,
                         const char* unit) {
    file.dataset(where + "/" + name, std::span(values.data(), root ? values.size() : 0), 0,
                 values.size(), description, unit);
  };
  whole("lag", lag, "m", "numbers");
  whole("correlation", result.correlation, "C_m / C_0", "1");
  whole("product_upper", products_upper, "sum of products, divided by 2^64, rounded down", "");
  whole("product_lower", products_lower, "sum of products, modulo 2^64", "");
  whole("ends", sums.ends, "sum of the j-th numbers from both ends of all streams, j = 0, 1, ...",
        "");
}

}  // namespace

std::string digest_of(const CorrelationSums& sums) {
  std::vector<std::uint64_t> rows;
  rows.reserve(3 * sums.products.size());
  for (std::uint64_t m = 0; m < sums.products.size(); ++m) {
    rows.insert(rows.end(),
                {m, static_cast<std::uint64_t>(upper(sums.products[m])), lower(sums.products[m])});
  }
  io::Sha256 sha;
  sha.update(std::as_bytes(std::span(rows)));
  return sha.hex();
}

void write_correlation(io::ResultsFile& file, const CorrelateOptions& options,
                       const CorrelationSums& sums, const CorrelationResult& result, bool root) {
  file.group(where, "Correlations of streams");
  file.attribute(where, "lags", options.lags);
  file.attribute(where, "numbers", numbers_of(sums), "numbers");
  file.attribute(where, "numbers_per_stream", sums.numbers, "numbers");
  file.attribute(where, "across", name_of(options.across));
  file.attribute(where, "bit", options.bit);
  file.attribute(where, "mean", result.mean, "1");
  file.attribute(where, "variance", result.variance, "1");
  file.attribute(where, "band", result.band, "1");
  file.attribute(where, "outside", result.outside, "lags");
  file.attribute(where, "expected_outside", result.expected_outside, "lags");
  file.attribute(where, "outside_error", result.outside_error, "lags");
  file.attribute(where, "largest", result.largest, "1");
  file.attribute(where, "largest_lag", result.largest_lag);
  write_sum(file, "sum", sums.sum);
  write_sum(file, "squares", sums.squares);
  write_by_lag(file, sums, result, root);
}

CorrelationSums read_correlation_sums(const io::ReadFile& file, const CorrelateOptions& options,
                                      std::uint64_t streams) {
  CorrelationSums sums;
  sums.streams = streams;
  sums.numbers = options.numbers_per_stream();
  sums.with_itself = options.across == Across::none;
  sums.sum = read_sum(file, "sum");
  sums.squares = read_sum(file, "squares");
  sums.ends = file.dataset<std::int64_t>(where + "/ends");
  const auto upper = file.dataset<std::int64_t>(where + "/product_upper");
  const auto lower = file.dataset<std::uint64_t>(where + "/product_lower");
  sums.products.resize(std::min(upper.size(), lower.size()));
  for (std::size_t m = 0; m < sums.products.size(); ++m) {
    sums.products[m] = joined(upper[m], lower[m]);
  }
  return sums;
}

void report_correlation(io::Report& report, const CorrelateOptions& options,
                        const CorrelationSums& sums, const CorrelationResult& result,
                        const std::string& method) {
  report.result("numbers", numbers_of(sums));
  report.result("numbers a stream", sums.numbers);
  report.result("lags", options.lags);
  if (!method.empty()) report.result("sums by", method);
  report.result("mean", result.mean);
  report.result("variance", result.variance);
  report.result("band", result.band);
  report.result("outside", result.outside, "lags");
  report.result("expected outside", result.expected_outside, "lags", 6);
  if (result.outside_error > 0) {
    const double deviation =
        (static_cast<double>(result.outside) - result.expected_outside) / result.outside_error;
    report.result("deviation", deviation, "standard errors", 4);
  }
  report.result("largest", result.largest);
  report.result("largest lag", result.largest_lag);
}

}  // namespace rivulet
