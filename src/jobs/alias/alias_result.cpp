// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_result.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "battery/laws/distributions.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "rivulet/detail/host_parallel.hpp"

namespace rivulet {
namespace {

/// Cochran's rule: the count of a cell with at least this expectation is nearly normally
/// distributed.
constexpr double min_expectation = 5;

/// A cell's data, from which Sums::compute() computes the cell's terms.
struct Cell {
  double probability;  ///< requested probability
  bool is_drawn;       ///< true if the table can draw the cell
  double count;
  const double* x;  ///< coordinates, one per axis
};

/// Sums over the cells of all ranks.
class Sums {
 public:
  Sums(const io::Communicator& ranks, const AliasGrid& shape, const AliasDrawn& drawn)
      : ranks_(ranks), shape_(shape), drawn_(drawn) {}

  /// Returns `width` sums over all cells. add(cell, sums) must add a cell's `width` terms to
  /// `sums`.
  template <class Add>
  std::vector<double> compute(std::size_t width, const Add& add) const {
    const std::uint64_t cells = drawn_.requested.size();
    const std::uint64_t bundles = ceil_divide(cells, bundle_cells);
    std::vector<double> sums(bundles * width, 0.0);
    const auto sum_bundle = [&](std::size_t b) {
      // Each bundle's sums have separate memory, to avoid false sharing.
      std::vector<double> bundle_sums(width, 0.0);
      add_bundle(b * bundle_cells, std::min((b + 1) * bundle_cells, cells), add, bundle_sums);
      std::copy(bundle_sums.begin(), bundle_sums.end(),
                sums.begin() + static_cast<std::ptrdiff_t>(b * width));
    };
    if (Kokkos::is_initialized()) {
      for_each_on_host("rivulet::alias_sums", bundles, sum_bundle);
    } else {  // a merge runs without Kokkos
      for (std::size_t b = 0; b < bundles; ++b) sum_bundle(b);
    }
    const std::vector<double> all = ranks_.gather(std::span<const double>(sums));
    std::vector<double> total(width, 0.0);
    for (std::size_t i = 0; i < all.size(); ++i) total[i % width] += all[i];
    ranks_.broadcast(std::as_writable_bytes(std::span(total)));
    return total;
  }

  /// Returns the probability and the count of the likeliest cell. If several cells are equally
  /// likely, returns those of the first one.
  Cell likeliest() const {
    const std::span<const double> requested = drawn_.requested;
    const auto best = std::max_element(requested.begin(), requested.end());
    const double own = best == requested.end() ? 0 : *best;
    const double probability = ranks_.max(own);
    const auto at = static_cast<std::uint64_t>(best - requested.begin());
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    const bool here = best != requested.end() && own == probability;
    const std::uint64_t cell = here ? drawn_.first_cell + at : none;
    const bool mine = ranks_.min(cell) == cell && here;
    const std::uint64_t count = ranks_.sum(mine ? drawn_.counts[at] : std::uint64_t{0});
    return {probability, true, static_cast<double>(count), nullptr};
  }

 private:
  template <class Add>
  void add_bundle(std::uint64_t begin, std::uint64_t end, const Add& add,
                  std::vector<double>& sums) const {
    const std::vector<AliasAxis>& axes = shape_.axes;
    const std::size_t last = axes.size() - 1;
    std::vector<std::uint64_t> index(axes.size());
    std::vector<double> x(axes.size());
    std::uint64_t remaining_index = drawn_.first_cell + begin;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      index[axis] = remaining_index % shape_.extents[axis];
      remaining_index /= shape_.extents[axis];
      x[axis] = axes[axis].point(index[axis]);
    }
    for (std::uint64_t cell = begin; cell < end; ++cell) {
      add(Cell{drawn_.requested[cell], drawn_.drawn[cell] != 0,
               static_cast<double>(drawn_.counts[cell]), x.data()},
          sums.data());
      for (std::size_t axis = last;; --axis) {
        if (++index[axis] == shape_.extents[axis]) index[axis] = 0;
        x[axis] = axes[axis].point(index[axis]);
        if (index[axis] != 0 || axis == 0) break;
      }
    }
  }

