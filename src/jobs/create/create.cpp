// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/mpi/progress.hpp"
#include "io/results/results_file.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/run_options.hpp"
#include "kokkos_compat.hpp"
#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "parameters/linear_relations.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

using io::Phase;

struct CreateOptions {
  std::uint64_t exponent = 521;
  std::uint64_t first_id = 512;  ///< sets with smaller ids are shipped
  std::uint64_t count = 64;
  std::uint64_t seed = 20261120;
  Candidates candidates = Candidates::hashed;
  CheckpointOptions checkpoint;
  OutputOptions output{"sets.h5"};

  io::Schema schema() {
    const auto bind = [this](io::Binder& binder) {
      binder.choice<std::uint64_t>("exponent", exponent,
                                   {{"521", 521, "dcmt521"},
                                    {"607", 607, "dcmt607"},
                                    {"1279", 1279, "dcmt1279"},
                                    {"2203", 2203, "dcmt2203"}},
                                   "Mersenne exponent p: the period is 2^p - 1");
      binder.integer("first_id", first_id, {0, dcmt_id_limit - 1}, "id of the first set");
      binder.integer("count", count, {1, dcmt_id_limit}, "sets to create, with consecutive ids",
                     "sets");
      binder.integer("seed", seed, {0, std::numeric_limits<std::uint64_t>::max()},
                     "seed of the search (32 bits of it with dc062)");
      binder.choice<Candidates>(
          "candidates", candidates,
          {{"hashed", Candidates::hashed,
            "from (seed, exponent, id) alone; no short linear relations"},
           {"dc062", Candidates::dc062, "one MT19937 for all ids, as in Dynamic Creator 0.6.2"}},
          "candidates for the twist coefficient");
    };
    const auto bind_output = [this](io::Binder& binder) {
      binder.file("file", output.file, io::FileUse::written,
                  "parameter file (HDF5) that streams.parameters accepts");
      output.bind_expect(binder);
    };
    return {"create",
            "Creates and proves parameter sets of Mersenne Twisters.",
            {{"create", "What to create.", bind},
             checkpoint.schema(),
             {"output", "Where sets go, and what they must be.", bind_output}}};
  }
};

/// Words per row. A row describes one set in messages between ranks: id, a, b, c, k(1) to k(32),
/// and the relations' least_weight and in_window.
constexpr std::size_t row_words = 4 + 32 + 2;

class CreateJob final : public JobWithDeck<CreateOptions, Job> {
 public:
  void check(const io::Communicator&) const override {
    check_checkpoint(options_.checkpoint, "");
    if (options_.output.file.empty()) {
      throw Error("no parameter file to write", "output.file is empty", "Add --output FILE.");
    }
    if (options_.first_id + options_.count > dcmt_id_limit) {
      throw Error(fmt::format("ids {} to {} do not exist", options_.first_id,
                              options_.first_id + options_.count - 1),
                  "an id is 16 bits of the twist coefficient, 0 to 65535",
                  "Lower create.first_id or create.count.");
    }
    if (options_.candidates == Candidates::dc062 && options_.seed > 0xffffffffU) {
      throw Error(fmt::format("create.seed={} is too large", options_.seed),
                  "create.candidates=dc062 seeds an MT19937 with 32 bits",
                  "Lower create.seed to at most 4294967295, or set create.candidates=hashed.");
    }
  }

  void run(JobContext& context) override {
    shape_ = offered_dcmt_shape(static_cast<int>(options_.exponent));
    std::optional<Checkpoints> checkpoints;
    if (options_.checkpoint.enabled()) checkpoints.emplace(options_.checkpoint, context);
    // Opens the file before the work, so that errors appear early and other runs cannot claim the
    // file.
    io::ResultsFile file(context.communicator, context.output, parameters_kind, version,
                         io::FileForm::checksummed);
    if (checkpoints) file.set_creator(checkpoints->run());
    const io::Stopwatch watch;
    const std::vector<std::uint32_t> rows = create(context, checkpoints);
    const double seconds = context.communicator.max(watch.seconds());
    context.timer.add(Phase::compute, watch.seconds());
    unpack_rows(rows);
    {
      const auto scope = context.timer.scope(Phase::io);
      write_parameter_file(context.communicator, file, sets_, figures_, options_.seed,
                           to_string(options_.candidates));
    }
    if (checkpoints) checkpoints->end();
    context.timer.add(Phase::total, watch.seconds());
    report(context, static_cast<double>(options_.count) / seconds);
  }

