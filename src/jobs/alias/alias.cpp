// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "draw/launches.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_report.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_samples.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "jobs/common/counting_job.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// The counts of the alias job: for each cell in this rank's part of the table, the number of
/// samples that all ranks drew.
struct AliasCounts : CountedRows<AliasCounts> {
  static constexpr const char* message_name = "counts";
  static constexpr const char* name = "histogram";
  static constexpr const char* text = "samples in each cell; the last axis varies fastest";
  static constexpr const char* unit = "samples";
  static constexpr const char* axes = "cell";

  MergedTable merged = {};  ///< the table of merged parts
};

/// Data that a run has but a merge lacks.
struct AliasFacts : RunMemory {
  const AliasWeights& weights;
  const AliasDeckTable& table;
};

struct AliasDeck : AliasOptions {
  StreamShare share() const { return {samples, streams.family()}; }
  /// Returns the number of samples in this run. If the run has only a part of the family's streams,
  /// it draws only their share of alias.samples.
  std::uint64_t own_samples() const { return streams.share_of(samples); }
  bool stores_samples() const { return keep != KeepSamples::none; }

  RunRequirements requirements() const {
    return {.streams = streams,
            .planned = all_streams(),
            .iterations = iterations,
            .unit = "samples",
            .mismatch_text = "drew different samples",
            .writes_as_it_draws = stores_samples()};
  }

  /// Returns counts without rows. CountsOfFile sets their size, because a deck does not state the
  /// number of cells in a file of weights.
  AliasCounts zero_counts(StreamRange) const { return {{}, {named_grid(table)}}; }

  void add(AliasCounts& all, AliasCounts own, const MergeInput& part,
           const MergeInput& first) const {
    own.merged = table_of(part, own.rows.values.size());
    if (all.rows.values.empty()) {
      all = std::move(own);
      return;
    }
    require_same_table(all.merged, first.path, own.merged, part.path);
    all += own;
  }

  void results(Results& out, const AliasCounts& counts, const AliasFacts* facts) const {
    static const AliasGrid one_axis{{1}, {{.name = "axis 0", .unit_cells = false}}};
    const AliasGrid& shape = out.is_description() ? one_axis
                             : facts != nullptr   ? facts->weights.shape()
                                                  : counts.merged.shape;
    const std::span<const double> requested =
        facts != nullptr ? facts->table.requested() : std::span(counts.merged.requested);
    const std::span<const double> drawn =
        facts != nullptr ? facts->table.drawn() : std::span(counts.merged.drawn);
    const std::uint64_t cells = cells_of(shape.extents);
    AliasResult result;
    if (!out.is_description()) {
      result =
          alias_result(out.ranks(), shape,
                       {own_samples(), counts.rows.first, counts.rows.values, requested, drawn});
    }
    const TableFacts built = facts != nullptr ? facts->table.facts() : TableFacts();
    out.group("Samples of a table of weights");
    out.value("samples", own_samples(), "samples", "all samples, N", {.unit = ""});
    out.report_line("cells", cells);
    out.when(facts != nullptr, "",
             [&] { declare_table(out, built, static_cast<double>(own_samples())); });
    declare_alias(out, *this, shape, result);
    declare_stored_samples(out, *this, shape.axes);
    declare_counts(out, counts);
    out.rows<double>("asked", {requested, counts.rows.first, cells}, "cell", "",
                     "probability of each cell that the weights ask for");
    out.rows<double>("table", {drawn, counts.rows.first, cells}, "cell", "",
                     "probability with which each cell is drawn");
    out.memory(facts, "sample buffer");
    if (facts == nullptr) return;
    out.setup_line("table memory", out.ranks().sum(facts->table.bytes()), "B");
    out.setup_line("table", built.seconds, "s", 6);
  }
};

/// The work of the alias job. A position is the number of samples drawn from each stream so far.
class AliasWork {
 public:
  AliasWork(const AliasDeck& deck, RunContext& run)
      : deck_(deck),
        run_(run),
        weights_(deck.table, run.ranks),
        part_(alias_part(weights_.cells(), run.ranks)),
        table_(deck, weights_, part_, run.ranks, run.timer) {
    const std::uint64_t words =
        std::max<std::uint64_t>(table_.words_per_sample(), 2 * weights_.axes().size());
    run_.plan_streams(deck_.share().max_items() * words * deck_.streams.numbers_per_word());
    run_.ranks.together([&] {
      sampler_ = table_.sampler(*run_.plan, deck_.streams.range_on(run_.ranks));
      if (!deck_.stores_samples()) return;
      sample_writer_.emplace(Space(), deck_, *run_.plan, run_.ranks, weights_,
                             sampler_->round_samples());
    });
    if (sample_writer_) sample_writer_->allocate();
    if (sample_writer_ && run_.saved == nullptr && run_.file != nullptr) {
      Results out(run_.ranks, alias_group);
      declare_stored_samples(out, deck_, weights_.axes());
      out.create(*run_.file);
    }
    restart();
    sampler_->sample(sampler_->uncut(deck_.share(), 0, sampler_->round_samples()));
  }

