// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "io/progress.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_report.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_samples.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "version.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// Seconds that one launch should take, so that progress is seen on runs of hours.
constexpr double slice_seconds = 0.5;

std::vector<std::uint64_t> to_host(const CountView& counts) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return {host.data(), host.data() + host.extent(0)};
}

class AliasJob final : public Job {
 public:
  const io::Schema& schema() override { return schema_; }
  const std::string& output() const override { return options_.output; }

  void check(const io::Communicator& communicator) override {
    options_.streams.require_streams_for(communicator);
    options_.check();
    share_ = {options_.samples, options_.streams.count};
  }

  void run(RunContext& context) override {
    set_up(context);
    open_output(context);
    std::string digest;
    for (std::uint64_t i = 0; i < options_.iterations; ++i) {
      iterate(context);
      const std::string one = collect(context);
      if (i == 0) digest = one;
      require_same(context.communicator, one, digest, "drew other samples");
    }
    finish(context, digest);
  }

 private:
  bool keeps() const { return options_.keep != KeepSamples::none; }

  void set_up(RunContext& context) {
    const io::Communicator& ranks = context.communicator;
    {
      const auto scope = context.timer.scope(Phase::io);
      weights_.emplace(options_.table, ranks);
    }
    const auto scope = context.timer.scope(Phase::setup);
    ranks.together([&] { layout_ = alias_layout(options_, weights_->extents(), ranks); });
    table_.emplace(options_, *weights_, layout_, ranks, context.timer);
    // Where ranks share the table, each draws all samples and counts those of its rows.
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto size = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t streams = options_.streams.count;
    range_ = layout_.spread ? StreamRange{0, streams} : stream_range(streams, rank, size);
    recorded_ = stream_range(options_.all_streams().count, rank, size);
    ranks.together([&] {
      plan_ = options_.all_streams().plan(ranks, numbers_per_stream());
      sampler_ = table_->sampler(*plan_, range_);
      if (keeps()) {
        keeper_.emplace(Space(), options_, *plan_, ranks, layout_.spread, *weights_,
                        sampler_->round_samples());
      }
    });
    if (keeper_) keeper_->allocate();
    ranks.together([&] { warm_up(); });
  }

  std::uint64_t numbers_per_stream() const {
    const std::uint64_t words =
        std::max<std::uint64_t>(table_->words_per_sample(), 2 * weights_->axes().size());
    return share_.most() * words * options_.streams.numbers_per_word();
  }

  /// For the sake of what happens only the first time.
  void warm_up() {
    restart();
    sampler_->sample({share_, 0, std::min(share_.most(), sampler_->round_samples())});
  }

  void restart() {
    sampler_->restart();
    if (keeper_) keeper_->restart();
    Space().fence();
  }

  /// Before the work, so that a path that cannot be written, or has no room, costs no time.
  void open_output(RunContext& context) {
    if (context.output.empty()) return;
    const auto scope = context.timer.scope(Phase::io);
    file_.emplace(context.communicator, context.output, "results", version);
    file_->group(alias_group, "Samples of a table of weights");
    if (keeps()) keeper_->create(*file_, alias_group);
  }

  void iterate(RunContext& context) {
    {
      const auto scope = context.timer.scope(Phase::setup);
      restart();
    }
    context.communicator.barrier();
    const io::Stopwatch watch;
    io::Progress progress(context.communicator, options_.samples, "samples");
    keeps() ? draw_kept(context, progress) : draw(context, progress);
    seconds_ += context.communicator.max(watch.seconds());
  }

  /// In launches of about slice_seconds.
  void draw(RunContext& context, io::Progress& progress) {
    const auto scope = context.timer.scope(Phase::compute);
    for (std::uint64_t begin = 0; begin < share_.most();) {
      const std::uint64_t slice = slice_rounds_ * sampler_->round_samples();
      const std::uint64_t end = std::min(share_.most(), begin + slice);
      const io::Stopwatch watch;
      sampler_->sample({share_, begin, end});
      if (end - begin == slice && watch.seconds() < slice_seconds / 2) slice_rounds_ *= 2;
      progress.advance((end - begin) * options_.streams.count);
      begin = end;
    }
  }

