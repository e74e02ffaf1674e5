// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "battery/job/battery_counts.hpp"
#include "battery/job/battery_options.hpp"
#include "battery/job/judged_tests.hpp"
#include "battery/job/test_schedule.hpp"
#include "battery/run_tests.hpp"
#include "io/terminal/standard_streams.hpp"
#include "jobs/common/counting_job.hpp"
#include "jobs/common/results.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Statuses of a run in which a test fails, and of another whose words ended too early.
constexpr int failed_status = 3;
constexpr int short_status = 1;

/// Positions are those of the schedule; of shared tests they are chunks.
class BatteryJob final : public CountingJob<BatteryOptions, BatteryCounts> {
  Demand demand() const override {
    std::optional<std::uint64_t> numbers;
    if (options_.has_generator()) numbers = options_.numbers_per_stream();
    return {.streams = options_.streams,
            .numbers = numbers,
            .unit = "words",
            .differs = "counted otherwise",
            .why_whole = options_.is_pipe() ? "a pipe's words are gone once they were read" : "",
            .free_keys = {"battery.memory"}};
  }
  void check_options() const override { options_.check(); }

  void set_up(JobContext&) override {
    make_list();
    if (options_.is_pipe() && ranks().size() > 1) {
      throw Error(fmt::format("battery.source={} on {} MPI ranks", options_.source, ranks().size()),
                  "each word of a pipe goes to one of them", "Start one rank, or name a file.");
    }
    take_repeat(0);
    tests_->share_among(ranks().size());
  }

