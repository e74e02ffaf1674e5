// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "jobs/common/counts.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/merge_input.hpp"

namespace rivulet {

/// A drawing job whose result is its counts (counts.hpp): checkpoints, the sum over ranks, the
/// digest and merging need nothing else.
template <class Options, class Counts>
class CountingJob : public JobWithDeck<Options, DrawingJob> {
 public:
  void add(const MergeInput& part) final {
    const io::ReadFile file = part.open();
    Counts own = none_of(part);
    try {
      CountsOfFile reader(file, results_group(part.job));
      own.fields(reader);
    } catch (const Mismatch& mismatch) {
      part.fail_damaged(mismatch.what());
    }
    if (digest_in_rank_order(io::Communicator::self(), own.words()) != part.digest) {
      part.fail_damaged(fmt::format("its {} do not give its digest", Counts::made_of));
    }
    check_part(part, file, own);
    own = in_whole(part, std::move(own));
    if (merged_) {
      counts_ += own;
    } else {
      counts_ = std::move(own);
    }
    merged_ = true;
  }

 protected:
  /// Zero counts for the streams (pixels, cells) of a range.
  virtual Counts none(StreamRange ids) const = 0;
  /// The ids of the counts' rows.
  virtual CountedIds ids() const {
    const StreamOptions& streams = this->options_.streams;
    return {this->range(), {streams.first, streams.count}};
  }
  /// This rank's counts since the iteration's start, including those of a resumed run. Collective.
  virtual Counts count(io::PhaseTimer& timer) = 0;
  /// Moves the streams to position `at`, or a little before; `before` holds the counts there.
  /// Returns the position. Collective.
  virtual std::uint64_t go_on(std::uint64_t at, Counts& /*before*/) { return at; }
  /// Throws Error for a part that does not fit the parts before, or whose damage its digest does
  /// not cover.
  virtual void check_part(const MergeInput&, const io::ReadFile&, const Counts&) {}
  /// Zero counts of a part, to be read from its file.
  virtual Counts none_of(const MergeInput& part) const { return none({part.first, part.count}); }
  /// The counts of a part at their places among those of all parts.
  virtual Counts in_whole(const MergeInput&, Counts own) const { return own; }

  /// Counts of all ranks, after an iteration; in a merge, of all parts.
  const Counts& counts() const { return counts_; }
  /// The resumed run's counts: this rank's part.
  const Counts& before() const { return before_; }
  void declare_counts(Results& out) {
    if (out.describes()) counts_ = none(ids().own);
    DeclaredCounts fields(out, ids());
    counts_.fields(fields);
  }
  /// Called after set_up() of a run that is not resumed.
  void forget_counts() { before_ = none(ids().own); }

  std::string collect(JobContext& context) final {
    if (!merged_) counts_ = all_counts(context.timer);
    const auto scope = context.timer.scope(io::Phase::reduction);
    const auto& words = counts_.words();
    const bool are_own = Counts::is_in_rows || this->ranks().is_root();
    return digest_in_rank_order(this->ranks(), std::span(words.data(), are_own ? words.size() : 0));
  }

  void save(io::ResultsFile& file) override {
    io::PhaseTimer not_told;  // this time counts as the checkpoint's
    Counts now = all_counts(not_told);
    Results out(this->ranks(), state_group);
    DeclaredCounts fields(out, ids(), true);
    now.fields(fields);
    out.write(file);
  }

  std::uint64_t resume(const CheckpointReader& saved, std::uint64_t at) override {
    Counts then = none(ids().own);
    SavedCounts reader(saved, ids(), this->ranks().is_root());
    then.fields(reader);
    if constexpr (!requires { Counts::may_grow; }) {
      const std::uint64_t end = this->extent().end;
      saved.require(at <= end, fmt::format("it is at position {} of {}", at, end));
    }
    const std::uint64_t goes_on = go_on(at, then);
    before_ = std::move(then);
    return goes_on;
  }

 private:
  Counts all_counts(io::PhaseTimer& timer) {
    Counts all = count(timer);
    const auto scope = timer.scope(io::Phase::reduction);
    SumOverRanks sum(this->ranks());
    all.fields(sum);
    return all;
  }

  Counts counts_ = {};
  Counts before_ = {};
  bool merged_ = false;  ///< whether the counts are sums of parts
};

}  // namespace rivulet
