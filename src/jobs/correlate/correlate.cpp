// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/progress.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/correlate/correlate_options.hpp"
#include "jobs/correlate/correlate_report.hpp"
#include "jobs/correlate/correlate_result.hpp"
#include "kernels/correlation/correlation_moments.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// Sums over the ranks, element by element, in two's complement and so right for either sign.
void sum_over_ranks(const io::Communicator& ranks, std::span<Int128> values) {
  constexpr std::size_t limbs = 4;  // of 32 bits, so that sums do not carry into the next
  std::vector<std::uint64_t> parts(limbs * values.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto bits = static_cast<Uint128>(values[i / limbs]);
    parts[i] = static_cast<std::uint32_t>(bits >> (32 * (i % limbs)));
  }
  ranks.sum(std::span(parts));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Uint128 bits = 0;
    for (std::size_t limb = 0; limb < limbs; ++limb) {
      bits += static_cast<Uint128>(parts[limbs * i + limb]) << (32 * limb);
    }
    values[i] = static_cast<Int128>(bits);
  }
}

class CorrelateJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  void check_options() const override { options_.check(); }
  std::string why_whole() const override {
    return "sums of products are not kept apart by how far they are";
  }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return options_.numbers_per_stream() * streams().numbers_per_word();
  }
  std::uint64_t numbers() const { return options_.numbers_per_stream() * streams().count; }

  void set_up(RunContext&) override { make_room(); }

  /// As the deck says or, where there is no memory for it, less.
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
    correlator_.reset();  // what a larger layout left
    window_.reset();
    const NumberRequest words{NumberType::uint32, Interval::closed_open, streams().mapping(), 1,
                              streams().segments};
    window_.emplace(Space(), plan(), range(), words, options_.across, options_.numbers_per_stream(),
                    layout_.window);
    moments_.emplace(lags, options_.bits(), options_.numbers_per_stream());
    correlator_ = options_.correlator(layout_);
  }

  /// Before the only iteration, so that moments and correlator are as they were made.
  void restart() override {
    window_->restart();
    sums_.streams = streams().count;
    sums_.numbers = options_.numbers_per_stream();
    sums_.with_itself = options_.across == Across::none;
    sums_.products.assign(options_.lags + 1, 0);
  }

  void draw(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    io::Progress progress(ranks, numbers(), "numbers");
    ranks.together([&] {
      while (draw_piece(context.timer)) {
        const auto scope = context.timer.scope(Phase::compute);
        const CorrelationPiece& piece = window_->piece();
        moments_->add(Space(), piece);
        correlator_->add(piece);
        progress.advance(piece.rows * piece.count * sums_.streams / range().count);
      }
      const auto scope = context.timer.scope(Phase::compute);
      correlator_->take(sums_.products);
    });
  }

  bool draw_piece(io::PhaseTimer& timer) {
    const auto scope = timer.scope(Phase::rng);
    return window_->next();
  }

  /// The sums of all ranks, and what they say.
  std::string collect(RunContext& context) override {
    const auto scope = context.timer.scope(Phase::reduction);
    const io::Communicator& ranks = context.communicator;
    sum_over_ranks(ranks, sums_.products);
    std::array<Int128, 2> moments{moments_->sum(), moments_->squares()};
    sum_over_ranks(ranks, moments);
    sums_.sum = moments[0];
    sums_.squares = moments[1];
    const std::vector<std::int64_t> ends = moments_->ends();
    std::vector<std::uint64_t> bits(ends.begin(), ends.end());
    ranks.sum(std::span(bits));
    sums_.ends.assign(bits.begin(), bits.end());
    ranks.together([&] { result_ = correlation_result(sums_); });
    return digest_of(sums_);
  }

  void write_results(io::ResultsFile& file) override {
    const bool root = range().first == streams().first;  // all ranks have all of it
    write_correlation(file, options_, sums_, result_, root);
  }

  void report_results(RunContext& context) override {
    report_correlation(context.report, options_, sums_, result_,
                       options_.with_fft() ? "fft" : "direct");
  }

  void report_memory(RunContext& context) override {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(window_->state_bytes()), "B");
    out.result("number buffer", ranks.sum(options_.bytes(layout_)), "B");
  }

  Work work() const override {
    return {static_cast<double>(numbers()) * static_cast<double>(options_.lags + 1), "lag-products",
            "found different sums"};
  }

  CorrelateOptions options_;
  io::Schema schema_ = options_.schema();
  CorrelationLayout layout_;
  std::optional<CorrelationWindow> window_;
  std::optional<CorrelationMoments> moments_;
  std::unique_ptr<Correlator> correlator_;
  CorrelationSums sums_;
  CorrelationResult result_;
};

}  // namespace

std::unique_ptr<Job> make_correlate_job() { return std::make_unique<CorrelateJob>(); }

}  // namespace rivulet
