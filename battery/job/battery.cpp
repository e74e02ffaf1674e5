// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "battery/job/battery_counts.hpp"
#include "battery/job/battery_options.hpp"
#include "battery/job/battery_results.hpp"
#include "battery/job/test_schedule.hpp"
#include "battery/run_tests.hpp"
#include "jobs/common/counting_job.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

struct BatteryDeck : BatteryOptions {
  RunRequirements requirements() const {
    std::optional<std::uint64_t> numbers;
    if (has_generator()) numbers = numbers_per_stream();
    return {.streams = streams,
            .numbers = numbers,
            .unit = "words",
            .mismatch_text = "counted differently",
            .why_not_resumable = is_pipe() ? "a pipe can be read only once" : "",
            .ends_early = is_pipe() && is_shared()};
  }

  BatteryCounts zero_counts(StreamRange) const { return BatteryLayout(all_tests()).none(); }
  Portion portion(const std::string& path) const { return portion_of(*this, path); }
  void add(BatteryCounts& all, BatteryCounts part_counts, const MergeInput& part,
           const MergeInput&) const {
    all += expand_part(*this, part, std::move(part_counts));
  }

  void results(Results& out, const BatteryCounts& counts, const BatteryFacts* facts) const {
    declare_battery(out, *this, counts, facts);
  }
};

/// Runs the tests. A position is a position in the schedule or, with shared tests, the index of a
/// chunk.
class BatteryWork {
 public:
  BatteryWork(const BatteryDeck& deck, RunContext& run)
      : deck_(deck), run_(run), tests_(deck), layout_(tests_.tests()) {
    const int ranks = run_.ranks.size();
    if (deck_.is_pipe() && ranks > 1) {
      throw Error(fmt::format("battery.source={} on {} MPI ranks", deck_.source, ranks),
                  "each word of a pipe reaches only one rank",
                  "Start one rank, or set battery.source=FILE.");
    }
    take_repeat(0);
    tests_.share_among(ranks);
  }

  IterationExtent extent() const {
    if (deck_.is_shared()) {
      const std::uint64_t chunks = wanted_chunks();
      return {chunks, 1, deck_.chunk_words() * tests_.size(), chunks * deck_.chunk_words(),
              "words"};
    }
    std::uint64_t words = 0;
    for (const BatteryTest& test : tests_.tests()) words += TestSchedule::usual_words_of(test);
    return {tests_.size(), 1, words / tests_.size(), words, "words"};
  }

  void restart() {
    now_ = layout_.none();
    now_.source = seal_;
    tests_.restart();
  }

  void draw(std::uint64_t from, std::uint64_t stop) {
    const auto scope = run_.timer.scope(io::Phase::compute);
    if (deck_.is_shared()) {
      run_.ranks.together([&] { run_chunks(from, stop); });
      return;
    }
    while (from < stop) {
      std::uint64_t next = from + 1;
      if (!tests_.has_dependents_at(from)) {
        while (next < stop && !tests_.has_dependents_at(next)) ++next;
      }
      run_.ranks.together([&] { run_tests_of_rank(from, next); });
      if (tests_.has_dependents_at(from)) record_words(tests_.test_at(from), now_);
      from = next;
    }
  }

  /// Returns the counts of this rank. With shared tests, first thins the windows to the level that
  /// fits the words of all ranks. Collective.
  BatteryCounts count(io::PhaseTimer&) {
    if (deck_.is_shared()) {
      thin_windows(run_.ranks.sum(BatteryLayout::chunks(now_)) * deck_.chunk_words());
    }
    return now_;
  }

  std::uint64_t resume(std::uint64_t at, BatteryCounts& before) {
    run_.saved->require(before.source == seal_,
                        fmt::format("'{}' had other words, or another length", deck_.source));
    if (deck_.is_shared()) return at;
    for (std::uint64_t i = 0; i < at; ++i) {
      if (tests_.has_dependents_at(i)) record_words(tests_.test_at(i), before);
    }
    return at;
  }

  BatteryFacts facts() const { return {{tiles_->state_bytes(), tiles_->tile_bytes()}, end()}; }

