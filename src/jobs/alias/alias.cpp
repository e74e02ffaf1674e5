// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/progress.hpp"
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
  const std::string& output() const override { return options_.output; }

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
    if (!keeps()) sampler_->place({share(), 0, share().most()});
    if (keeper_) keeper_->restart();
  }

  void draw(RunContext& context) override {
    io::Progress progress(context.communicator, own_samples(), "samples");
    keeps() ? draw_kept(context, progress) : draw_counted(context, progress);
  }

  void draw_counted(RunContext& context, io::Progress& progress) {
    const auto scope = context.timer.scope(Phase::compute);
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t samples = sampler_->segment_samples();
    // Of all segments; streams' last ones are shorter.
    const std::uint64_t at_once = (share().most() + samples - 1) / samples;
    slices_.run(0, samples, round, round * at_once * range().count,
                [&](std::uint64_t from, std::uint64_t upto) {
                  sampler_->sample_segments(from, upto);
                  progress.advance((upto - from) * at_once * streams().count);
                });
  }

  void draw_kept(RunContext& context, io::Progress& progress) {
    for (std::uint64_t begin = 0; begin < share().most();) {
      const std::uint64_t end = std::min(share().most(), begin + keeper_->batch_samples());
      const StreamBatch batch{share(), begin, end};
      {
        const auto scope = context.timer.scope(Phase::compute);
        sampler_->sample(batch, keeper_->cells());
      }
      keeper_->write(file(), alias_group, batch, context.timer);
      progress.advance((end - begin) * streams().count);
      begin = end;
    }
  }

  /// Brings this rank's part of the counts of all ranks to the host; the digest of all counts.
  std::string collect(RunContext& context) override {
    const io::Communicator& ranks = context.communicator;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      counts_ = to_host(sampler_->histogram());
    }
    const auto scope = context.timer.scope(Phase::reduction);
    if (!layout_.spread) {
      ranks.sum(std::span(counts_));
      const auto first = static_cast<std::ptrdiff_t>(layout_.first_cell());
      const auto cells = static_cast<std::ptrdiff_t>(layout_.cells());
      counts_ = {counts_.begin() + first, counts_.begin() + first + cells};
    }
    return digest_in_rank_order(ranks, counts_);
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
  std::vector<std::uint64_t> counts_;  ///< of the layout's part, all ranks together
  AliasResult result_;
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<AliasJob>(); }

}  // namespace rivulet