  const io::Communicator& ranks_;
  const AliasGrid& shape_;
  const AliasDrawn& drawn_;
};

void chi_square_test(const Sums& sums, double samples, AliasResult& result) {
  enum { chi, groups, pooled, pooled_count, pooled_expected, zero, zero_count, terms };
  const auto total = sums.compute(terms, [=](const Cell& cell, double* sum) {
    const double expected = samples * cell.probability;
    if (!cell.is_drawn) {
      sum[zero] += 1;
      sum[zero_count] += cell.count;
    }
    if (cell.probability == 0) return;
    if (expected < min_expectation) {
      sum[pooled] += 1;
      sum[pooled_count] += cell.count;
      sum[pooled_expected] += expected;
    } else {
      sum[groups] += 1;
      sum[chi] += (cell.count - expected) * (cell.count - expected) / expected;
    }
  });
  result.zero_cells = static_cast<std::uint64_t>(total[zero]);
  result.zero_cell_samples = static_cast<std::uint64_t>(total[zero_count]);
  result.pooled_cells = static_cast<std::uint64_t>(total[pooled]);
  result.chi_square = total[chi];
  double all_groups = total[groups];
  const auto add = [&](double count, double expected, double sign) {
    result.chi_square += sign * (count - expected) * (count - expected) / expected;
    all_groups += sign;
  };
  const Cell likeliest = sums.likeliest();
  const double expected = samples * likeliest.probability;
  if (total[pooled_expected] >= min_expectation) {
    add(total[pooled_count], total[pooled_expected], 1);
  } else if (total[pooled] > 0 && expected >= min_expectation) {  // pool joins likeliest cell
    add(likeliest.count, expected, -1);
    add(likeliest.count + total[pooled_count], expected + total[pooled_expected], 1);
  }
  result.degrees_of_freedom = std::max(all_groups - 1, 0.0);
  if (result.degrees_of_freedom == 0) result.chi_square = 0;
  result.p_value = detail::chi_square_p(result.chi_square, result.degrees_of_freedom);
}

double quotient(double numerator, double square) {
  return square > 0 ? numerator / std::sqrt(square) : 0;
}

std::vector<double> means_of_table(const Sums& sums, std::size_t axes) {
  return sums.compute(axes, [=](const Cell& cell, double* sum) {
    for (std::size_t a = 0; a < axes; ++a) sum[a] += cell.probability * cell.x[a];
  });
}

/// The moments of the table and of the samples, all about the table's means.
class Moments {
 public:
  Moments(const Sums& sums, std::size_t axes, double samples)
      : axes_(axes), samples_(samples), means_(means_of_table(sums, axes)) {
    moments_ = sums.compute(2 * pairs() + axes, [this](const Cell& cell, double* sum) {
      for (std::size_t a = 0; a < axes_; ++a) {
        const double from_a = cell.x[a] - means_[a];
        sum[2 * pairs() + a] += cell.count * from_a;
        for (std::size_t b = a; b < axes_; ++b) {
          const double product = from_a * (cell.x[b] - means_[b]);
          sum[at(a, b)] += cell.probability * product;
          sum[pairs() + at(a, b)] += cell.count * product;
        }
      }
    });
    for (std::size_t a = 0; a < axes_; ++a) spread_.push_back(std::sqrt(table_moment(a, a)));
  }

  double mean(std::size_t axis) const { return means_[axis]; }
  /// Returns the sum of the samples' deviations from the table's mean.
  double first(std::size_t axis) const { return moments_[2 * pairs() + axis]; }
  double table_moment(std::size_t a, std::size_t b) const { return moments_[at(a, b)]; }
  /// Returns the covariance of the samples about the samples' means.
  double sample_covariance(std::size_t a, std::size_t b) const {
    const double of_means = first(a) * first(b) / samples_;
    return (moments_[pairs() + at(a, b)] - of_means) / std::max(samples_ - 1, 1.0);
  }
  double spread(std::size_t axis) const { return spread_[axis]; }

