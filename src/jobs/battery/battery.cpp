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

#include "io/terminal/standard_streams.hpp"
#include "jobs/battery/battery_counts.hpp"
#include "jobs/battery/battery_options.hpp"
#include "jobs/common/counting_job.hpp"
#include "jobs/common/results.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Words of a tile with memory: auto: what a core's cache holds, or what hides a device's launches.
constexpr std::uint64_t usual_words = std::uint64_t{1} << (device_build ? 28 : 21);

/// TestU01's limit for a p-value that is reported, a tenth of it; and, after correction for the
/// number of p-values, that of a failure.
constexpr double suspicious = 1e-4;
constexpr double failing = 1e-10;
/// Statuses of a run in which a test fails, and of another whose words ended too early.
constexpr int failed_status = 3;
constexpr int short_status = 1;

/// Words of a test that were not there: more than any sequence has.
constexpr std::uint64_t never = std::uint64_t{1} << 55;

/// A p-value of a test of the list.
struct Judged {
  std::size_t test;
  PValue found;

  double tail() const { return std::min(found.p, 1 - found.p); }
};

/// Positions are tests, in the order in which they are run: first those that read as many words as
/// the numbers make them, since all later tests begin where they end; then those that run beside
/// the others.
class BatteryJob final : public CountingJob<BatteryOptions, BatteryCounts> {
  Demand demand() const override {
    const StreamOptions& streams = options_.streams;
    std::uint64_t words = options_.first_word + usual_words;
    for (const BatteryTest& test : tests_named(options_.tests)) {
      words += test.N * class_of(test.kind).most_words(test);
    }
    words *= options_.words_per_word();
    const std::uint64_t of_each = words / streams.count + 1 + options_.word_order().run;
    std::optional<std::uint64_t> numbers;
    if (options_.has_generator()) numbers = of_each * streams.numbers_per_word();
    return {.streams = streams,
            .numbers = numbers,
            .unit = "words",
            .differs = "counted otherwise",
            .why_whole = options_.is_pipe() ? "a pipe's words are gone once they were read" : "",
            .free_keys = {"battery.memory"}};
  }
  void check_options() const override { options_.check(); }

  void set_up(JobContext&) override {
    make_list();
    tiles_.emplace(Space(), supply());
    tiles_->allocate(tile_words());
    assign();
  }

  Extent extent() const override {
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
    for (; from < upto && from < dependent_; ++from) {
      ranks().together([&] { run_own(from, from + 1); });
      learn(order_[from], now_);
    }
    ranks().together([&] { run_own(from, upto); });
  }

  BatteryCounts none(StreamRange) const override {
    return BatteryLayout(tests_named(options_.tests)).none();
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
  std::uint64_t resume(const CheckpointReader& saved, std::uint64_t at) override {
    if (!seal_.empty()) {
      saved.require(saved.text("source") == seal_,
                    fmt::format("'{}' had other words, or another length", options_.source));
    }
    return CountingJob::resume(saved, at);
  }
  std::uint64_t go_on(std::uint64_t at, BatteryCounts& then) override {
    for (std::uint64_t i = 0; i < std::min(at, dependent_); ++i) learn(order_[i], then);
    return at;
  }

  void evaluate(JobContext& context) override {
    make_list();
    BatteryCounts all = counts();
    judged_.clear();
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      used_[i] = layout_->words(all, i);
      if (used_[i] == 0) continue;
      const BatteryTest& test = tests_[i];
      std::vector<double> reals;
      for (const std::uint64_t bits : layout_->reals(all, i)) {
        reals.push_back(std::bit_cast<double>(bits));
      }
      for (PValue& one : class_of(test.kind).judge(test, layout_->counters(all, i), reals)) {
        judged_.push_back({i, std::move(one)});
      }
    }
    if (const std::size_t ended = not_done(); ended < tests_.size()) {
      ranks().together([&] { tell_end(ended); });
      context.status = short_status;
    }
    if (std::ranges::any_of(judged_, [this](const Judged& one) { return fails(one); })) {
      context.status = failed_status;
    }
  }

  void results(Results& out) override {
    std::uint64_t words = 0;
    for (const std::uint64_t one : used_) words += one;
    out.group("TestU01's tests of one sequence of words");
    out.stored("tests", tests_.size());
    out.stored("first_word", options_.first_word, "words");
    out.stored("bits", options_.bits_name());
    out.value("words", words, "words", {.unit = ""});
    if (!options_.has_generator()) declare_source(out);
    declare_counts(out);
    declare_tests(out);
    declare_p_values(out);
    if (tiles_) {
      out.memory("state", tiles_->state_bytes());
      out.memory("words in memory", tiles_->tile_bytes());
    }
  }

  void declare_source(Results& out) {
    std::vector<std::string> names;
    for (std::size_t i = not_done(); i < tests_.size(); ++i) names.push_back(tests_[i].name());
    out.value("source", options_.source);
    out.value("not_done", listed(names));
    out.value("words_lacking", names.empty() ? 0 : lacking(not_done()), "words", {.unit = ""});
  }

