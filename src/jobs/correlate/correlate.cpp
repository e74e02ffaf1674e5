// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "jobs/common/counting_job.hpp"
#include "jobs/correlate/correlate_options.hpp"
#include "jobs/correlate/correlate_result.hpp"
#include "kernels/correlation/correlation_moments.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

using io::Phase;

struct CorrelateDeck : CorrelateOptions {
  RunRequirements requirements() const {
    return {.streams = streams,
            .numbers = numbers_per_stream() * streams.numbers_per_word(),
            .unit = "lag-products",
            .mismatch_text = "found different sums"};
  }
  std::uint64_t all_numbers() const { return numbers_per_stream() * streams.count; }

  CorrelationSums zero_counts(StreamRange ids) const {
    CorrelationSums sums;
    sums.streams = ids.count;
    sums.numbers = numbers_per_stream();
    sums.is_autocorrelation = across == Across::none;
    sums.ends.assign(lags, 0);
    sums.products.assign(lags + 1, 0);
    return sums;
  }

  /// Adds a part's sums. The digest covers only the products, so this function also checks the
  /// other sums: it throws Error if sums are impossible or inconsistent with the part's
  /// correlations.
  void add(CorrelationSums& all, const CorrelationSums& own, const MergeInput& part,
           const MergeInput&) const {
    const auto stored = part.open().dataset<double>(results_group(part.job) + "/correlation");
    if (!own.are_possible() || correlation_result(own).correlation != stored) {
      part.fail_damaged("its sums do not give its correlations");
    }
    all += own;
  }

  void results(Results& out, const CorrelationSums& sums, const RunMemory* facts) const {
    CorrelationResult result;
    out.ranks().together([&] { result = correlation_result(sums); });
    out.group("Correlations of streams");
    out.value("numbers", sums.streams * sums.numbers, "numbers", "all numbers, N", {.unit = ""});
    out.value("numbers_per_stream", sums.numbers, "numbers", "numbers of a stream, n",
              {.name = "numbers a stream", .unit = ""});
    out.value("lags", lags, "", "M, as in the deck");
    out.stored("across", name_of(across), "", "as in the deck");
    out.stored("bit", bit, "", "as in the deck");
    if (facts != nullptr) out.report_line("sums by", with_fft() ? "fft" : "direct");
    out.value("mean", result.mean, "1", "of the numbers as (k + 1/2) / 65536");
    out.value("variance", result.variance, "1", "V, likewise");
    out.value("band", result.band, "1", "2.5758 / sqrt(N): 99 % of white noise is within +- this");
    out.value("outside", result.outside, "lags", "lags outside, without lag 0 of autocorrelations");
    out.value("expected_outside", result.expected_outside, "lags", "their number for white noise",
              {.digits = 6});
    out.stored("outside_error", result.outside_error, "lags", "its standard deviation");
    if (result.outside_error > 0) {
      const double off = static_cast<double>(result.outside) - result.expected_outside;
      out.report_line("deviation", off / result.outside_error, "standard errors", 4);
    }
    out.value("largest", result.largest, "1",
              "largest abs(C_m / V), without lag 0 of autocorrelations");
    out.value("largest_lag", result.largest_lag, "", "its m");
    std::vector<std::uint64_t> all_lags(lags + 1);
    std::iota(all_lags.begin(), all_lags.end(), std::uint64_t{0});
    out.dataset("lag", all_lags, "lag", "numbers", "m");
    out.dataset("correlation", result.correlation, "lag", "1", "C_m / V");
    declare_counts(out, sums);
    out.work(static_cast<double>(all_numbers()) * static_cast<double>(lags + 1));
    out.memory(facts, "number buffer");
  }
};

/// The work of the correlate job. A position is the count of numbers drawn from each stream.
class CorrelateWork {
 public:
  CorrelateWork(const CorrelateDeck& deck, RunContext& run) : deck_(deck), run_(run) {
    allocate_layout();
  }

  IterationExtent extent() const {
    const auto streams = static_cast<double>(deck_.streams.count);
    const double each = std::max(1.0, deck_.cost()) * streams;
    return {.end = deck_.numbers_per_stream(),
            .round = deck_.step(),
            .numbers = static_cast<std::uint64_t>(each * static_cast<double>(deck_.step())),
            .amount = deck_.all_numbers(),
            .unit = "numbers"};
  }

  /// Does not reset the moments and the correlator: the job has a single iteration, so this
  /// function is called only once.
  void restart() {
    window_->restart();
    products_.assign(deck_.lags + 1, 0);
  }

  void draw(std::uint64_t, std::uint64_t end) {
    run_.ranks.together([&] {
      const auto next = [&] {
        const auto scope = run_.timer.scope(Phase::rng);
        return deck_.checkpoint.enabled() ? window_->next_before(end) : window_->next();
      };
      while (next()) add_piece();
      const auto scope = run_.timer.scope(Phase::compute);
      correlator_->drain(products_);
    });
  }

  CorrelationSums count(io::PhaseTimer& timer) const {
    const auto scope = timer.scope(Phase::reduction);
    CorrelationSums now = deck_.zero_counts({deck_.streams.first, deck_.streams.count});
    now.sum = moments_->sum();
    now.squares = moments_->squares();
    add_each(now.ends, moments_->ends());
    now.products = products_;
    return now;
  }

  std::uint64_t resume(std::uint64_t at, CorrelationSums& before) {
    run_.ranks.together([&] { window_->resume(at); });
    before.streams = 0;  // count() already includes these streams
    return at;
  }

  RunMemory facts() const { return {window_->state_bytes(), deck_.bytes(layout_)}; }

 private:
  /// Allocates the window and the correlator in the deck's layout or, if memory is short, in a
  /// smaller one.
  void allocate_layout() {
    const std::uint64_t streams = run_.range.count;
    const std::uint64_t max_bytes = deck_.bytes(deck_.layout(streams, deck_.memory));
    with_available_memory(max_bytes, deck_.min_bytes(streams), [&](std::uint64_t bytes) {
      layout_ = deck_.layout(streams, bytes);
      require_memory_for("the numbers and sums of one rank", deck_.bytes(layout_),
                         "Lower correlate.lags, or start fewer ranks per node.",
                         [this] { allocate(); });
    });
  }

  void allocate() {
    correlator_.reset();  // frees a larger layout
    window_.reset();
    const NumberRequest words{NumberType::uint32, Interval::closed_open, deck_.streams.mapping(), 1,
                              deck_.streams.segments};
    window_.emplace(Space(), *run_.plan, run_.range, words, deck_.across,
                    deck_.numbers_per_stream(), layout_.window);
    moments_.emplace(deck_.lags, deck_.bits(), deck_.numbers_per_stream());
    correlator_ = deck_.correlator(layout_);
  }

  void add_piece() {
    const auto scope = run_.timer.scope(Phase::compute);
    const CorrelationPiece& piece = window_->piece();
    moments_->add(Space(), piece);
    correlator_->add(piece);
    run_.progress->advance(piece.rows * piece.count * deck_.streams.count / run_.range.count);
  }

  const CorrelateDeck& deck_;
  RunContext& run_;
  CorrelationLayout layout_;
  std::optional<CorrelationInput> window_;
  std::optional<CorrelationMoments> moments_;
  std::unique_ptr<Correlator> correlator_;
  std::vector<Int128> products_;  ///< this rank's products since the run began
};

}  // namespace

std::unique_ptr<Job> make_correlate_job() {
  return std::make_unique<JobOf<CorrelateDeck, CorrelateWork>>();
}

}  // namespace rivulet