  IterationExtent extent() const {
    const std::uint64_t round = sampler_->round_samples();
    return {deck_.share().max_items(), round, round * deck_.streams.count, deck_.own_samples(),
            "samples"};
  }

  void restart() {
    sampler_->restart();
    if (draws_whole_iteration())
      work_ = sampler_->cut_streams(deck_.share(), 0, deck_.share().max_items());
    if (sample_writer_) sample_writer_->restart();
  }

  void draw(std::uint64_t begin, std::uint64_t end) {
    if (sample_writer_) return draw_and_store(begin, end);
    if (!draws_whole_iteration()) work_ = sampler_->cut_streams(deck_.share(), begin, end);
    const auto scope = run_.timer.scope(Phase::compute);
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t segments = std::max(work_.cut.count, std::uint64_t{1});
    launches_.run(
        0, work_.length, round, round * work_.size,
        [&](std::uint64_t first_sample, std::uint64_t end_sample) {
          work_.first_item = first_sample;
          work_.end_item = end_sample;
          sampler_->sample(work_);
          run_.progress->advance((end_sample - first_sample) * segments * deck_.streams.count);
        });
  }

  AliasCounts count(io::PhaseTimer& timer) const {
    std::vector<std::uint64_t> counts;
    {
      const auto scope = timer.scope(Phase::transfer);
      const auto host =
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sampler_->histogram());
      counts.assign(host.data(), host.data() + host.extent(0));
    }
    const auto scope = timer.scope(Phase::reduction);
    run_.ranks.sum(std::span(counts));
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(part_.first);
    return {{{part_.first, {first, first + static_cast<std::ptrdiff_t>(part_.count)}}}};
  }

  std::uint64_t resume(std::uint64_t at, AliasCounts& before) {
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t round_begin = at / round * round;
    if (run_.ranks.max(std::uint64_t{round_begin < at ? 1U : 0U}) == 1) {
      // The interrupted run may have used a mapping with other rounds, and may have stopped within
      // a round of this mapping. The resumed run draws the whole round again, so it first subtracts
      // the samples of this round from the saved counts.
      run_.ranks.together([&] {
        sampler_->resume(round_begin);
        sampler_->sample(sampler_->uncut(deck_.share(), round_begin, at));
      });
      io::PhaseTimer unreported;
      std::vector<std::uint64_t>& counts = before.rows.values;
      std::ranges::transform(counts, count(unreported).words(), counts.begin(), std::minus<>());
    }
    run_.ranks.together([&] {
      sampler_->restart();
      sampler_->resume(round_begin);
      if (sample_writer_) sample_writer_->resume(round_begin);
    });
    return round_begin;
  }

  AliasFacts facts() const {
    const auto buffer_bytes =
        sample_writer_ ? std::optional(sample_writer_->bytes()) : std::nullopt;
    return {{sampler_->state_bytes(), buffer_bytes}, weights_, table_};
  }

 private:
  /// True if a single call of draw() draws the samples of an iteration.
  bool draws_whole_iteration() const {
    return !deck_.stores_samples() && !deck_.checkpoint.enabled();
  }

  void draw_and_store(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const Work batch = sampler_->uncut(deck_.share(), begin,
                                         std::min(end, begin + sample_writer_->batch_samples()));
      {
        const auto scope = run_.timer.scope(Phase::compute);
        sampler_->sample(batch, sample_writer_->cells());
      }
      sample_writer_->write(*run_.file, alias_group, batch, run_.timer);
      run_.progress->advance((batch.end - begin) * deck_.streams.count);
      begin = batch.end;
    }
  }

  const AliasDeck& deck_;
  RunContext& run_;
  AliasWeights weights_;
  StreamRange part_;  ///< cells whose results this rank writes and sums
  AliasDeckTable table_;
  std::unique_ptr<AliasSampler> sampler_;
  std::optional<AliasSampleWriter> sample_writer_;
  Launches launches_;
  Work work_;  ///< the last work that AliasSampler::cut_streams() returned
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<JobOf<AliasDeck, AliasWork>>(); }

}  // namespace rivulet