  void declare_tests(Results& out) {
    std::vector<std::string> names, classes, parameters;
    std::vector<std::uint64_t> first_counter, first_word;
    std::uint64_t at = options_.first_word;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      const BatteryTest& test = tests_[i];
      names.push_back(test.name());
      classes.emplace_back(class_of(test.kind).name());
      parameters.push_back(fmt::format("N = {}, n = {}, r = {}, {}", test.N, test.n, test.r,
                                       class_of(test.kind).parameters(test)));
      first_counter.push_back(layout_->first_counter(i));
      first_word.push_back(at);
      at += used_[i];
    }
    texts(out, "test", names, "of each test its set and number");
    texts(out, "class", classes, "of each test its class");
    texts(out, "parameters", parameters, "of each test its parameters");
    out.dataset("first_counter", first_counter, "of each test where its counters begin");
    out.dataset("first_word_of_test", first_word, "of each test its first word in the sequence",
                "words");
    out.dataset("words_of_test", used_, "of each test the words that it read", "words");
  }

  void declare_p_values(Results& out) {
    std::vector<std::string> statistics, suspects, failures;
    std::vector<std::uint64_t> test_of;
    std::vector<double> values, p, testu01;
    for (const Judged& one : judged_) {
      const std::string name = name_of(one);
      out.told(name, one.found.p, "", 4);
      if (one.found.testu01) out.told(name + ", TestU01's law", *one.found.testu01, "", 4);
      if (fails(one)) failures.push_back(name);
      if (!fails(one) && one.tail() < suspicious) suspects.push_back(name);
      test_of.push_back(one.test);
      statistics.push_back(one.found.statistic);
      values.push_back(one.found.value);
      p.push_back(one.found.p);
      testu01.push_back(one.found.testu01.value_or(one.found.p));
    }
    texts(out, "statistic_name", statistics, "of each p-value which of its test's statistics");
    out.dataset("test_of_p", test_of, "of each p-value its test, counted from 0");
    out.dataset("statistic", values, "of each p-value its statistic");
    out.dataset("p_value", p, "as TestU01 has them: near 0 or near 1 if a test fails");
    out.dataset("p_value_of_testu01", testu01, "by TestU01's law, which is off for some tests");
    out.value("suspicious", listed(suspects));
    out.value("failed", listed(failures));
  }

  static void texts(Results& out, const std::string& name, const std::vector<std::string>& values,
                    const std::string& description) {
    if (out.file() == nullptr) return;
    out.file()->texts(results_group("battery") + "/" + name, values, description);
  }

  static std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }
  std::string name_of(const Judged& one) const {
    const BatteryTest& test = tests_[one.test];
    return fmt::format("{} {}{}{}", test.name(), class_of(test.kind).name(),
                       one.found.statistic.empty() ? "" : " ", one.found.statistic);
  }
  bool fails(const Judged& one) const {
    return 2 * one.tail() * static_cast<double>(judged_.size()) < failing;
  }

  void make_list() {
    tests_ = tests_named(options_.tests);
    layout_.emplace(tests_);
    used_.resize(tests_.size());
  }

  std::unique_ptr<WordSupply> supply() {
    const StreamOptions& streams = options_.streams;
    const WordOrder order = options_.word_order();
    if (options_.has_generator()) {
      return make_word_supply(Space(), plan(), {streams.first, streams.count}, streams.mapping(),
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

  /// Orders the tests, and gives each of those whose words are known to the rank that has least to
  /// do.
  void assign() {
    order_.resize(tests_.size());
    std::iota(order_.begin(), order_.end(), 0);
    dependent_ = order_.size();
    if (!options_.is_pipe()) {
      const auto turn = [this](std::size_t i) {
        if (fixed_words(tests_[i]) == 0) return 0;
        return class_of(tests_[i].kind).runs_aside() ? 1 : 2;
      };
      std::ranges::stable_sort(order_, {}, turn);
      dependent_ = static_cast<std::uint64_t>(std::ranges::count(order_, 0, turn));
    }
    std::vector<std::uint64_t> load(static_cast<std::size_t>(ranks().size()));
    owner_.clear();
    for (const std::size_t test : order_) {
      const auto least = std::ranges::min_element(load);
      *least += usual_of(tests_[test]);
      owner_.push_back(static_cast<int>(least - load.begin()));
    }
  }

  static std::uint64_t usual_of(const BatteryTest& test) {
    return test.N * class_of(test.kind).words(test);
  }
  /// 0 if the words depend on the numbers.
  static std::uint64_t fixed_words(const BatteryTest& test) {
    const TestClass& kind = class_of(test.kind);
    return kind.most_words(test) == kind.words(test) ? usual_of(test) : 0;
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
    if (options_.memory == 0) return std::max(usual_words, item);
    const std::uint64_t left = options_.memory > bytes ? options_.memory - bytes : 0;
    const std::uint64_t words = std::min(tiles_->words_in(left), usual_words);
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

  void keep(std::size_t test, const std::vector<Replication>& replications) {
    std::uint64_t words = 0;
    for (const Replication& one : replications) words += one.words;
    // Those behind the end are no words of the sequence.
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
    return std::accumulate(used_.begin(), used_.begin() + static_cast<std::ptrdiff_t>(test),
                           options_.first_word);
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
  std::optional<WordTiles> tiles_;
  std::string seal_;                 ///< of a file
  std::vector<std::size_t> order_;   ///< tests by position
  std::uint64_t dependent_ = 0;      ///< positions of tests whose words depend on the numbers
  std::vector<int> owner_;           ///< rank, by position
  std::vector<std::uint64_t> used_;  ///< words that each test reads, as far as it is known
  BatteryCounts now_;                ///< of this rank, since the start or the resume
  std::vector<Judged> judged_;
};

}  // namespace

std::unique_ptr<Job> make_battery_job() { return std::make_unique<BatteryJob>(); }

}  // namespace rivulet