  Results description() override {
    Results out(io::Communicator::self(), "/", Results::Purpose::description);
    declare_sets(out, sets_, figures_, options_.seed, to_string(options_.candidates));
    return out;
  }

 private:
  /// Creates the sets. Returns all rows on all ranks, in order of id. A resumed run creates only
  /// the sets that its checkpoint lacks. Each piece distributes its missing sets round-robin
  /// over the ranks. The sets do not depend on the number of ranks. With checkpoints, the work is
  /// divided into pieces of at least one set per thread. Without checkpoints, there is one piece.
  std::vector<std::uint32_t> create(const JobContext& context,
                                    std::optional<Checkpoints>& checkpoints) {
    const io::Communicator& all = context.communicator;
    const auto ranks = static_cast<std::uint64_t>(all.size());
    const auto rank = static_cast<std::uint64_t>(all.rank());
    const auto threads = static_cast<std::uint64_t>(HostSpace().concurrency());
    const std::uint64_t at_once = all.max(threads) * ranks;
    const std::vector<DcmtSet> twists = dc062_twists();
    std::vector<std::uint32_t> rows = saved_rows(context);
    std::vector<std::uint64_t> missing;
    for (std::uint64_t i = 0; i < options_.count; ++i) {
      if (!has_set(rows, i)) missing.push_back(i);
    }
    if (!all.is_root()) std::ranges::fill(rows, 0U);  // sum_rows() must add saved rows only once
    io::Progress progress(all, options_.count, "sets", {.shown = !context.report.quiet()});
    PieceLength length(1, checkpoints ? checkpoints->piece_seconds() : 0);
    if (checkpoints) checkpoints->begin();
    for (std::uint64_t done = 0; done < missing.size();) {
      const std::uint64_t pieces = std::max(length.steps(), std::uint64_t{1});
      const std::uint64_t end =
          checkpoints ? std::min<std::uint64_t>(missing.size(), done + pieces * at_once)
                      : missing.size();
      const io::Stopwatch watch;
      all.together([&] {
        std::vector<std::uint64_t> rank_sets;
        for (std::uint64_t i = done + rank; i < end; i += ranks) rank_sets.push_back(missing[i]);
        const std::uint64_t slab = 4 * threads;  // sets between progress reports
        for (std::uint64_t i = 0; i < rank_sets.size(); i += slab) {
          const auto batch = std::span(rank_sets).subspan(i, std::min(slab, rank_sets.size() - i));
          make_sets(twists, batch, rows);
          progress.advance(batch.size() * ranks);
        }
      });
      done = end;
      if (done == missing.size()) break;
      const auto part = static_cast<double>(options_.count - missing.size() + done) /
                        static_cast<double>(options_.count);
      length.learn(pieces, checkpoints->after_piece(watch.seconds(), part, [&](auto& file) {
        std::vector<std::uint32_t> so_far = rows;
        sum_rows(all, so_far);
        file.dataset(
            state_group + "/rows",
            std::span<const std::uint32_t>(so_far.data(), all.is_root() ? so_far.size() : 0), 0,
            so_far.size(), "id, a, b, c, k(1..32), relations of each set; 0 of those to be made");
      }));
    }
    sum_rows(all, rows);
    return rows;
  }

  /// Returns the rows of the sets that the interrupted run created, with zeros in other rows.
  std::vector<std::uint32_t> saved_rows(const JobContext& context) const {
    const std::uint64_t words = options_.count * row_words;
    if (context.saved == nullptr) return std::vector<std::uint32_t>(words, 0);
    return context.saved->rows<std::uint32_t>("rows", {0, words}, words);
  }
  /// True if the row holds a set. (The twist coefficient a of a set is never 0.)
  static bool has_set(const std::vector<std::uint32_t>& rows, std::uint64_t index) {
    return rows[index * row_words + 1] != 0;
  }

  /// Returns one set per id, with only its twist coefficient, if the candidates are dc062.
  /// Otherwise, returns an empty vector. A single sequential generator yields all dc062 candidates,
  /// so every rank searches for all coefficients.
  std::vector<DcmtSet> dc062_twists() const {
    std::vector<DcmtSet> twists;
    if (options_.candidates != Candidates::dc062) return twists;
    Dc062Search search(shape_.p, static_cast<std::uint32_t>(options_.first_id),
                       static_cast<std::uint32_t>(options_.seed));
    for (std::uint64_t i = 0; i < options_.count; ++i) twists.push_back(search.next());
    return twists;
  }

