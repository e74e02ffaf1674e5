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

/// Positions are numbers of each stream.
class CorrelateJob final : public CountingJob<CorrelateOptions, CorrelationSums> {
  Demand demand() const override {
    return {.streams = options_.streams,
            .numbers = options_.numbers_per_stream() * options_.streams.numbers_per_word(),
            .unit = "lag-products",
            .differs = "found different sums",
            .free_keys = {"correlate.method", "correlate.memory"}};
  }
  void check_options() const override { options_.check(); }
  const StreamOptions& streams() const { return options_.streams; }
  std::uint64_t numbers() const { return options_.numbers_per_stream() * streams().count; }

  void set_up(JobContext&) override { make_room(); }

  /// Allocates the deck's layout or, if memory is short, a smaller one.
  void make_room() {
    const std::uint64_t most = options_.bytes(options_.layout(range().count, options_.memory));
    const std::uint64_t least = options_.least_bytes(range().count);
    with_what_memory_there_is(most, least, [this](std::uint64_t bytes) {
      layout_ = options_.layout(range().count, bytes);
      require_memory_for("the numbers and sums of one rank", options_.bytes(layout_),
                         "Use fewer lags, or fewer ranks on a node.", [this] { allocate(); });
    });
  }

  void allocate() {
    const std::uint64_t lags = options_.lags;
    correlator_.reset();  // frees a larger layout
    window_.reset();
    const NumberRequest words{NumberType::uint32, Interval::closed_open, streams().mapping(), 1,
                              streams().segments};
    window_.emplace(Space(), plan(), range(), words, options_.across, options_.numbers_per_stream(),
                    layout_.window);
    moments_.emplace(lags, options_.bits(), options_.numbers_per_stream());
    correlator_ = options_.correlator(layout_);
  }

  Extent extent() const override {
    const double each = std::max(1.0, options_.cost()) * static_cast<double>(streams().count);
    return {.end = options_.numbers_per_stream(),
            .round = options_.step(),
            .numbers = static_cast<std::uint64_t>(each * static_cast<double>(options_.step())),
            .amount = numbers(),
            .unit = "numbers",
            .work = static_cast<double>(numbers()) * static_cast<double>(options_.lags + 1)};
  }

  /// Does nothing before the only iteration: moments and correlator are new.
  void restart() override {
    forget_counts();
    window_->restart();
    products_.assign(options_.lags + 1, 0);
  }

  void draw(JobContext& context, std::uint64_t, std::uint64_t upto) override {
    ranks().together([&] {
      const auto next = [&] {
        const auto scope = context.timer.scope(Phase::rng);
        return options_.checkpoint.asked() ? window_->next_before(upto) : window_->next();
      };
      while (next()) add_piece(context.timer);
      const auto scope = context.timer.scope(Phase::compute);
      correlator_->take(products_);
    });
  }

  void add_piece(io::PhaseTimer& timer) {
    const auto scope = timer.scope(Phase::compute);
    const CorrelationPiece& piece = window_->piece();
    moments_->add(Space(), piece);
    correlator_->add(piece);
    progress().advance(piece.rows * piece.count * streams().count / range().count);
  }

  CorrelationSums none(StreamRange ids) const override {
    CorrelationSums sums;
    sums.streams = ids.count;
    sums.numbers = options_.numbers_per_stream();
    sums.with_itself = options_.across == Across::none;
    sums.ends.assign(options_.lags, 0);
    sums.products.assign(options_.lags + 1, 0);
    return sums;
  }

  CorrelationSums count(io::PhaseTimer& timer) override {
    const auto scope = timer.scope(Phase::reduction);
    CorrelationSums now = before();
    now.streams = streams().count;
    now.sum += moments_->sum();
    now.squares += moments_->squares();
    add_each(now.ends, moments_->ends());
    add_each(now.products, products_);
    return now;
  }

  std::uint64_t go_on(std::uint64_t at, CorrelationSums&) override {
    ranks().together([&] { window_->resume(at); });
    return at;
  }

  /// Checks all sums: the digest covers the products alone.
  void check_part(const MergeInput& part, const io::ReadFile& file,
                  const CorrelationSums& own) override {
    const auto stored = file.dataset<double>(results_group(part.job) + "/correlation");
    if (!own.are_possible() || correlation_result(own).correlation != stored) {
      part.fail_damaged("its sums do not give its correlations");
    }
  }

  void evaluate(JobContext& context) override {
    context.communicator.together([&] { result_ = correlation_result(counts()); });
  }

  void results(Results& out) override {
    out.group("Correlations of streams");
    out.value("numbers", counts().streams * counts().numbers, "numbers", "all numbers, N",
              {.unit = ""});
    out.value("numbers_per_stream", counts().numbers, "numbers", "numbers of a stream, n",
              {.name = "numbers a stream", .unit = ""});
    out.value("lags", options_.lags, "", "M, as in the deck");
    out.stored("across", name_of(options_.across), "", "as in the deck");
    out.stored("bit", options_.bit, "", "as in the deck");
    if (window_) out.told("sums by", options_.with_fft() ? "fft" : "direct");
    out.value("mean", result_.mean, "1", "of the numbers as (k + 1/2) / 65536");
    out.value("variance", result_.variance, "1", "V, likewise");
    out.value("band", result_.band, "1", "2.5758 / sqrt(N): 99 % of white noise is within +- this");
    out.value("outside", result_.outside, "lags",
              "lags outside, without lag 0 of autocorrelations");
    out.value("expected_outside", result_.expected_outside, "lags", "their number for white noise",
              {.digits = 6});
    out.stored("outside_error", result_.outside_error, "lags", "its standard deviation");
    if (result_.outside_error > 0) {
      const double off = static_cast<double>(result_.outside) - result_.expected_outside;
      out.told("deviation", off / result_.outside_error, "standard errors", 4);
    }
    out.value("largest", result_.largest, "1",
              "largest abs(C_m / V), without lag 0 of autocorrelations");
    out.value("largest_lag", result_.largest_lag, "", "its m");
    std::vector<std::uint64_t> lags(options_.lags + 1);
    std::iota(lags.begin(), lags.end(), std::uint64_t{0});
    out.dataset("lag", lags, "lag", "numbers", "m");
    out.dataset("correlation", result_.correlation, "lag", "1", "C_m / V");
    declare_counts(out);
    if (!window_) return;  // parts are merged
    out.memory("state", window_->state_bytes());
    out.memory("number buffer", options_.bytes(layout_));
  }

  CorrelationLayout layout_;
  std::optional<CorrelationInput> window_;
  std::optional<CorrelationMoments> moments_;
  std::unique_ptr<Correlator> correlator_;
  std::vector<Int128> products_;  ///< of this rank, since the run began
  CorrelationResult result_;
};

}  // namespace

std::unique_ptr<Job> make_correlate_job() { return std::make_unique<CorrelateJob>(); }

}  // namespace rivulet
