// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/deck/deck.hpp"
#include "jobs/common/counts.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/merge_input.hpp"

// JobOf<Deck, Work> is a job that draws numbers; tests/toy_job.hpp is an example. The deck is a
// struct. Its members are the keys, the sections `streams` and `output` and, for checkpoints, the
// section `checkpoint`. The deck's functions are
//
//   schema()                 returns the deck's sections, bound to its members;
//   requirements() const     returns the requirements of the run (drawing_job.hpp);
//   check() const            optional: throws Error for invalid values;
//   zero_counts(ids) const   returns zero counts (counts.hpp) for a range of streams;
//   results(out, counts, facts) const   declares the results. Collective.
//
// `counts` holds sums over all ranks. Counts in rows (Counts::is_in_rows) are not summed: each rank
// holds only its own rows. `facts` points to the work's facts(), or is nullptr if no run produced
// the counts, as in a merge.
//
// The work draws one rank's streams. Set-up constructs the work from the deck and a RunContext,
// which outlive the work. The constructor is collective, and runs the kernels once. If one rank
// throws, the other ranks must not wait for it forever. A step that may throw must therefore be
// inside Communicator::together() if a later step communicates. The work's functions are
//
//   extent() const    returns the positions of an iteration (IterationExtent);
//   restart()         moves the streams to their starts, and resets the counts. May throw on some
//                     ranks only;
//   draw(begin, end)  draws positions `begin` to `end` - 1. Each call begins where the previous
//                     one ended. Collective and blocking;
//   count(timer)      returns this rank's counts since restart() or resume(). Collective;
//   resume(at, before)   moves the streams to position `at` or a little before, and returns the
//                     new position. `before` holds the interrupted run's counts at position `at`;
//                     the function changes them to the counts at the new position. Called only with
//                     checkpoints, after restart(). Collective;
//   facts() const     returns data that a run has and a merge lacks, such as the memory in use.
//
// Two more functions of the deck are optional:
//
//   portion(path) const               returns the part's portion (merge_input.hpp), for jobs whose
//                                     parts are not streams;
//   add(all, own, part, first) const  replaces operator+= in a merge: adds the counts `own` of
//                                     `part` to `all`. Throws Error if `part` does not match the
//                                     part `first`, or has damage that the digest does not detect.

namespace rivulet {

/// The type of a deck's counts.
template <class Deck>
using CountsOf = decltype(std::declval<const Deck&>().zero_counts({}));

/// Returns the digest of all ranks' counts. Collective.
template <class Counts>
std::string digest_of(const io::Communicator& ranks, const Counts& counts) {
  const auto& words = counts.words();
  const bool are_own = Counts::is_in_rows || ranks.is_root();
  return digest_in_rank_order(ranks, std::span(words.data(), are_own ? words.size() : 0));
}

template <class Deck, class Work>
class CountedWorkOf final : public CountedWork {
 public:
  using Counts = CountsOf<Deck>;

  CountedWorkOf(const Deck& deck, RunContext& run) : deck_(deck), run_(run), work_{deck, run} {}

  IterationExtent extent() const override { return work_.extent(); }
  void restart() override {
    before_.reset();
    work_.restart();
  }
  void draw(std::uint64_t begin, std::uint64_t end) override { work_.draw(begin, end); }

  std::uint64_t resume(const CheckpointReader& saved, std::uint64_t at) override {
    if constexpr (requires { deck_.checkpoint; }) {
      io::PhaseTimer unreported;
      Counts before = work_.count(unreported);
      SavedCounts reader(saved, run_.ranks);
      before.fields(reader);
      if constexpr (!requires { Counts::may_grow; }) {
        const std::uint64_t end = extent().end;
        saved.require(at <= end, fmt::format("it is at position {} of {}", at, end));
      }
      at = work_.resume(at, before);
      before_ = std::move(before);
    }
    return at;
  }

  void save(io::ResultsFile& file) override {
    io::PhaseTimer unreported;  // the caller times the whole checkpoint
    Counts now = all_counts(unreported);
    Results out(run_.ranks, state_group);
    declare_counts(out, now);
    out.write(file);
  }

  std::string collect() override {
    counts_ = all_counts(run_.timer);
    const auto scope = run_.timer.scope(io::Phase::reduction);
    return digest_of(run_.ranks, *counts_);
  }

  void results(Results& out) override {
    const auto facts = work_.facts();
    deck_.results(out, *counts_, &facts);
  }

 private:
  Counts all_counts(io::PhaseTimer& timer) {
    Counts all = work_.count(timer);
    if (before_) all += *before_;
    const auto scope = timer.scope(io::Phase::reduction);
    SumOverRanks sum(
        run_.ranks, requires { Counts::is_gathered; });
    all.fields(sum);
    return all;
  }

  const Deck& deck_;
  RunContext& run_;
  Work work_;
  std::optional<Counts> before_;  ///< this rank's part of the counts before the resume
  std::optional<Counts> counts_;  ///< counts of all ranks after an iteration
};

/// The job that consists of the types `Deck` and `Work` (see above).
template <class Deck, class Work>
class JobOf final : public JobWithDeck<Deck, DrawingJob> {
 public:
  RunRequirements requirements() const override { return deck().requirements(); }
  void check_deck() const override {
    if constexpr (requires { deck().check(); }) deck().check();
  }
  std::unique_ptr<CountedWork> start(RunContext& run) const override {
    return std::make_unique<CountedWorkOf<Deck, Work>>(deck(), run);
  }

  Portion portion(const MergeInput& part) const override {
    if constexpr (requires { deck().portion(part.path); }) return deck().portion(part.path);
    return part.portion;
  }
  std::string merge(const std::vector<MergeInput>& parts, Results& out) const override {
    const StreamRange none{parts.empty() ? 0 : parts.front().first, 0};
    const auto all = std::make_shared<CountsOf<Deck>>(deck().zero_counts(none));
    out.keep_alive(all);
    for (const MergeInput& part : parts) {
      auto part_counts = counts_of(part);
      if constexpr (requires { deck().add(*all, std::move(part_counts), part, part); }) {
        deck().add(*all, std::move(part_counts), part, parts.front());
      } else {
        *all += part_counts;
      }
    }
    deck().results(out, *all, nullptr);
    return digest_of(out.ranks(), *all);
  }

 private:
  const Deck& deck() const { return this->options_; }

  static CountsOf<Deck> counts_of(const MergeInput& part) {
    Deck part_deck;
    io::Deck::parse(part.deck, part.path + ": /config/deck").read_into(part_deck.schema());
    auto counts = part_deck.zero_counts({part.first, part.count});
    try {
      const io::ReadFile file = part.open();
      CountsOfFile reader(file, results_group(part.job));
      counts.fields(reader);
    } catch (const Mismatch& mismatch) {
      part.fail_damaged(mismatch.what());
    }
    if (digest_of(io::Communicator::self(), counts) != part.digest) {
      part.fail_damaged(fmt::format("its {} do not give its digest", counts.message_name));
    }
    return counts;
  }
};

}  // namespace rivulet