  std::size_t pairs() const { return axes_ * axes_; }
  /// Returns the index of a pair of axes, in either order.
  std::size_t at(std::size_t a, std::size_t b) const {
    return std::min(a, b) * axes_ + std::max(a, b);
  }

 private:
  std::size_t axes_;
  double samples_;
  std::vector<double> means_;
  /// The table's second moments, then the samples' second moments, then the samples' first moments.
  std::vector<double> moments_;
  std::vector<double> spread_;
};

/// For each pair of axes, returns the variance of a sample's contribution to the covariance, and
/// the variance of its first-order contribution to the correlation. The samples have the requested
/// probabilities. In the result, the covariances of all pairs precede the correlations.
std::vector<double> mean_squares(const Sums& sums, std::size_t axes, const Moments& moments) {
  return sums.compute(2 * moments.pairs(), [&moments, axes](const Cell& cell, double* sum) {
    for (std::size_t a = 0; a < axes; ++a) {
      for (std::size_t b = a; b < axes; ++b) {
        const double from_a = cell.x[a] - moments.mean(a);
        const double from_b = cell.x[b] - moments.mean(b);
        const double deviation = from_a * from_b - moments.table_moment(a, b);
        sum[moments.at(a, b)] += cell.probability * deviation * deviation;
        if (moments.spread(a) == 0 || moments.spread(b) == 0) continue;
        const double scaled_a = from_a / moments.spread(a);
        const double scaled_b = from_b / moments.spread(b);
        const double correlation =
            moments.table_moment(a, b) / (moments.spread(a) * moments.spread(b));
        const double term =
            scaled_a * scaled_b - correlation * (scaled_a * scaled_a + scaled_b * scaled_b) / 2;
        sum[moments.pairs() + moments.at(a, b)] += cell.probability * term * term;
      }
    }
  });
}

AliasMoment correlation_of(const Moments& moments, std::size_t a, std::size_t b, double error) {
  return {
      quotient(moments.sample_covariance(a, b),
               moments.sample_covariance(a, a) * moments.sample_covariance(b, b)),
      quotient(moments.table_moment(a, b), moments.table_moment(a, a) * moments.table_moment(b, b)),
      a == b ? 0 : error};
}

/// Compares the samples' moments with the table's. A moment of the samples is the average of one
/// term per sample, and its standard error is the standard error of this average.
void compare_moments(const Sums& sums, std::size_t axes, double samples, AliasResult& result) {
  const Moments moments(sums, axes, samples);
  const std::vector<double> squares = mean_squares(sums, axes, moments);
  for (std::size_t a = 0; a < axes; ++a) {
    const double mean = moments.mean(a);
    result.means.push_back(
        {mean + moments.first(a) / samples, mean, moments.spread(a) / std::sqrt(samples)});
    for (std::size_t b = 0; b < axes; ++b) {
      const std::size_t at = moments.at(a, b);
      result.covariances.push_back({moments.sample_covariance(a, b), moments.table_moment(a, b),
                                    std::sqrt(squares[at] / samples)});
      result.correlations.push_back(
          correlation_of(moments, a, b, std::sqrt(squares[moments.pairs() + at] / samples)));
    }
  }
}

}  // namespace

double AliasResult::largest_deviation() const {
  double largest = 0;
  for (const auto& all : {std::cref(means), std::cref(covariances)}) {
    for (const AliasMoment& one : all.get()) largest = std::max(largest, std::abs(one.deviation()));
  }
  return largest;
}

AliasResult alias_result(const io::Communicator& ranks, const AliasGrid& shape,
                         const AliasDrawn& drawn) {
  const Sums sums(ranks, shape, drawn);
  const auto samples = static_cast<double>(drawn.samples);
  AliasResult result;
  chi_square_test(sums, samples, result);
  compare_moments(sums, shape.axes.size(), samples, result);
  return result;
}

}  // namespace rivulet