 private:
  /// Creates the tiles for the words of a repeat, within battery.memory, unless they exist.
  void take_repeat(std::size_t repeat) {
    if (tiles_ && repeat == repeat_) return;
    tiles_.reset();
    repeat_ = repeat;
    WordSupply words = supply();
    words.turns = deck_.interleaving();
    tiles_.emplace(Space(), std::move(words));
    tiles_->allocate(tile_words());
  }

  WordSupply supply() {
    const StreamOptions& streams = deck_.streams;
    const WordOrder order = deck_.word_order();
    if (deck_.has_generator()) {
      return make_word_supply(Space(), plans(), {streams.first, streams.count}, streams.mapping(),
                              streams.segments, order);
    }
    io::RawWords words(deck_.source, deck_.form);
    if (!deck_.is_pipe()) seal_ = words.fingerprint();
    return make_word_supply(Space(), std::move(words), order.bits);
  }

  /// Returns one stream plan per seed of the current repeat.
  std::vector<const StreamPlan*> plans() {
    other_plans_.clear();
    std::vector<const StreamPlan*> all;
    for (std::uint64_t k = 0; k < deck_.seeds; ++k) {
      StreamOptions streams = deck_.streams;
      streams.seed += repeat_ * deck_.seeds + k;
      const bool is_deck = streams.seed == deck_.streams.seed;
      if (!is_deck) {
        other_plans_.push_back(streams.plan(io::Communicator::self(), deck_.numbers_per_stream()));
      }
      all.push_back(is_deck ? run_.plan.get() : other_plans_.back().get());
    }
    return all;
  }

  std::uint64_t tile_words() const {
    const std::vector<BatteryTest> tests = deck_.list();
    std::uint64_t item = 0;
    std::uint64_t bytes = 0;
    std::uint64_t concurrent_bytes = 0;  // sum over tests that run concurrently
    const BatteryTest* largest = nullptr;
    for (const BatteryTest& test : tests) {
      const TestClass& kind = class_of(test);
      item = std::max(item, words_together(test, deck_.interleaving()));
      if (largest == nullptr) largest = &test;
      if (kind.runs_concurrently() && !test.pooled) {
        concurrent_bytes += bytes_of(test);
      } else if (bytes_of(test) > bytes) {
        bytes = bytes_of(test);
        largest = &test;
      }
    }
    bytes += concurrent_bytes;
    std::uint64_t usual = usual_words;
    if (deck_.is_shared() && (deck_.is_pipe() || device_build)) {
      // The chunk stays in memory for all tests, together with the words around it that the tests
      // also read.
      usual = deck_.chunk_words() + item;
      if (deck_.is_pipe()) item = usual;
    }
    if (deck_.memory == 0) return std::max(usual, item);
    const std::uint64_t available = deck_.memory > bytes ? deck_.memory - bytes : 0;
    const std::uint64_t words = std::min(tiles_->words_in(available), usual);
    if (words >= item) return words;
    const std::uint64_t needed = bytes + tiles_->bytes_of(item);
    throw Error(
        fmt::format("battery.memory={} B is too small", deck_.memory),
        fmt::format("the tests need {} B ({} the most), and words of all streams {} B", bytes,
                    largest->name(), needed - bytes),
        fmt::format("Set battery.memory={}B or more, or auto, or choose other battery.tests.",
                    needed));
  }

  /// Runs this rank's tests at positions `from` .. stop - 1. Skips tests that need more words than
  /// the sequence contains.
  void run_tests_of_rank(std::uint64_t from, std::uint64_t stop) {
    std::vector<std::pair<std::size_t, TestClass::Result>> pending;
    for (; from < stop; ++from) {
      if (tests_.owner_of(from) != run_.ranks.rank()) continue;
      const std::size_t test_index = tests_.test_at(from);
      const BatteryTest& test = tests_.test(test_index);
      take_repeat(tests_.repeat_of(test_index));
      const std::uint64_t at = tests_.begin_of(test_index);
      if (at + TestSchedule::fixed_words_of(test) > end()) continue;
      try {
        TestClass::Result result = class_of(test).count_all(*tiles_, at, test);
        if (class_of(test).runs_concurrently()) {
          pending.emplace_back(test_index, std::move(result));
        } else {
          add_counts(test_index, result());
        }
      } catch (const SequenceEnded&) {
        continue;
      }
    }
    for (const auto& [test, result] : pending) add_counts(test, result());
  }

