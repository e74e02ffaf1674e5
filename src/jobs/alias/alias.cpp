// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
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

std::vector<std::uint64_t> to_host(const CountView& counts) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return {host.data(), host.data() + host.extent(0)};
}

/// What the alias job counts: samples in each cell of this rank's part, of all ranks.
struct AliasCounts {
  static constexpr const char* made_of = "counts";
  static constexpr bool is_in_rows = true;

  NumbersById<std::uint64_t> histogram;

  template <class Io>
  void fields(Io& io) {
    io.rows("histogram", histogram,
            {"samples in each cell; the last axis varies fastest", "samples"});
  }
  AliasCounts& operator+=(const AliasCounts& other) {
    histogram += other.histogram;
    return *this;
  }
  const std::vector<std::uint64_t>& words() const { return histogram.values; }
};

/// Positions are samples of each stream.
class AliasJob final : public CountingJob<AliasOptions, AliasCounts> {
  Demand demand() const override {
    Demand asked{.streams = options_.streams,
                 .planned = options_.all_streams(),
                 .iterations = options_.iterations,
                 .unit = "samples",
                 .differs = "drew different samples",
                 .writes_as_it_draws = keeps(),
                 .free_keys = {"alias.memory", "alias.iterations", "table.memory"}};
    if (table_) {
      const std::uint64_t words =
          std::max<std::uint64_t>(table_->words_per_sample(), 2 * weights_->axes().size());
      asked.numbers = share().most() * words * streams().numbers_per_word();
    }
    return asked;
  }
  const StreamOptions& streams() const { return options_.streams; }
  void check_options() const override { options_.check(); }
  StreamShare share() const { return {options_.samples, streams().family()}; }
  /// Samples of this run: all of alias.samples, if the run's streams are the whole family.
  std::uint64_t own_samples() const { return streams().part_of(options_.samples); }
  bool keeps() const { return options_.keep != KeepSamples::none; }

  void read_input(JobContext& context) override {
    const io::Communicator& ranks = context.communicator;
    {
      const auto scope = context.timer.scope(Phase::io);
      weights_.emplace(options_.table, ranks);
    }
    const auto scope = context.timer.scope(Phase::setup);
    ranks.together([&] { require_table_memory(options_.table, weights_->cells(), ranks); });
    part_ = alias_part(weights_->cells(), ranks);
    table_.emplace(options_, *weights_, part_, ranks, context.timer);
  }

  void set_up(JobContext& context) override {
    sampler_ = table_->sampler(plan(), streams().range_on(context.communicator));
    if (keeps()) {
      keeper_.emplace(Space(), options_, plan(), context.communicator, *weights_,
                      sampler_->round_samples());
    }
  }

  /// Allocates here and not in set_up(), as ranks agree on the memory of the kept samples.
  void warm_up(JobContext&) override {
    if (keeper_) keeper_->allocate();
    restart();
    sampler_->sample(sampler_->uncut(share(), 0, sampler_->round_samples()));
  }

  void create_datasets(io::ResultsFile& file) override {
    Results out(ranks(), alias_group);
    declare_kept(out, options_, weights_->axes());
    out.create(file);
  }

  Extent extent() const override {
    const std::uint64_t round = sampler_->round_samples();
    return {share().most(), round, round * streams().count, own_samples(), "samples"};
  }

  void restart() override {
    if (options_.checkpoint.asked()) forget_counts();
    sampler_->restart();
    is_placed_ = !keeps() && !options_.checkpoint.asked();
    if (is_placed_) work_ = sampler_->place(share(), 0, share().most());
    if (keeper_) keeper_->restart();
  }

