// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/terminal/progress.hpp"
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

std::uint64_t upper(Int128 value) {
  return static_cast<std::uint64_t>(static_cast<Uint128>(value) >> 64);
}
std::uint64_t lower(Int128 value) { return static_cast<std::uint64_t>(value); }

/// Upper and lower words, and back.
std::vector<std::uint64_t> words_of(std::span<const Int128> values) {
  std::vector<std::uint64_t> words;
  for (const Int128 one : values) words.insert(words.end(), {upper(one), lower(one)});
  return words;
}
std::vector<Int128> numbers_in(const std::vector<std::uint64_t>& words) {
  std::vector<Int128> values;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    values.push_back(static_cast<Int128>(static_cast<Uint128>(words[i]) << 64 | words[i + 1]));
  }
  return values;
}

class CorrelateJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  void check_options() const override { options_.check(); }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return options_.numbers_per_stream() * streams().numbers_per_word();
  }
  std::uint64_t numbers() const { return options_.numbers_per_stream() * streams().count; }

  void set_up(RunContext& context) override {
    ranks_ = context.communicator;
    make_room();
  }

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
    at_ = 0;
    before_ = {};
    sums_.streams = streams().count;
    sums_.numbers = options_.numbers_per_stream();
    sums_.with_itself = options_.across == Across::none;
    sums_.products.assign(options_.lags + 1, 0);
  }

  void draw(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    io::Progress progress(ranks, numbers(), "numbers");
    ranks.together([&] {
      while (draw_piece(context.timer)) add_piece(context.timer, progress);
      const auto scope = context.timer.scope(Phase::compute);
      correlator_->take(sums_.products);
    });
  }

  void add_piece(io::PhaseTimer& timer, io::Progress& progress) {
    const auto scope = timer.scope(Phase::compute);
    const CorrelationPiece& piece = window_->piece();
    moments_->add(Space(), piece);
    correlator_->add(piece);
    progress.advance(piece.rows * piece.count * sums_.streams / range().count);
  }

  bool draw_piece(io::PhaseTimer& timer) {
    const auto scope = timer.scope(Phase::rng);
    return window_->next();
  }

  std::string why_whole() const override { return ""; }
  std::uint64_t steps() const override {
    return (options_.numbers_per_stream() - at_ + options_.step() - 1) / options_.step();
  }
  std::uint64_t numbers_per_step() const override {
    const double each = std::max(1.0, options_.cost()) * static_cast<double>(streams().count);
    return static_cast<std::uint64_t>(each * static_cast<double>(options_.step()));
  }

  void draw_steps(RunContext& context, std::uint64_t from, std::uint64_t upto) override {
    const io::Communicator& ranks = context.communicator;
    if (from == 0) {
      begin_ = at_;
      progress_.emplace(ranks, numbers(), "numbers");
    }
    at_ = std::min(options_.numbers_per_stream(), begin_ + upto * options_.step());
    ranks.together([&] { draw_before(context.timer, at_); });
  }
  void draw_before(io::PhaseTimer& timer, std::uint64_t end) {
    const auto next = [&] {
      const auto scope = timer.scope(Phase::rng);
      return window_->next_before(end);
    };
    while (next()) add_piece(timer, *progress_);
    const auto scope = timer.scope(Phase::compute);
    correlator_->take(sums_.products);
  }

  void save(io::ResultsFile& file) override {
    const CorrelationSums all = sums_of_all();
    file.attribute(state_group, "numbers_of_each", at_, "numbers");
    const auto whole = [&](const char* name, const std::vector<std::uint64_t>& values) {
      const std::span own(values.data(), ranks_->is_root() ? values.size() : 0);
      file.dataset(state_group + "/" + name, own, 0, values.size(), "of all streams so far");
    };
    whole("products", words_of(all.products));
    whole("moments", words_of(std::array{all.sum, all.squares}));
    whole("ends", {all.ends.begin(), all.ends.end()});
  }

  void resume(const SavedRun& saved) override {
    at_ = saved.number("numbers_of_each");
    before_.products = numbers_in(saved.all("products"));
    const std::vector<Int128> moments = numbers_in(saved.all("moments"));
    before_.sum = moments.at(0);
    before_.squares = moments.at(1);
    const std::vector<std::uint64_t> ends = saved.all("ends");
    before_.ends.assign(ends.begin(), ends.end());
    ranks_->together([&] { window_->resume(at_); });
  }

  /// Of all ranks, and of the runs before this one.
  CorrelationSums sums_of_all() const {
    CorrelationSums all = sums_;
    sum_over_ranks(*ranks_, all.products);
    std::array<Int128, 2> moments{moments_->sum(), moments_->squares()};
    sum_over_ranks(*ranks_, moments);
    all.sum = moments[0] + before_.sum;
    all.squares = moments[1] + before_.squares;
    const std::vector<std::int64_t> ends = moments_->ends();
    std::vector<std::uint64_t> bits(ends.begin(), ends.end());
    ranks_->sum(std::span(bits));
    all.ends.assign(bits.begin(), bits.end());
    const auto add = [](auto& to, const auto& from) {
      for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
    };
    add(all.products, before_.products);
    add(all.ends, before_.ends);
    return all;
  }

  /// What the sums of all ranks say.
  std::string collect(RunContext& context) override {
    const auto scope = context.timer.scope(Phase::reduction);
    sums_ = sums_of_all();
    context.communicator.together([&] { result_ = correlation_result(sums_); });
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
  std::optional<io::Communicator> ranks_;
  CorrelationSums sums_;
  CorrelationResult result_;
  // Numbers of each stream of a run with checkpoints: where it is, and where it began; and the sums
  // of all ranks before that.
  std::uint64_t at_ = 0;
  std::uint64_t begin_ = 0;
  CorrelationSums before_;
  std::optional<io::Progress> progress_;
};

}  // namespace

std::unique_ptr<Job> make_correlate_job() { return std::make_unique<CorrelateJob>(); }

}  // namespace rivulet
