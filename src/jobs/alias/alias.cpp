// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_report.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_samples.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/slices.hpp"
#include "jobs/common/stream_amount.hpp"

namespace rivulet {
namespace {

using io::Phase;

std::vector<std::uint64_t> to_host(const CountView& counts) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return {host.data(), host.data() + host.extent(0)};
}

class AliasJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  StreamOptions planned_streams() const override { return options_.all_streams(); }
  std::uint64_t iterations() const override { return options_.iterations; }
  void check_options() const override { options_.check(); }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    if (!table_) return std::nullopt;
    const std::uint64_t words =
        std::max<std::uint64_t>(table_->words_per_sample(), 2 * weights_->axes().size());
    return share().most() * words * streams().numbers_per_word();
  }
  StreamShare share() const { return {options_.samples, streams().family()}; }
  /// Of all ranks: all of alias.samples, where the run's streams are the whole family.
  std::uint64_t own_samples() const {
    return amount_of(share(), {streams().first, streams().count});
  }
  bool keeps() const { return options_.keep != KeepSamples::none; }

  void read_input(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    {
      const auto scope = context.timer.scope(Phase::io);
      weights_.emplace(options_.table, ranks);
    }
    const auto scope = context.timer.scope(Phase::setup);
    ranks.together([&] { layout_ = alias_layout(options_, weights_->extents(), ranks); });
    table_.emplace(options_, *weights_, layout_, ranks, context.timer);
  }

  void set_up(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    ranks_ = ranks;
    // Where ranks share the table, each draws all samples and counts those of its rows.
    const StreamRange all{streams().first, streams().count};
    sampler_ = table_->sampler(plan(), layout_.spread ? all : streams().range_on(ranks));
    if (keeps()) {
      keeper_.emplace(Space(), options_, plan(), ranks, layout_.spread, *weights_,
                      sampler_->round_samples());
    }
  }

  /// Here and not in set_up(), as ranks agree on how much memory the kept samples take.
  void warm_up(RunContext&) override {
    if (keeper_) keeper_->allocate();
    restart();
    sampler_->sample({share(), 0, std::min(share().most(), sampler_->round_samples())});
  }

  void create_datasets(io::ResultsFile& file) override {
    file.group(alias_group, "Samples of a table of weights");
    if (keeps()) keeper_->create(file, alias_group);
  }

  void restart() override {
    sampler_->restart();
    at_ = 0;
    before_.clear();
    if (!keeps() && !options_.checkpoint.asked()) {
      sampler_->place({share(), 0, share().most()});
    }
    if (keeper_) keeper_->restart();
  }

  void draw(RunContext& context) override {
    io::Progress progress(context.communicator, own_samples(), "samples");
    keeps() ? draw_kept(context, share().most(), progress)
            : draw_counted(context, share().most(), progress);
  }

  /// So many samples of each stream, which were placed.
  void draw_counted(RunContext& context, std::uint64_t each, io::Progress& progress) {
    const auto scope = context.timer.scope(Phase::compute);
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t samples = sampler_->segment_samples();
    // Of all segments; streams' last ones are shorter.
    const std::uint64_t at_once = (each + samples - 1) / samples;
    slices_.run(0, samples, round, round * at_once * range().count,
                [&](std::uint64_t from, std::uint64_t upto) {
                  sampler_->sample_segments(from, upto);
                  progress.advance((upto - from) * at_once * streams().count);
                });
  }

  /// Samples of each stream from at_ on.
  void draw_kept(RunContext& context, std::uint64_t upto, io::Progress& progress) {
    while (at_ < upto) {
      const std::uint64_t begin = at_;
      const std::uint64_t end = std::min(upto, begin + keeper_->batch_samples());
      const StreamBatch batch{share(), begin, end};
      {
        const auto scope = context.timer.scope(Phase::compute);
        sampler_->sample(batch, keeper_->cells());
      }
      keeper_->write(file(), alias_group, batch, context.timer);
      progress.advance((end - begin) * streams().count);
      at_ = end;
    }
  }

  /// Brings this rank's part of the counts of all ranks to the host; the digest of all counts.
  std::string collect(RunContext& context) override {
    counts_ = counts_so_far(context.communicator, &context.timer);
    return digest_in_rank_order(context.communicator, counts_);
  }

  std::vector<std::uint64_t> counts_so_far(const io::Communicator& ranks,
                                           io::PhaseTimer* timer) const {
    std::optional<io::PhaseTimer::Scope> scope;
    if (timer != nullptr) scope.emplace(*timer, Phase::transfer);
    std::vector<std::uint64_t> counts = to_host(sampler_->histogram());
    scope.reset();
    if (timer != nullptr) scope.emplace(*timer, Phase::reduction);
    if (!layout_.spread) {
      ranks.sum(std::span(counts));
      const auto first = static_cast<std::ptrdiff_t>(layout_.first_cell());
      const auto cells = static_cast<std::ptrdiff_t>(layout_.cells());
      counts = {counts.begin() + first, counts.begin() + first + cells};
    }
    for (std::size_t i = 0; i < before_.size(); ++i) counts[i] += before_[i];
    return counts;
  }

  std::string why_whole() const override { return ""; }
  bool writes_as_it_draws() const override { return keeps(); }
  std::uint64_t steps() const override {
    const std::uint64_t round = sampler_->round_samples();
    return (share().most() - at_ + round - 1) / round;
  }
  std::uint64_t numbers_per_step() const override {
    return sampler_->round_samples() * streams().count;
  }

  void draw_steps(RunContext& context, std::uint64_t from, std::uint64_t upto) override {
    if (from == 0) {
      begin_ = at_;
      progress_.emplace(context.communicator, own_samples(), "samples");
    }
    const std::uint64_t end = std::min(share().most(), begin_ + upto * sampler_->round_samples());
    if (keeps()) return draw_kept(context, end, *progress_);
    sampler_->place({share(), at_, end});
    draw_counted(context, end - at_, *progress_);
    at_ = end;
  }

  void save(io::ResultsFile& file) override {
    file.attribute(state_group, "samples_of_each", at_, "samples");
    file.dataset(state_group + "/histogram", counts_so_far(*ranks_, nullptr), layout_.first_cell(),
                 weights_->cells(), "samples in each cell so far", "samples");
  }

  void resume(const SavedRun& saved) override {
    const std::uint64_t at = saved.number("samples_of_each");
    std::vector<std::uint64_t> counts =
        saved.rows("histogram", {layout_.first_cell(), layout_.cells()}, weights_->cells());
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t whole = at / round * round;
    if (ranks_->max(std::uint64_t{whole < at ? 1U : 0U}) == 1) {
      // Another mapping's rounds: the rest of one is counted again.
      ranks_->together([&] {
        sampler_->resume(whole);
        sampler_->sample({share(), whole, at});
      });
      const std::vector<std::uint64_t> again = counts_so_far(*ranks_, nullptr);
      std::ranges::transform(counts, again, counts.begin(), std::minus<>());
    }
    ranks_->together([&] {
      sampler_->restart();
      sampler_->resume(whole);
      if (keeper_) keeper_->resume(whole);
    });
    before_ = std::move(counts);
    at_ = whole;
  }

  void evaluate(RunContext& context) override {
    const auto scope = context.timer.scope(Phase::reduction);
    result_ = alias_result(context.communicator, layout_, weights_->shape(),
                           {own_samples(), counts_, table_->asked(), table_->drawn()});
  }

  void write_results(io::ResultsFile& file) override {
    file.attribute(alias_group, "samples", own_samples(), "samples");
    write_alias(file, options_, weights_->shape(), layout_, result_);
    write_table(file, *table_);
    write_cells(file, {layout_.first_cell(), weights_->cells()}, counts_, table_->asked(),
                table_->drawn());
  }

  void report_results(RunContext& context) override {
    io::Report& out = context.report;
    out.result("samples", own_samples());
    report_table(out, *weights_, *table_);
    report_alias(out, weights_->shape(), result_);
  }

  void report_memory(RunContext& context) override {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(sampler_->state_bytes()), "B");
    out.result("table memory", ranks.sum(table_->bytes()), "B");
    if (keeper_) out.result("sample buffer", ranks.sum(keeper_->bytes()), "B");
    if (layout_.spread) out.result("table spread over ranks", ranks.size());
    out.result("table", table_->seconds(), "s", 6);
  }

  Work work() const override {
    return {static_cast<double>(own_samples()), "samples", "drew different samples"};
  }

  AliasOptions options_;
  io::Schema schema_ = options_.schema();
  std::optional<AliasWeights> weights_;
  AliasLayout layout_;
  std::optional<AliasDeckTable> table_;
  std::unique_ptr<AliasSampler> sampler_;
  std::optional<AliasKeeper> keeper_;
  Slices slices_;
  std::optional<io::Communicator> ranks_;
  std::uint64_t at_ = 0;               ///< samples of each stream so far
  std::uint64_t begin_ = 0;            ///< where this run began
  std::vector<std::uint64_t> before_;  ///< counts of the layout's part before it
  std::optional<io::Progress> progress_;
  std::vector<std::uint64_t> counts_;  ///< of the layout's part, all ranks together
  AliasResult result_;
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<AliasJob>(); }

}  // namespace rivulet