  /// Counts this rank's chunks among chunks `from` .. stop - 1. Stops when the words end. With a
  /// pipe, also stops when the remaining time is shorter than the time of the slowest chunk.
  void run_chunks(std::uint64_t from, std::uint64_t stop) {
    double longest = 0;  // seconds of the slowest chunk
    for (io::Stopwatch watch; from < stop; ++from) {
      longest = std::max(longest, watch.seconds());
      watch.restart();
      if (deck_.is_pipe() && run_.seconds_left() < longest) return;
      if (from % static_cast<std::uint64_t>(run_.ranks.size()) !=
          static_cast<std::uint64_t>(run_.ranks.rank())) {
        continue;
      }
      const std::uint64_t begin = deck_.first_word + from * deck_.chunk_words();
      BatteryCounts chunk_counts = layout_.none();
      try {
        // Reads the entire chunk first. Otherwise, if a test read only a part, the tiles would drop
        // the words before this part.
        if (tiles_->capacity() >= deck_.chunk_words()) tiles_->read(begin, deck_.chunk_words());
        for (std::size_t i = 0; i < tests_.size(); ++i) {
          const BatteryTest& test = tests_.test(i);
          std::uint64_t at = begin;
          for (std::uint64_t k = 0; k < test.replications_per_chunk; ++k) {
            const Replication replication = class_of(test).count(*tiles_, at, test);
            layout_.add(chunk_counts, i, {replication});
            at += replication.words;
          }
        }
      } catch (const SequenceEnded&) {
        return;
      }
      // The chunk passed the end, after which words are arbitrary.
      if (begin + deck_.chunk_words() > end()) return;
      ++BatteryLayout::chunks(chunk_counts);
      now_ += chunk_counts;
      thin_windows(BatteryLayout::chunks(now_) * deck_.chunk_words());
      run_.progress->advance(deck_.chunk_words() * static_cast<std::uint64_t>(run_.ranks.size()));
    }
  }
  /// Returns the number of chunks in the deck, or fewer if the words end earlier.
  std::uint64_t wanted_chunks() const {
    const std::uint64_t first = deck_.first_word;
    return std::min(deck_.chunks(), end() > first ? (end() - first) / deck_.chunk_words() : 0);
  }

  void add_counts(std::size_t test, const std::vector<Replication>& replications) {
    std::uint64_t words = 0;
    for (const Replication& replication : replications) words += replication.words;
    // The test passed the end, after which words are arbitrary.
    if (tests_.begin_of(test) + words > end()) return;
    layout_.add(now_, test, replications, tests_.repeat_of(test));
    const bool has_windows = tests_.test(test).kind == TestKind::overlaps;
    if (has_windows) thin_windows(tests_.test(test).n * deck_.repeat);
    run_.progress->advance(static_cast<std::uint64_t>(
        static_cast<double>(TestSchedule::usual_words_of(tests_.test(test))) *
        tests_.load_ratio(run_.ranks.rank())));
  }

  /// Tells all ranks how many words a test read. Collective.
  void record_words(std::size_t test, BatteryCounts& counts) {
    tests_.record_words(test, run_.ranks.sum(layout_.words(counts, test)));
  }

  void thin_windows(std::uint64_t words) { thin(now_.windows, window_level(words)); }

  std::uint64_t end() const { return tiles_->end(); }

  const BatteryDeck& deck_;
  RunContext& run_;
  TestSchedule tests_;
  BatteryLayout layout_;
  std::vector<std::unique_ptr<StreamPlan>> other_plans_;  ///< plans of seeds other than the deck's
  std::optional<WordTiles> tiles_;
  std::size_t repeat_ = 0;  ///< the repeat whose words the tiles hold
  std::string seal_;        ///< seal of a file of words
  BatteryCounts now_;       ///< counts of this rank since the start or the resume
};

}  // namespace

std::unique_ptr<Job> make_battery_job() {
  return std::make_unique<JobOf<BatteryDeck, BatteryWork>>();
}

}  // namespace rivulet