  void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) override {
    if (keeps()) return draw_kept(context, from, upto);
    if (!is_placed_) work_ = sampler_->place(share(), from, upto);
    const auto scope = context.timer.scope(Phase::compute);
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t segments = std::max(work_.cut.count, std::uint64_t{1});
    launches_.run(0, work_.length, round, round * work_.size,
                  [&](std::uint64_t begin, std::uint64_t end) {
                    work_.from = begin;
                    work_.upto = end;
                    sampler_->sample(work_);
                    progress().advance((end - begin) * segments * streams().count);
                  });
  }

  void draw_kept(JobContext& context, std::uint64_t from, std::uint64_t upto) {
    while (from < upto) {
      const Work batch =
          sampler_->uncut(share(), from, std::min(upto, from + keeper_->batch_samples()));
      {
        const auto scope = context.timer.scope(Phase::compute);
        sampler_->sample(batch, keeper_->cells());
      }
      keeper_->write(file(), alias_group, batch, context.timer);
      progress().advance((batch.end - from) * streams().count);
      from = batch.end;
    }
  }

  CountedIds ids() const override {
    const std::uint64_t cells = weights_ ? weights_->cells() : counts().histogram.values.size();
    const StreamRange all{0, cells};
    return {weights_ ? part_ : all, all, "cell"};
  }
  /// The counts are sized once the cells of a part are read.
  AliasCounts none(StreamRange cells) const override {
    return {NumbersById<std::uint64_t>(weights_ ? cells : StreamRange{})};
  }

  AliasCounts count(io::PhaseTimer& timer) override {
    AliasCounts now{{part_.first, counted(timer)}};
    return now += before();
  }
  /// Counts of all ranks since the sampler's restart(), in the cells of this rank's part.
  std::vector<std::uint64_t> counted(io::PhaseTimer& timer) const {
    std::vector<std::uint64_t> counts;
    {
      const auto scope = timer.scope(Phase::transfer);
      counts = to_host(sampler_->histogram());
    }
    const auto scope = timer.scope(Phase::reduction);
    ranks().sum(std::span(counts));
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(part_.first);
    return {first, first + static_cast<std::ptrdiff_t>(part_.count)};
  }

  std::uint64_t go_on(std::uint64_t at, AliasCounts& then) override {
    const std::uint64_t round = sampler_->round_samples();
    const std::uint64_t whole = at / round * round;
    if (ranks().max(std::uint64_t{whole < at ? 1U : 0U}) == 1) {
      // Rounds of another mapping may differ: the rest of a round is counted again.
      ranks().together([&] {
        sampler_->resume(whole);
        sampler_->sample(sampler_->uncut(share(), whole, at));
      });
      io::PhaseTimer not_told;
      std::vector<std::uint64_t>& counts = then.histogram.values;
      std::ranges::transform(counts, counted(not_told), counts.begin(), std::minus<>());
    }
    ranks().together([&] {
      sampler_->restart();
      sampler_->resume(whole);
      if (keeper_) keeper_->resume(whole);
    });
    return whole;
  }

  void evaluate(JobContext& context) override {
    const auto scope = context.timer.scope(Phase::reduction);
    result_ = alias_result(ranks(), shape(),
                           {samples(), part_.first, counts().histogram.values, asked(), drawn()});
  }

  void check_part(const MergeInput& part, const io::ReadFile& file,
                  const AliasCounts& own) override {
    merged_.add(part, file, own.histogram.values.size());
  }
  // Of the deck's table or, in a merge, of the parts' table.
  const AliasGrid& shape() const { return weights_ ? weights_->shape() : merged_.shape; }
  std::span<const double> asked() const { return table_ ? table_->asked() : merged_.asked; }
  std::span<const double> drawn() const { return table_ ? table_->drawn() : merged_.drawn; }
  std::uint64_t samples() const {
    if (table_) return own_samples();
    const std::vector<std::uint64_t>& counts = this->counts().histogram.values;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }

  void results(Results& out) override {
    out.group("Samples of a table of weights");
    out.value("samples", samples(), "samples", "all samples, N", {.unit = ""});
    const std::uint64_t cells = ids().all.count;
    out.told("cells", cells);
    out.when(table_.has_value(), "", [&] {
      declare_table(out, table_ ? table_->facts() : TableFacts(), static_cast<double>(samples()));
    });
    const AliasGrid one_axis{{}, {{.name = "axis 0", .unit_cells = false}}};
    const AliasGrid& grid = out.describes() ? one_axis : shape();
    declare_alias(out, options_, grid, result_);
    declare_kept(out, options_, grid.axes);
    declare_counts(out);
    out.rows<double>("asked", {asked(), part_.first, cells}, "cell", "",
                     "probability of each cell that the weights ask for");
    out.rows<double>("table", {drawn(), part_.first, cells}, "cell", "",
                     "probability with which each cell is drawn");
    if (!table_) return;  // parts are merged
    out.memory("state", sampler_->state_bytes());
    out.memory("table memory", table_->bytes());
    if (keeper_) out.memory("sample buffer", keeper_->bytes());
    out.late("table", table_->facts().seconds, "s", 6);
  }

  std::optional<AliasWeights> weights_;
  StreamRange part_;  ///< cells that this rank counts and writes
  std::optional<AliasDeckTable> table_;
  std::unique_ptr<AliasSampler> sampler_;
  std::optional<AliasKeeper> keeper_;
  Launches launches_;
  Work work_;               ///< that the sampler placed last
  bool is_placed_ = false;  ///< for all samples of an iteration
  MergedTable merged_;
  AliasResult result_;
};

}  // namespace

std::unique_ptr<Job> make_alias_job() { return std::make_unique<AliasJob>(); }

}  // namespace rivulet