  void draw_kept(RunContext& context, io::Progress& progress) {
    for (std::uint64_t begin = 0; begin < share_.most();) {
      const std::uint64_t end = std::min(share_.most(), begin + keeper_->batch_samples());
      const StreamBatch batch{share_, begin, end};
      {
        const auto scope = context.timer.scope(Phase::compute);
        sampler_->sample(batch, keeper_->cells());
      }
      keeper_->write(*file_, alias_group, batch, context.timer);
      progress.advance((end - begin) * options_.streams.count);
      begin = end;
    }
  }

  /// Brings this rank's part of the counts of all ranks to the host; the digest of all counts.
  std::string collect(RunContext& context) {
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

  void finish(RunContext& context, const std::string& digest) {
    {
      const auto scope = context.timer.scope(Phase::reduction);
      result_ = alias_result(context.communicator, layout_, *weights_,
                             {options_.samples, counts_, table_->asked(), table_->drawn()});
    }
    if (file_) write(context);
    const RunEnd end{total_.seconds(), figure_of_merit(), "samples/s", digest};
    complete(context, end, file_);
    report(context, end);
  }

  void write(RunContext& context) {
    const auto started = io::Stopwatch();
    io::ResultsFile& file = *file_;
    write_config(file, context);
    write_streams(file, options_.all_streams(), *plan_, recorded_);
    write_alias(file, options_, *weights_, layout_, result_);
    write_table(file, *table_);
    file.dataset(std::string(alias_group) + "/histogram", counts_, layout_.first_cell(),
                 weights_->cells(), "samples in each cell, the last axis the fastest", "samples");
    file.dataset(std::string(alias_group) + "/asked", table_->asked(), layout_.first_cell(),
                 weights_->cells(), "probability of each cell, as the weights ask for it");
    file.dataset(std::string(alias_group) + "/table", table_->drawn(), layout_.first_cell(),
                 weights_->cells(), "probability of each cell, as it is drawn");
    context.timer.add(Phase::io, started.seconds());
  }

  void report(RunContext& context, const RunEnd& end) {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.section("Result");
    out.result("samples", options_.samples);
    report_alias(out, *weights_, *table_, result_);
    report_streams(out, *plan_);
    out.result("state", ranks.sum(sampler_->state_bytes()), "B");
    out.result("table memory", ranks.sum(table_->bytes()), "B");
    if (keeper_) out.result("sample buffer", ranks.sum(keeper_->bytes()), "B");
    if (layout_.spread) out.result("table spread over ranks", ranks.size());
    out.result("table", table_->seconds(), "s", 6);
    end_report(context, end);
  }

  double figure_of_merit() const {
    return static_cast<double>(options_.samples) * static_cast<double>(options_.iterations) /
           seconds_;
  }

  AliasOptions options_;
  io::Schema schema_ = options_.schema();
  std::optional<AliasWeights> weights_;
  AliasLayout layout_;
  std::optional<AliasDeckTable> table_;
  StreamShare share_;
  StreamRange range_;     ///< that this rank samples with
  StreamRange recorded_;  ///< that it writes to the file
  std::unique_ptr<StreamPlan> plan_;
  std::unique_ptr<AliasSampler> sampler_;
  std::optional<AliasKeeper> keeper_;
  std::optional<io::ResultsFile> file_;
  std::uint64_t slice_rounds_ = 1;
  std::vector<std::uint64_t> counts_;  ///< of the layout's part, all ranks together
  AliasResult result_;
  double seconds_ = 0;  ///< of sampling, all iterations, set-up excluded
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<AliasJob>(); }

}  // namespace rivulet