  void make_sets(const std::vector<DcmtSet>& twists, std::span<const std::uint64_t> indices,
                 std::vector<std::uint32_t>& rows) const {
    for_each_on_host("rivulet::create_sets", indices.size(), [&](std::size_t i) {
      const std::uint64_t index = indices[i];
      const DcmtSet set = make_set(twists, index);
      const SetFigures figures = figures_of(shape_, set);
      std::uint32_t* row = rows.data() + index * row_words;
      row[0] = set.id;
      row[1] = set.a;
      row[2] = set.b;
      row[3] = set.c;
      std::uint32_t* relation_words = std::copy(figures.k.begin(), figures.k.end(), row + 4);
      relation_words[0] = figures.relations.least_weight;
      relation_words[1] = figures.relations.in_window ? 1 : 0;
    });
  }

  DcmtSet make_set(const std::vector<DcmtSet>& twists, std::uint64_t index) const {
    const auto id = static_cast<std::uint32_t>(options_.first_id + index);
    if (twists.empty()) return create_dcmt_set(shape_.p, id, options_.seed);
    DcmtSet set = twists[index];
    const TemperingMasks masks = find_tempering(shape_, set.a);
    set.b = masks.b;
    set.c = masks.c;
    return set;
  }

  /// Replaces the rows with the sum of all ranks' rows. At most one rank has nonzero words in each
  /// row.
  static void sum_rows(const io::Communicator& communicator, std::vector<std::uint32_t>& rows) {
    std::vector<std::uint64_t> wide(rows.begin(), rows.end());
    communicator.sum(std::span(wide));
    std::ranges::transform(wide, rows.begin(),
                           [](std::uint64_t word) { return static_cast<std::uint32_t>(word); });
  }

  void unpack_rows(const std::vector<std::uint32_t>& rows) {
    sets_ = {shape_.p, "created", {}};
    for (std::size_t i = 0; i < rows.size(); i += row_words) {
      sets_.sets.push_back({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]});
      SetFigures figures{};
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i) + 4, figures.k.size(),
                  figures.k.begin());
      figures.relations = {rows[i + row_words - 2], rows[i + row_words - 1] != 0};
      figures_.push_back(figures);
    }
  }

  void report(JobContext& context, double sets_per_second) {
    std::vector<std::uint64_t> defects;
    for (const SetFigures& one : figures_) defects.push_back(total_defect(shape_.p, one.k));
    const std::uint64_t sum = std::accumulate(defects.begin(), defects.end(), std::uint64_t{0});
    io::Report& out = context.report;
    out.section("Result");
    out.result("sets", sets_.sets.size());
    out.result("period", fmt::format("2^{} - 1", shape_.p));
    out.result("irreducible", "proved for every set");
    out.result("least total defect", *std::ranges::min_element(defects), "dimensions");
    out.result("mean total defect", static_cast<double>(sum) / static_cast<double>(defects.size()),
               "dimensions", 5);
    out.result("greatest total defect", *std::ranges::max_element(defects), "dimensions");
    report_relations(out);
    end_report(context, {0, sets_per_second, "sets/s", digest(sets_)}, "parameter file");
  }

  /// Reports the least relation weight and the sets with short relations. Only sets from dc062
  /// candidates may have short relations.
  void report_relations(io::Report& out) const {
    std::uint32_t least = figures_.front().relations.least_weight;
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      least = std::min(least, figures_[i].relations.least_weight);
      if (figures_[i].relations.are_short()) ids.push_back(sets_.sets[i].id);
    }
    out.result("least relation weight", std::uint64_t{least}, "bits");
    out.result("sets with short relations", ids.size(), "sets");
    if (ids.empty()) return;
    constexpr std::size_t shown = 16;
    const std::size_t count = std::min(shown, ids.size());
    const std::string more =
        ids.size() > count ? fmt::format(", and {} more", ids.size() - count) : "";
    out.result("ids with short relations",
               fmt::format("{}{}", fmt::join(std::span(ids).first(count), ", "), more));
  }

  DcmtShape shape_{};
  DcmtSets sets_;
  std::vector<SetFigures> figures_;
};

}  // namespace

std::unique_ptr<Job> make_create_job() { return std::make_unique<CreateJob>(); }

}  // namespace rivulet
