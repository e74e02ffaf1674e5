// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "jobs/correlate/correlate_options.hpp"
#include "jobs/correlate/correlate_report.hpp"
#include "jobs/correlate/correlate_result.hpp"
#include "jobs/merge/merging.hpp"

namespace rivulet {
namespace {

/// Element by element; values has the sums' size.
template <class T>
void add_each(std::vector<T>& sums, const std::vector<T>& values) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

/// Whether numbers of at most 65535, either sign, can have such sums: others would overflow.
bool is_possible(const CorrelationSums& sums) {
  constexpr Int128 largest = 65535;
  const Int128 most =
      static_cast<Int128>(sums.streams) * static_cast<Int128>(sums.numbers) * largest;
  const auto ends_most = static_cast<std::int64_t>(2 * largest * static_cast<Int128>(sums.streams));
  const auto is_end = [&](std::int64_t end) { return -ends_most <= end && end <= ends_most; };
  const auto is_product = [&](Int128 one) {
    return -most * largest <= one && one <= most * largest;
  };
  return -most <= sums.sum && sums.sum <= most && sums.squares >= 0 &&
         sums.squares <= most * largest && std::ranges::all_of(sums.ends, is_end) &&
         std::ranges::all_of(sums.products, is_product);
}

/// Autocorrelations: sums over streams, each of which is in one part as a whole.
class CorrelateMerging final : public Merging {
 public:
  explicit CorrelateMerging(const io::Deck& deck) {
    deck.read_into(options_.schema());
    sums_.numbers = options_.numbers_per_stream();
    sums_.ends.assign(options_.lags, 0);
    sums_.products.assign(options_.lags + 1, 0);
  }

  void add(const ResultsPart& part, const io::ReadFile& file) override {
    const CorrelationSums own = read_correlation_sums(file, options_, part.count);
    if (own.ends.size() != sums_.ends.size() || own.products.size() != sums_.products.size()) {
      part.fail_damaged("its sums are not those of its lags");
    }
    if (digest_of(own) != part.digest) {
      part.fail_damaged("its sums of products do not give its digest");
    }
    // The other sums are no part of the digest, but of each correlation.
    const auto stored = file.dataset<double>(std::string(correlate_group) + "/correlation");
    if (!is_possible(own) || correlation_result(own).correlation != stored) {
      part.fail_damaged("its sums do not give its correlations");
    }
    sums_.streams += own.streams;
    sums_.sum += own.sum;
    sums_.squares += own.squares;
    add_each(sums_.ends, own.ends);
    add_each(sums_.products, own.products);
  }

  std::string digest() const override { return digest_of(sums_); }

  void write(io::ResultsFile& file, const std::vector<ResultsPart>&) const override {
    write_correlation(file, options_, sums_, correlation_result(sums_), true);
  }

  void report(io::Report& report) const override {
    report_correlation(report, options_, sums_, correlation_result(sums_));
  }

 private:
  CorrelateOptions options_;
  CorrelationSums sums_;
};

}  // namespace

std::unique_ptr<Merging> make_correlate_merging(const io::Deck& deck) {
  return std::make_unique<CorrelateMerging>(deck);
}

}  // namespace rivulet