  Extent extent() const override {
    if (options_.is_shared()) {
      const std::uint64_t chunk = options_.chunk;
      const std::uint64_t chunks = wanted_chunks();
      const auto read = static_cast<double>(chunks_ * chunk);
      return {chunks, 1, chunk * tests_->size(), chunks * chunk, "words", read};
    }
    std::uint64_t words = 0;
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < tests_->size(); ++i) {
      words += TestSchedule::usual_words_of(tests_->test(i));
      read += tests_->used()[i];
    }
    return {tests_->size(), 1, words / tests_->size(), words, "words", static_cast<double>(read)};
  }

  void restart() override {
    forget_counts();
    now_ = layout_->none();
    tests_->restart();
  }

  void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) override {
    const auto scope = context.timer.scope(io::Phase::compute);
    if (options_.is_shared()) {
      ranks().together([&] { run_chunks(from, upto); });
      return;
    }
    while (from < upto) {
      std::uint64_t next = from + 1;
      if (!tests_->is_awaited(from)) {
        while (next < upto && !tests_->is_awaited(next)) ++next;
      }
      ranks().together([&] { run_own(from, next); });
      if (tests_->is_awaited(from)) learn(tests_->test_at(from), now_);
      from = next;
    }
  }

  BatteryCounts none(StreamRange) const override {
    return BatteryLayout(options_.all_tests()).none();
  }
  CountedIds ids() const override { return {}; }

  BatteryCounts count(io::PhaseTimer&) override {
    BatteryCounts all = now_;
    return all += before();
  }

  void save(io::ResultsFile& file) override {
    CountingJob::save(file);
    if (!seal_.empty()) file.attribute(state_group, "source", seal_);
  }
  int status_of(const io::ReadFile& file) const override {
    const auto names_any = [&, group = results_group("battery")](const char* list) {
      return file.has_attribute(group, list) && file.attribute<std::string>(group, list) != "none";
    };
    return names_any("failed") ? failed_status : names_any("not_done") ? short_status : 0;
  }
  std::uint64_t resume(const CheckpointReader& saved, std::uint64_t at) override {
    if (!seal_.empty()) {
      saved.require(saved.text("source") == seal_,
                    fmt::format("'{}' had other words, or another length", options_.source));
    }
    return CountingJob::resume(saved, at);
  }
  std::uint64_t go_on(std::uint64_t at, BatteryCounts& then) override {
    if (options_.is_shared()) return at;
    for (std::uint64_t i = 0; i < at; ++i) {
      if (tests_->is_awaited(i)) learn(tests_->test_at(i), then);
    }
    return at;
  }

  Portion portion(const MergeInput& part) const override { return portion_of(options_, part.path); }
  std::vector<std::string> settings(const Portion& all) const override {
    return settings_of(options_, all);
  }
  BatteryCounts none_of(const MergeInput& part) const override {
    return BatteryLayout(tests_of(options_, part.portion)).none();
  }
  BatteryCounts in_whole(const MergeInput& part, BatteryCounts own) const override {
    return rivulet::in_whole(options_, part, std::move(own));
  }

  void evaluate(JobContext& context) override {
    make_list();
    BatteryCounts all = counts();
    std::vector<std::uint64_t> used;
    for (std::size_t i = 0; i < tests_->size(); ++i) used.push_back(layout_->words(all, i));
    tests_->end(std::move(used));
    if (options_.is_shared()) {
      chunks_ = BatteryLayout::chunks(all);
      ranks().together([&] { require_chunk(); });
      tests_->end_chunks(chunks_);
      tell_left_out(context);
    } else if (const std::size_t ended = tests_->not_done(); ended < tests_->size()) {
      ranks().together([&] { tell_end(ended); });
      context.status = short_status;
    }
    judged_.emplace(tests_->tests(), repeats(), *layout_, std::move(all));
    if (judged_->any_fails()) context.status = failed_status;
  }

  void results(Results& out) override {
    if (out.describes()) {
      make_list();
      judged_.emplace();
    }
    std::uint64_t words = chunks_ * options_.chunk;
    if (!options_.is_shared()) {
      words = std::accumulate(tests_->used().begin(), tests_->used().end(), std::uint64_t{0});
    }
    out.group("Statistical tests of a sequence of words");
    out.stored("tests", tests_->size() / repeats(), "", "tests per seed");
    out.stored("first_word", options_.first_word, "words", "first word of the sequence");
    out.stored("bits", options_.bits_name(), "", "as in the deck");
    out.stored("repeats", options_.repeat, "", "seeds");
    out.when(options_.is_shared(), "with battery.sequence=shared",
             [&] { out.value("chunks", chunks_, "", "chunks that the tests read"); });
    out.value("words", words, "words", "words of all tests, or of the chunks", {.unit = ""});
    declare_source(out);
    declare_counts(out);
    declare_tests(out, *tests_, *layout_);
    judged_->declare(out);
    if (!tiles_) return;  // parts are merged
    if (options_.has_generator() && io::has_input()) {
      out.told("warning", "standard input was not read: battery.source=stdin tests it");
    }
    out.memory("state", tiles_->state_bytes());
    out.memory("words in memory", tiles_->tile_bytes());
  }

  void declare_source(Results& out) {
    const bool is_outside = !options_.has_generator();
    out.when(is_outside, "with words from outside",
             [&] { out.value("source", options_.source, "", "battery.source of the deck"); });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tests_->size(); ++i) {
      const BatteryTest& test = tests_->test(i);
      if (tests_->used()[i] == 0 || !is_judgeable(test)) names.push_back(test.name());
    }
    out.when(is_outside || options_.is_shared(), "with words from outside, or shared", [&] {
      out.value("not_done", listed(names), "", "tests that had too few words, or \"none\"");
    });
    out.when(is_outside && !options_.is_shared(), "with words from outside", [&] {
      const bool lacks = !names.empty() && !out.describes();
      out.value("words_lacking", lacks ? lacking(tests_->not_done()) : 0, "words",
                "words that the first of these lacked", {.unit = ""});
    });
  }

  std::size_t repeats() const { return options_.repeat; }
  void make_list() {
    tests_.emplace(options_);
    layout_.emplace(tests_->tests());
  }

  /// Makes tiles of a repeat's words, which battery.memory has room for.
  void take_repeat(std::size_t repeat) {
    if (tiles_ && repeat == repeat_) return;
    tiles_.reset();
    repeat_ = repeat;
    tiles_.emplace(Space(), supply());
    tiles_->allocate(tile_words());
  }

  WordSupply supply() {
    const StreamOptions& streams = options_.streams;
    const WordOrder order = options_.word_order();
    if (options_.has_generator()) {
      return make_word_supply(Space(), plans(), {streams.first, streams.count}, streams.mapping(),
                              streams.segments, order);
    }
    io::RawWords words(options_.source, options_.form);
    if (!options_.is_pipe()) seal_ = words.seal();
    return make_word_supply(Space(), std::move(words), order.bits);
  }

  /// The plans of the repeat's seeds.
  std::vector<const StreamPlan*> plans() {
    other_plans_.clear();
    std::vector<const StreamPlan*> all;
    for (std::uint64_t k = 0; k < options_.seeds; ++k) {
      StreamOptions streams = options_.streams;
      streams.seed += repeat_ * options_.seeds + k;
      const bool is_deck = streams.seed == options_.streams.seed;
      if (!is_deck) {
        other_plans_.push_back(
            streams.plan(io::Communicator::self(), options_.numbers_per_stream()));
      }
      all.push_back(is_deck ? &plan() : other_plans_.back().get());
    }
    return all;
  }

  std::uint64_t tile_words() const {
    const std::vector<BatteryTest> tests = options_.list();
    std::uint64_t item = 0;
    std::uint64_t bytes = 0;
    const BatteryTest* largest = nullptr;
    for (const BatteryTest& test : tests) {
      const TestClass& kind = class_of(test);
      item = std::max(item, kind.item_words(test));
      if (kind.bytes(test) <= bytes) continue;
      bytes = kind.bytes(test);
      largest = &test;
    }
    std::uint64_t usual = usual_words;
    if (options_.is_shared() && (options_.is_pipe() || device_build)) {
      // The chunk stays in memory for all tests, with the words that they read before and after it.
      usual = options_.chunk + item;
      if (options_.is_pipe()) item = usual;
    }
    if (options_.memory == 0) return std::max(usual, item);
    const std::uint64_t left = options_.memory > bytes ? options_.memory - bytes : 0;
    const std::uint64_t words = std::min(tiles_->words_in(left), usual);
    if (words >= item) return words;
    const std::uint64_t least = bytes + tiles_->bytes_of(item);
    throw Error(fmt::format("battery.memory={} B is too small", options_.memory),
                fmt::format("{} needs {} B, and words of all streams take {} B", largest->name(),
                            bytes, least - bytes),
                fmt::format("Give at least {} B, or auto, or choose other tests.", least));
  }

  /// Runs the tests at positions that are this rank's, but for those that the words end before.
  void run_own(std::uint64_t from, std::uint64_t upto) {
    std::vector<std::pair<std::size_t, TestClass::Result>> begun;
    for (; from < upto; ++from) {
      if (tests_->owner_of(from) != ranks().rank()) continue;
      const std::size_t own = tests_->test_at(from);
      const BatteryTest& test = tests_->test(own);
      take_repeat(tests_->repeat_of(own));
      const std::uint64_t at = tests_->begin_of(own);
      if (at + TestSchedule::fixed_words_of(test) > end()) continue;
      try {
        TestClass::Result result = class_of(test).count_all(*tiles_, at, test);
        if (class_of(test).runs_aside()) {
          begun.emplace_back(own, std::move(result));
        } else {
          keep(own, result());
        }
      } catch (const SequenceEnded&) {
        continue;
      }
    }
    for (const auto& [test, result] : begun) keep(test, result());
  }

  /// Counts this rank's chunks, up to the end of the words.
  void run_chunks(std::uint64_t from, std::uint64_t upto) {
    for (; from < upto; ++from) {
      if (from % static_cast<std::uint64_t>(ranks().size()) !=
          static_cast<std::uint64_t>(ranks().rank())) {
        continue;
      }
      const std::uint64_t begin = options_.first_word + from * options_.chunk;
      BatteryCounts own = layout_->none();
      try {
        for (std::size_t i = 0; i < tests_->size(); ++i) {
          const BatteryTest& test = tests_->test(i);
          layout_->add(own, i, {class_of(test).count(*tiles_, begin, test)});
        }
      } catch (const SequenceEnded&) {
        return;
      }
      // The words behind the end are no words of the sequence.
      if (begin + options_.chunk > end()) return;
      ++BatteryLayout::chunks(own);
      now_ += own;
      progress().advance(options_.chunk * static_cast<std::uint64_t>(ranks().size()));
    }
  }
  /// Chunks of the deck, as far as there are words.
  std::uint64_t wanted_chunks() const {
    const std::uint64_t first = options_.first_word;
    return std::min(options_.chunks(), end() > first ? (end() - first) / options_.chunk : 0);
  }

  void require_chunk() const {
    if (chunks_ > 0) return;
    throw Error(fmt::format("the words of '{}' ended", options_.source),
                fmt::format("there were fewer than the {} words of a chunk", options_.chunk),
                "Give more words, or a smaller battery.chunk.");
  }

  /// Warns of tests that saw too few words for their laws.
  void tell_left_out(JobContext& context) const {
    std::vector<std::string> needs;
    for (const BatteryTest& test : tests_->tests()) {
      if (is_judgeable(test)) continue;
      const std::uint64_t chunks = (class_of(test).least_items(test) - 1) / test.n + 1;
      needs.push_back(fmt::format("{} needs {} words", test.name(), chunks * options_.chunk));
    }
    if (needs.empty()) return;
    context.status = short_status;
    if (ranks().is_root()) io::warn(fmt::format("not judged for want of words: {}", listed(needs)));
  }

  void keep(std::size_t test, const std::vector<Replication>& replications) {
    std::uint64_t words = 0;
    for (const Replication& one : replications) words += one.words;
    // The words behind the end are no words of the sequence.
    if (tests_->begin_of(test) + words > end()) return;
    layout_->add(now_, test, replications);
    progress().advance(static_cast<std::uint64_t>(
        static_cast<double>(TestSchedule::usual_words_of(tests_->test(test))) *
        tests_->words_per_own(ranks().rank())));
  }

  /// Tells all ranks how many words a test read. Collective.
  void learn(std::size_t test, BatteryCounts& counts) {
    tests_->learn(test, ranks().sum(layout_->words(counts, test)));
  }

  std::uint64_t end() const { return tiles_->end(); }
  /// Words that a test lacked which was not done, of those that it usually reads.
  std::uint64_t lacking(std::size_t test) const {
    const std::uint64_t wanted =
        tests_->begin_of(test) + TestSchedule::usual_words_of(tests_->test(test));
    return wanted > end() ? wanted - end() : 1;
  }
  void tell_end(std::size_t test) const {
    const std::string problem = fmt::format("the words of '{}' ended", options_.source);
    const std::string why = fmt::format(
        "{} lacked {}{} words", tests_->test(test).name(),
        TestSchedule::fixed_words_of(tests_->test(test)) == 0 ? "about " : "", lacking(test));
    if (test == 0) throw Error(problem, why, "Give more words, or choose smaller tests.");
    if (ranks().is_root()) {
      io::warn(fmt::format("{} ({}); only the tests before it are judged", problem, why));
    }
  }

  std::optional<TestSchedule> tests_;
  std::optional<BatteryLayout> layout_;
  std::vector<std::unique_ptr<StreamPlan>> other_plans_;  ///< of other seeds than the deck's
  std::optional<WordTiles> tiles_;
  std::size_t repeat_ = 0;    ///< whose words the tiles have
  std::string seal_;          ///< of a file
  std::uint64_t chunks_ = 0;  ///< that were seen
  BatteryCounts now_;         ///< of this rank, since the start or the resume
  std::optional<JudgedTests> judged_;
};

}  // namespace

std::unique_ptr<Job> make_battery_job() { return std::make_unique<BatteryJob>(); }

}  // namespace rivulet
