// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "io/progress.hpp"
#include "jobs/alias_layout.hpp"
#include "jobs/alias_options.hpp"
#include "jobs/alias_report.hpp"
#include "jobs/alias_result.hpp"
#include "jobs/alias_samples.hpp"
#include "jobs/alias_weights.hpp"
#include "jobs/job.hpp"
#include "jobs/results.hpp"
#include "kernels/out_of_memory.hpp"
#include "sampling/exact_weights.hpp"
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
    build_table(context);
    // Where ranks share the table, each draws all samples and counts those of its rows.
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto size = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t streams = options_.streams.count;
    block_ = layout_.spread ? StreamBlock{0, streams} : stream_block(streams, rank, size);
    recorded_ = stream_block(options_.all_streams().count, rank, size);
    ranks.together([&] {
      plan_ = options_.all_streams().plan(ranks, numbers_per_stream());
      sampler_ = make_alias_sampler(Space(), options_.streams.engine(), *plan_, block_, *table_,
                                    {options_.streams.mapping});
      if (keeps()) {
        keeper_.emplace(Space(), options_, *plan_, ranks, layout_.spread, *weights_,
                        sampler_->block_samples());
      }
    });
    if (keeper_) keeper_->allocate();
    ranks.together([&] { warm_up(); });
  }

  std::uint64_t numbers_per_stream() const {
    const auto levels = static_cast<std::uint64_t>(table_->levels().count);
    const std::uint64_t words = std::max(2 * levels, 2 * weights_->axes().size());
    return share_.most() * words * options_.streams.numbers_a_word();
  }

  void build_table(RunContext& context) {
    const io::Communicator& ranks = context.communicator;
    const std::vector<std::uint64_t>& extents = weights_->extents();
    const RowBlock rows = layout_.spread ? layout_.part : RowBlock{0, extents[0]};
    Kokkos::View<double*, Space> weights;
    {
      const io::Stopwatch watch;
      weights = weights_->take_rows(rows);
      const double seconds = watch.seconds();
      context.timer.add(Phase::io, seconds);
      context.timer.add(Phase::setup, -seconds);  // within whose time it was
    }
    ranks.barrier();
    const io::Stopwatch watch;
    double largest = 0;
    ranks.together(
        [&] { largest = largest_weight(Space(), weights, rows.first * layout_.row_cells); });
    largest = ranks.max(largest);
    ranks.together([&] { require_weight(largest); });
    const ExactWeights<double> exact(weights, weight_exponent(largest, weights_->cells()));
    if (layout_.spread) {
      const std::vector<Uint128> sums = sums_of_all_rows(ranks, exact, rows.count);
      ranks.together([&] {
        make_table([&] { return make_alias_table(Space(), exact, extents, rows, sums); });
      });
    } else {
      const bool flat = options_.table.layout == TableLayout::flat;
      ranks.together([&] {
        make_table([&] {
          return make_alias_table(Space(), Kokkos::View<const double*, Space>(weights),
                                  flat ? std::vector{weights_->cells()} : extents);
        });
      });
    }
    Space().fence();
    table_seconds_ = ranks.max(watch.seconds());
  }

  template <class Make>
  void make_table(const Make& make) {
    const std::uint64_t cells = layout_.spread ? layout_.cells() : weights_->cells();
    table_ = require_memory_for(
        fmt::format("a table of {} cells", cells), cells * alias_bytes_a_cell,
        "Start more ranks, on more nodes, lower table.memory, or join neighbouring cells.", make);
  }

  std::vector<Uint128> sums_of_all_rows(const io::Communicator& ranks,
                                        const ExactWeights<double>& own, std::uint64_t rows) const {
    std::vector<Uint128> sums;
    ranks.together([&] { sums = row_sums(Space(), own, rows); });
    std::vector<Uint128> all = ranks.gather(std::span<const Uint128>(sums));
    all.resize(weights_->extents()[0]);
    ranks.broadcast(std::as_writable_bytes(std::span(all)));
    return all;
  }

  /// For the sake of what happens only the first time.
  void warm_up() {
    restart();
    sampler_->sample({share_, 0, std::min(share_.most(), sampler_->block_samples())});
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
      const std::uint64_t slice = slice_blocks_ * sampler_->block_samples();
      const std::uint64_t end = std::min(share_.most(), begin + slice);
      const io::Stopwatch watch;
      sampler_->sample({share_, begin, end});
      if (end - begin == slice && watch.seconds() < slice_seconds / 2) slice_blocks_ *= 2;
      progress.advance((end - begin) * options_.streams.count);
      begin = end;
    }
  }

  void draw_kept(RunContext& context, io::Progress& progress) {
    for (std::uint64_t begin = 0; begin < share_.most();) {
      const std::uint64_t end = std::min(share_.most(), begin + keeper_->batch_samples());
      const PiBatch batch{share_, begin, end};
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
    std::vector<double> probabilities;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      probabilities = own_probabilities();
    }
    {
      const auto scope = context.timer.scope(Phase::reduction);
      result_ = alias_result(context.communicator, layout_, *weights_, options_.samples, counts_,
                             probabilities);
    }
    if (file_) write(context, probabilities);
    const RunEnd end{total_.seconds(), figure_of_merit(), "samples/s", digest};
    complete(context, end, file_);
    report(context, end);
  }

  std::vector<double> own_probabilities() const {
    const auto all = cell_probabilities(Space(), *table_);
    const std::uint64_t first = layout_.first_cell() - table_->first_cell();
    const auto own = Kokkos::subview(all, Kokkos::make_pair(first, first + layout_.cells()));
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own);
    return {host.data(), host.data() + host.extent(0)};
  }

  void write(RunContext& context, const std::vector<double>& probabilities) {
    const auto started = io::Stopwatch();
    io::ResultsFile& file = *file_;
    write_config(file, context);
    write_streams(file, options_.all_streams(), *plan_, recorded_);
    write_alias(file, options_, *weights_, layout_, table_->levels().count, result_);
    file.attribute(alias_group, "table_seconds", table_seconds_, "s");
    file.dataset(std::string(alias_group) + "/histogram", counts_, layout_.first_cell(),
                 weights_->cells(), "samples in each cell, the last axis the fastest", "samples");
    file.dataset(std::string(alias_group) + "/table", probabilities, layout_.first_cell(),
                 weights_->cells(), "probability of each cell, as it is drawn");
    context.timer.add(Phase::io, started.seconds());
  }

  void report(RunContext& context, const RunEnd& end) {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.section("Result");
    out.result("samples", options_.samples);
    report_alias(out, *weights_, result_);
    report_streams(out, *plan_);
    out.result("state", ranks.sum(sampler_->state_bytes()), "B");
    out.result("table memory", ranks.sum(table_->bytes()), "B");
    if (keeper_) out.result("sample buffer", ranks.sum(keeper_->bytes()), "B");
    if (layout_.spread) out.result("table spread over ranks", ranks.size());
    out.result("table", table_seconds_, "s", 6);
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
  std::optional<AliasTable> table_;
  double table_seconds_ = 0;
  PointShare share_;
  StreamBlock block_;     ///< that this rank samples with
  StreamBlock recorded_;  ///< that it writes to the file
  std::unique_ptr<StreamPlan> plan_;
  std::unique_ptr<AliasSampler> sampler_;
  std::optional<AliasKeeper> keeper_;
  std::optional<io::ResultsFile> file_;
  std::uint64_t slice_blocks_ = 1;
  std::vector<std::uint64_t> counts_;  ///< of the layout's part, all ranks together
  AliasResult result_;
  double seconds_ = 0;  ///< of sampling, all iterations, set-up excluded
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<AliasJob>(); }

}  // namespace rivulet
