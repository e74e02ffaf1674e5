// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "battery/run_tests.hpp"
#include "io/terminal/standard_streams.hpp"
#include "jobs/battery/battery_counts.hpp"
#include "jobs/battery/battery_options.hpp"
#include "jobs/battery/judged_tests.hpp"
#include "jobs/common/counting_job.hpp"
#include "jobs/common/results.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Statuses of a run in which a test fails, and of another whose words ended too early.
constexpr int failed_status = 3;
constexpr int short_status = 1;

/// Words of a test that were not there: more than any sequence has.
constexpr std::uint64_t never = std::uint64_t{1} << 55;

/// Positions are tests, seed by seed, in the order in which they are run: first those that read as
/// many words as the numbers make them, since all later tests begin where they end; then those that
/// run beside the others. Of shared tests they are chunks.
class BatteryJob final : public CountingJob<BatteryOptions, BatteryCounts> {
  Demand demand() const override {
    std::optional<std::uint64_t> numbers;
    if (options_.has_generator()) numbers = numbers_of_each();
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
    take_repeat(0);
    assign();
  }

  Extent extent() const override {
    if (options_.is_shared()) {
      const std::uint64_t chunk = options_.chunk;
      const std::uint64_t chunks = wanted_chunks();
      const auto read = static_cast<double>(chunks_ * chunk);
      return {chunks, 1, chunk * tests_.size(), chunks * chunk, "words", read};
    }
    std::uint64_t words = 0;
    std::uint64_t read = 0;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      words += usual_of(tests_[i]);
      read += used_[i];
    }
    return {tests_.size(), 1, words / tests_.size(), words, "words", static_cast<double>(read)};
  }

  void restart() override {
    forget_counts();
    now_ = layout_->none();
    for (std::size_t i = 0; i < tests_.size(); ++i) used_[i] = fixed_words(tests_[i]);
  }

  void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) override {
    const auto scope = context.timer.scope(io::Phase::compute);
    if (options_.is_shared()) {
      ranks().together([&] { run_chunks(from, upto); });
      return;
    }
    while (from < upto) {
      std::uint64_t next = from + 1;
      if (!is_awaited(from)) {
        while (next < upto && !is_awaited(next)) ++next;
      }
      ranks().together([&] { run_own(from, next); });
      if (is_awaited(from)) learn(order_[from], now_);
      from = next;
    }
  }

  BatteryCounts none(StreamRange) const override { return BatteryLayout(all_tests()).none(); }
  CountedIds ids() const override { return {}; }

  BatteryCounts count(io::PhaseTimer&) override {
    BatteryCounts all = now_;
    return all += before();
  }

  void save(io::ResultsFile& file) override {
    CountingJob::save(file);
    if (!seal_.empty()) file.attribute(state_group, "source", seal_);
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
      if (is_awaited(i)) learn(order_[i], then);
    }
    return at;
  }

  void evaluate(JobContext& context) override {
    make_list();
    BatteryCounts all = counts();
    for (std::size_t i = 0; i < tests_.size(); ++i) used_[i] = layout_->words(all, i);
    if (options_.is_shared()) {
      chunks_ = BatteryLayout::chunks(all);
      ranks().together([&] { require_chunk(); });
      for (BatteryTest& test : tests_) test.N = chunks_;
    } else if (const std::size_t ended = not_done(); ended < tests_.size()) {
      ranks().together([&] { tell_end(ended); });
      context.status = short_status;
    }
    judged_.emplace(tests_, repeats(), *layout_, std::move(all));
    if (judged_->any_fails()) context.status = failed_status;
  }

  void results(Results& out) override {
    std::uint64_t words = 0;
    for (const std::uint64_t one : used_) words += one;
    out.group("Statistical tests of a sequence of words");
    out.stored("tests", tests_.size() / repeats());
    out.stored("first_word", options_.first_word, "words");
    out.stored("bits", options_.bits_name());
    out.stored("repeats", options_.repeat);
    if (options_.is_shared()) {
      out.value("chunks", chunks_);
      words = chunks_ * options_.chunk;
    }
    out.value("words", words, "words", {.unit = ""});
    if (!options_.has_generator()) declare_source(out);
    declare_counts(out);
    declare_tests(out);
    judged_->declare(out);
    if (tiles_) {
      out.memory("state", tiles_->state_bytes());
      out.memory("words in memory", tiles_->tile_bytes());
    }
  }

  void declare_source(Results& out) {
    out.value("source", options_.source);
    if (options_.is_shared()) return;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      if (used_[i] == 0) names.push_back(tests_[i].name());
    }
    out.value("not_done", listed(names));
    out.value("words_lacking", names.empty() ? 0 : lacking(not_done()), "words", {.unit = ""});
  }

  void declare_tests(Results& out) {
    std::vector<std::string> names, classes, parameters;
    std::vector<std::uint64_t> first_counter, first_word;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      const BatteryTest& test = tests_[i];
      names.push_back(name_in_repeats(tests_, repeats(), i));
      classes.emplace_back(class_of(test.kind).name);
      parameters.push_back(fmt::format("N = {}, n = {}, r = {}, {}", test.N, test.n, test.r,
                                       class_of(test.kind).parameters(test)));
      first_counter.push_back(layout_->first_counter(i));
      first_word.push_back(begin_of(i));
    }
    declare_texts(out, "test", names, "of each test its set and number");
    declare_texts(out, "class", classes, "of each test its class");
    declare_texts(out, "parameters", parameters, "of each test its parameters");
    out.dataset("first_counter", first_counter, "of each test where its counters begin");
    out.dataset("first_word_of_test", first_word, "of each test its first word in the sequence",
                "words");
    out.dataset("words_of_test", used_, "of each test the words that it read", "words");
  }

  std::size_t repeats() const { return options_.repeat; }
  /// The tests of all seeds.
  std::vector<BatteryTest> all_tests() const {
    const std::vector<BatteryTest> list = options_.list();
    std::vector<BatteryTest> all;
    for (std::size_t k = 0; k < repeats(); ++k) all.insert(all.end(), list.begin(), list.end());
    return all;
  }
  void make_list() {
    tests_ = all_tests();
    layout_.emplace(tests_);
    used_.resize(tests_.size());
  }

  /// Numbers that each stream draws at most.
  std::uint64_t numbers_of_each() const {
    const StreamOptions& streams = options_.streams;
    std::uint64_t words = options_.first_word + usual_words;
    if (options_.is_shared()) words += options_.chunks() * options_.chunk;
    for (const BatteryTest& test : options_.list()) {
      words += (test.pooled ? 1 : test.N) * class_of(test.kind).most_words(test);
    }
    words *= options_.words_per_word();
    const std::uint64_t of_each = words / streams.count + 1 + options_.word_order().run;
    return of_each * streams.numbers_per_word();
  }

  /// Makes the sequence of one of the repeats. Alone.
  void take_repeat(std::size_t repeat) {
    if (tiles_ && repeat == repeat_) return;
    tiles_.reset();
    repeat_ = repeat;
    other_plans_.clear();
    tiles_.emplace(Space(), supply());
    tiles_->allocate(tile_words());
  }
  /// Those of the repeat's seeds.
  std::vector<const StreamPlan*> plans() {
    std::vector<const StreamPlan*> all;
    for (std::uint64_t k = 0; k < options_.seeds; ++k) {
      StreamOptions streams = options_.streams;
      streams.seed += repeat_ * options_.seeds + k;
      if (streams.seed != options_.streams.seed) {
        other_plans_.push_back(streams.plan(io::Communicator::self(), numbers_of_each()));
      }
      all.push_back(streams.seed == options_.streams.seed ? &plan() : other_plans_.back().get());
    }
    return all;
  }

  std::unique_ptr<WordSupply> supply() {
    const StreamOptions& streams = options_.streams;
    const WordOrder order = options_.word_order();
    if (options_.has_generator()) {
      return make_word_supply(Space(), plans(), {streams.first, streams.count}, streams.mapping(),
                              streams.segments, order);
    }
    if (options_.is_pipe() && ranks().size() > 1) {
      throw Error(fmt::format("battery.source={} on {} MPI ranks", options_.source, ranks().size()),
                  "each word of a pipe goes to one of them", "Start one rank, or name a file.");
    }
    io::RawWords words(options_.source, options_.form);
    if (!options_.is_pipe()) seal_ = words.seal();
    return make_word_supply(Space(), std::move(words), order.bits);
  }

  /// Orders the tests of each seed, and gives each of those whose words are known to the rank that
  /// has least to do.
  void assign() {
    order_.resize(tests_.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (!options_.is_pipe()) {
      const auto turn = [this](std::size_t i) {
        const bool is_aside = class_of(tests_[i].kind).runs_aside();
        return std::pair(repeat_of(i), waits_for(i) ? 0 : is_aside ? 1 : 2);
      };
      std::ranges::stable_sort(order_, {}, turn);
    }
    std::vector<std::uint64_t> load(static_cast<std::size_t>(ranks().size()));
    owner_.clear();
    for (const std::size_t test : order_) {
      const auto least = std::ranges::min_element(load);
      *least += usual_of(tests_[test]);
      owner_.push_back(static_cast<int>(least - load.begin()));
    }
  }

  std::size_t repeat_of(std::size_t test) const { return test / (tests_.size() / repeats()); }
  /// Whether later tests begin where this one ends, which depends on the numbers.
  bool waits_for(std::size_t test) const {
    return options_.sequence == TestTurns::testu01 && fixed_words(tests_[test]) == 0;
  }
  bool is_awaited(std::uint64_t position) const { return waits_for(order_[position]); }

  static std::uint64_t usual_of(const BatteryTest& test) {
    return test.N * class_of(test.kind).words(test);
  }
  /// 0 if the words depend on the numbers.
  static std::uint64_t fixed_words(const BatteryTest& test) {
    const TestClass& kind = class_of(test.kind);
    return !test.pooled && kind.most_words(test) == kind.words(test) ? usual_of(test) : 0;
  }

  /// Words of a tile that battery.memory has room for beside what the tests need.
  std::uint64_t tile_words() const {
    std::uint64_t item = 0;
    std::uint64_t bytes = 0;
    const BatteryTest* largest = nullptr;
    for (const BatteryTest& test : tests_) {
      const TestClass& kind = class_of(test.kind);
      item = std::max(item, kind.item_words(test));
      if (kind.bytes(test) <= bytes) continue;
      bytes = kind.bytes(test);
      largest = &test;
    }
    std::uint64_t usual = usual_words;
    if (options_.is_shared() && (options_.is_pipe() || device_build)) {
      // A chunk stays in memory for all tests, with what they read before and behind their own.
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
      if (owner_[from] != ranks().rank()) continue;
      const std::size_t own = order_[from];
      const BatteryTest& test = tests_[own];
      take_repeat(repeat_of(own));
      const std::uint64_t at = begin_of(own);
      if (at + fixed_words(test) > tiles_->end()) continue;
      try {
        TestClass::Result result = class_of(test.kind).count_all(*tiles_, at, test);
        if (class_of(test.kind).runs_aside()) {
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
        for (std::size_t i = 0; i < tests_.size(); ++i) {
          add_to(own, i, class_of(tests_[i].kind).count(*tiles_, begin, tests_[i]));
        }
      } catch (const SequenceEnded&) {
        return;
      }
      // The words behind the end are no words of the sequence.
      if (begin + options_.chunk > tiles_->end()) return;
      ++BatteryLayout::chunks(own);
      now_ += own;
      progress().advance(options_.chunk);
    }
  }
  void add_to(BatteryCounts& counts, std::size_t test, const Replication& one) const {
    layout_->words(counts, test) += one.words;
    auto counters = layout_->counters(counts, test);
    for (std::size_t c = 0; c < counters.size(); ++c) counters[c] += one.counts[c];
  }
  /// Chunks of the deck, as far as there are words.
  std::uint64_t wanted_chunks() const {
    const std::uint64_t end = tiles_->end();
    const std::uint64_t first = options_.first_word;
    return std::min(options_.chunks(), end > first ? (end - first) / options_.chunk : 0);
  }

  void require_chunk() const {
    if (chunks_ > 0) return;
    throw Error(fmt::format("the words of '{}' ended", options_.source),
                fmt::format("there were fewer than the {} words of a chunk", options_.chunk),
                "Give more words, or a smaller battery.chunk.");
  }

  void keep(std::size_t test, const std::vector<Replication>& replications) {
    std::uint64_t words = 0;
    for (const Replication& one : replications) words += one.words;
    // The words behind the end are no words of the sequence.
    if (begin_of(test) + words > tiles_->end()) return;
    layout_->words(now_, test) = words;
    auto counters = layout_->counters(now_, test).begin();
    auto reals = layout_->reals(now_, test).begin();
    for (const Replication& one : replications) {
      counters = std::ranges::copy(one.counts, counters).out;
      for (const double real : one.reals) *reals++ = std::bit_cast<std::uint64_t>(real);
    }
    progress().advance(usual_of(tests_[test]));
  }

  std::uint64_t begin_of(std::size_t test) const {
    if (options_.sequence != TestTurns::testu01) return options_.first_word;
    const std::size_t first = test - test % (tests_.size() / repeats());
    return std::accumulate(used_.begin() + static_cast<std::ptrdiff_t>(first),
                           used_.begin() + static_cast<std::ptrdiff_t>(test), options_.first_word);
  }

  /// Tells all ranks how many words a test read. Collective.
  void learn(std::size_t test, BatteryCounts& counts) {
    const std::uint64_t words = ranks().sum(layout_->words(counts, test));
    used_[test] = words == 0 ? never : words;
  }

  /// After the run: the first test that was not done, for want of words; else their number.
  std::size_t not_done() const {
    return static_cast<std::size_t>(std::ranges::find(used_, 0) - used_.begin());
  }
  /// The words that it lacked, of those that it usually reads.
  std::uint64_t lacking(std::size_t test) const {
    const std::uint64_t end = begin_of(test) + usual_of(tests_[test]);
    return end > tiles_->end() ? end - tiles_->end() : 1;
  }
  void tell_end(std::size_t test) const {
    const std::string problem = fmt::format("the words of '{}' ended", options_.source);
    const std::string why =
        fmt::format("{} lacked {}{} words", tests_[test].name(),
                    fixed_words(tests_[test]) == 0 ? "about " : "", lacking(test));
    if (test == 0) throw Error(problem, why, "Give more words, or choose smaller tests.");
    if (ranks().is_root()) {
      io::warn(fmt::format("{} ({}); only the tests before it are judged", problem, why));
    }
  }

  std::vector<BatteryTest> tests_;
  std::optional<BatteryLayout> layout_;
  std::vector<std::unique_ptr<StreamPlan>> other_plans_;  ///< of other seeds than the deck's
  std::optional<WordTiles> tiles_;
  std::size_t repeat_ = 0;           ///< of the tiles
  std::uint64_t chunks_ = 0;         ///< that were seen
  std::string seal_;                 ///< of a file
  std::vector<std::size_t> order_;   ///< tests by position
  std::vector<int> owner_;           ///< rank, by position
  std::vector<std::uint64_t> used_;  ///< words that each test reads, as far as it is known
  BatteryCounts now_;                ///< of this rank, since the start or the resume
  std::optional<JudgedTests> judged_;
};

}  // namespace

std::unique_ptr<Job> make_battery_job() { return std::make_unique<BatteryJob>(); }

}  // namespace rivulet
