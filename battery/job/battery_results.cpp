// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/battery_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "battery/job/test_schedule.hpp"
#include "battery/laws/distributions.hpp"
#include "battery/run_tests.hpp"
#include "io/words/standard_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr int failed_status = 3;  ///< exit status if a test fails
constexpr int short_status = 1;   ///< exit status if the words ended too early

// Limits of the verdicts: tail_of() times the repeats must be below the limit. TestU01 reports
// p-values below 1e-3 or above 1 - 1e-3.
constexpr double suspicious = 1e-4;
constexpr double unusual = 1e-3;

/// Returns the names joined by commas, or "none".
std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// The p-values of tests, possibly repeated with other seeds.
class JudgedTests {
 public:
  /// Judges the tests. Tests without counts get no p-values. `repeats` must divide the number of
  /// tests.
  JudgedTests(const std::vector<BatteryTest>& tests, std::size_t repeats,
              const BatteryLayout& layout, BatteryCounts& counts, const Interleaving& turns)
      : tests_(tests), repeats_(repeats) {
    const std::size_t each = tests_.size() / repeats_;
    std::map<std::pair<std::size_t, std::string>, std::vector<double>> p_by_statistic;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      const BatteryTest& test = tests_[i];
      if (layout.words(counts, i) == 0 || !is_judgeable(test)) continue;
      std::vector<double> reals;
      for (const std::uint64_t bits : layout.reals(counts, i)) {
        reals.push_back(std::bit_cast<double>(bits));
      }
      KeptWindows windows;
      if (test.kind == TestKind::overlaps) {
        std::ranges::copy_if(counts.windows, std::back_inserter(windows),
                             [&](const KeptWindow& window) { return window.repeat() == i / each; });
      }
      for (PValue& p_value : judged(test, layout.counters(counts, i), reals, {windows, turns})) {
        p_by_statistic[{i % each, p_value.statistic}].push_back(p_value.p);
        judged_.push_back({i, std::move(p_value)});
      }
    }
    if (repeats_ == 1) return;
    for (const auto& [which, p] : p_by_statistic) {
      second_names_.push_back(name_of(tests_[which.first], {which.second}));
      second_p_.push_back(detail::second_level_p(p));
    }
  }

  /// Declares the p-values and verdicts. Returns true if a test fails. Collective.
  bool declare(Results& out) const {
    std::vector<std::string> statistics, suspects, failures, notes;
    std::vector<std::uint64_t> test_of;
    std::vector<double> values, p, testu01;
    for (const Judged& result : judged_) {
      std::string name = name_of(tests_[result.test], result.p_value);
      const double tail = tail_of(result.p_value) * static_cast<double>(repeats_);
      const bool is_failure = fails(tail_of(result.p_value), judged_.size());
      if (repeats_ == 1) {
        const std::string verdict = is_failure          ? "FAIL"
                                    : tail < suspicious ? "suspicious"
                                    : tail < unusual    ? "unusual"
                                                        : "";
        out.report_line(name, result.p_value.p, verdict, 4);
        if (result.p_value.testu01)
          out.report_line(name + ", TestU01's law", *result.p_value.testu01, "", 4);
      } else {
        name += fmt::format(" of repeat {}", result.test / (tests_.size() / repeats_));
      }
      if (is_failure) {
        failures.push_back(name);
      } else if (tail < suspicious) {
        suspects.push_back(name);
      }
      if (tail < suspicious && !result.p_value.note.empty()) {
        notes.push_back(result.p_value.note);
        out.report_line(name + " found", result.p_value.note);
      }
      test_of.push_back(result.test);
      statistics.push_back(result.p_value.statistic);
      values.push_back(result.p_value.value);
      p.push_back(result.p_value.p);
      testu01.push_back(result.p_value.testu01.value_or(result.p_value.p));
    }
    for (std::size_t i = 0; i < second_p_.size(); ++i) {
      out.report_line(second_names_[i], second_p_[i], "", 4);
      if (fails(second_p_[i] / 2, second_p_.size())) failures.push_back(second_names_[i]);
    }
    out.texts("statistic_name", statistics, "p", "which of its test's statistics");
    out.dataset("test_of_p", test_of, "p", "", "its test, counted from 0");
    out.dataset("statistic", values, "p", "", "its statistic");
    out.dataset("p_value", p, "p", "", "as TestU01 has them: near 0 or near 1 if a test fails");
    out.dataset("p_value_of_testu01", testu01, "p", "",
                "by TestU01's law, which is off for some tests");
    out.when(repeats_ > 1, "with battery.repeat", [&] {
      out.texts("repeated", second_names_, "repeated", "each statistic of the repeated tests");
      out.dataset(
          "p_value_of_repeated", second_p_, "repeated", "",
          "of each one's p-values together (Anderson and Darling's test): near 0 if it fails");
    });
    out.stored("found", listed(notes), "", "what tests found, such as streams that overlap");
    out.value("suspicious", listed(suspects), "",
              "p-values below 10^-4 / repeats, or above 1 minus that, or \"none\"");
    out.value("failed", listed(failures), "", "those that fail, or \"none\"");
    return !failures.empty();
  }

 private:
  struct Judged {
    std::size_t test;
    PValue p_value;
  };

  const std::vector<BatteryTest>& tests_;
  std::size_t repeats_;
  std::vector<Judged> judged_;
  std::vector<std::string> second_names_;  ///< one per statistic of the repeated tests
  std::vector<double> second_p_;           ///< per statistic, one p-value that combines all repeats
};

/// Declares each test's name, class and parameters, and where its words and counters begin.
void declare_tests(Results& out, const TestSchedule& tests, const BatteryLayout& layout) {
  std::vector<std::string> names, classes, parameters;
  std::vector<std::uint64_t> first_counter, first_word;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const BatteryTest& test = tests.test(i);
    const TestClass& kind = class_of(test);
    names.push_back(test.name());
    if (tests.repeats() > 1) names.back() += fmt::format(" of repeat {}", tests.repeat_of(i));
    classes.emplace_back(kind.name);
    parameters.push_back(
        fmt::format("N = {}, n = {}, r = {}, {}", test.N, test.n, test.r, parameters_of(test)));
    first_counter.push_back(layout.first_counter(i));
    first_word.push_back(tests.begin_of(i));
  }
  out.texts("test", names, "test", "its set and number");
  out.texts("class", classes, "test", "its class");
  out.texts("parameters", parameters, "test", "its parameters");
  out.dataset("first_counter", first_counter, "test", "", "where its counters begin");
  out.dataset("first_word_of_test", first_word, "test", "words", "its first word in the sequence");
  out.dataset("words_of_test", tests.used(), "test", "words", "words that it read");
}

/// Computes the tests' results from counts.
class BatteryResults {
 public:
  BatteryResults(const BatteryOptions& deck, const BatteryCounts& counts, const BatteryFacts* facts)
      : deck_(deck), facts_(facts), tests_(deck), layout_(tests_.tests()), all_(counts) {
    std::vector<std::uint64_t> used;
    for (std::size_t i = 0; i < tests_.size(); ++i) used.push_back(layout_.words(all_, i));
    tests_.end(std::move(used));
    if (!deck_.is_shared()) return;
    chunks_ = BatteryLayout::chunks(all_);
    thin(all_.windows, window_level(chunks_ * deck_.chunk_words()));
    std::ranges::sort(all_.windows, {}, &KeptWindow::packed);
    tests_.end_chunks(chunks_);
  }

  void declare(Results& out) {
    if (facts_ != nullptr) out.ranks().together([&] { require_words(); });
    const JudgedTests judged(tests_.tests(), deck_.repeat, layout_, all_, deck_.interleaving());
    out.group("Statistical tests of a sequence of words");
    out.stored("tests", tests_.size() / deck_.repeat, "", "tests per seed");
    out.stored("first_word", deck_.first_word, "words", "first word of the sequence");
    out.stored("bits", deck_.bits_name(), "", "as in the deck");
    out.stored("repeats", deck_.repeat, "", "seeds");
    out.when(deck_.is_shared(), "with battery.sequence=shared",
             [&] { out.value("chunks", chunks_, "", "chunks that the tests read"); });
    out.value("words", words(), "words", "words of all tests, or of the chunks", {.unit = ""});
    out.work(static_cast<double>(words()));
    declare_source(out);
    declare_counts(out, all_);
    declare_tests(out, tests_, layout_);
    const bool any_fails = judged.declare(out);
    const bool is_short = warn_of_end(out.ranks()) || warn_of_unjudgeable(out.ranks());
    out.status(any_fails ? failed_status : is_short ? short_status : 0);
    if (facts_ != nullptr && deck_.has_generator() && io::has_input()) {
      out.report_line("warning",
                      "standard input was not read; set battery.source=stdin to test it");
    }
    out.memory(facts_, "words in memory");
  }

 private:
  std::uint64_t words() const {
    const std::vector<std::uint64_t>& used = tests_.used();
    return deck_.is_shared() ? chunks_ * deck_.chunk_words()
                             : std::reduce(used.begin(), used.end());
  }

  void declare_source(Results& out) const {
    const bool is_outside = !deck_.has_generator();
    out.when(is_outside, "with words from outside",
             [&] { out.value("source", deck_.source, "", "battery.source of the deck"); });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      const BatteryTest& test = tests_.test(i);
      if (tests_.used()[i] == 0 || !is_judgeable(test)) names.push_back(test.name());
    }
    out.when(is_outside || deck_.is_shared(), "with words from outside, or shared", [&] {
      out.value("not_done", listed(names), "", "tests that had too few words, or \"none\"");
    });
    const std::vector<std::string> left_out = deck_.left_out();
    out.when(!left_out.empty(), "with one stream, short chunks or no FFTW", [&] {
      out.value("left_out", listed(left_out), "",
                "tests that take streams apart, or need longer chunks or FFTW");
    });
    out.when(is_outside && !deck_.is_shared(), "with words from outside", [&] {
      const bool lacks = !names.empty() && !out.is_description();
      out.value("words_lacking", lacks ? missing_words(tests_.first_not_done()) : 0, "words",
                "words that the first of these lacked", {.unit = ""});
    });
  }

  /// Returns how many words the sequence lacked for a test's usual number of words.
  /// Returns 1 if the test needed more than the usual number.
  std::uint64_t missing_words(std::size_t test) const {
    const std::uint64_t end = facts_ != nullptr ? facts_->end : 0;
    const std::uint64_t wanted =
        tests_.begin_of(test) + TestSchedule::usual_words_of(tests_.test(test));
    return wanted > end ? wanted - end : 1;
  }
  std::string problem() const { return fmt::format("the words of '{}' ended", deck_.source); }
  std::string why_ended(std::size_t test) const {
    return fmt::format("{} lacked {}{} words", tests_.test(test).name(),
                       TestSchedule::fixed_words_of(tests_.test(test)) == 0 ? "about " : "",
                       missing_words(test));
  }

  /// Throws Error if the run counted nothing.
  void require_words() const {
    if (deck_.is_shared() && chunks_ == 0) {
      throw Error(problem(),
                  fmt::format("there were fewer than the {} words of a chunk", deck_.chunk_words()),
                  "Supply more words, or lower battery.chunk.");
    }
    if (!deck_.is_shared() && tests_.first_not_done() == 0) {
      throw Error(problem(), why_ended(0), "Supply more words, or choose smaller battery.tests.");
    }
  }

  /// Warns and returns true if the words ended before the last test was done.
  bool warn_of_end(const io::Communicator& ranks) const {
    const std::size_t ended = tests_.first_not_done();
    if (facts_ == nullptr || deck_.is_shared() || ended == tests_.size()) return false;
    if (ranks.is_root()) {
      io::warn(
          fmt::format("{} ({}); only the tests before it are judged", problem(), why_ended(ended)));
    }
    return true;
  }

  /// Warns and returns true if shared tests have too few items for their distributions.
  bool warn_of_unjudgeable(const io::Communicator& ranks) const {
    if (chunks_ == 0) return false;
    std::vector<std::string> needs;
    for (const BatteryTest& test : tests_.tests()) {
      if (is_judgeable(test)) continue;
      const std::uint64_t items_per_chunk = test.replications_per_chunk * test.n;
      const std::uint64_t chunks = (class_of(test).min_items(test) - 1) / items_per_chunk + 1;
      needs.push_back(fmt::format("{} needs {} words", test.name(), chunks * deck_.chunk_words()));
    }
    if (needs.empty()) return false;
    if (ranks.is_root())
      io::warn(fmt::format("not judged because the words ended: {}", listed(needs)));
    return true;
  }

  const BatteryOptions& deck_;
  const BatteryFacts* facts_;
  TestSchedule tests_;
  BatteryLayout layout_;
  BatteryCounts all_;
  std::uint64_t chunks_ = 0;  ///< chunks that shared tests read
};

}  // namespace

void declare_battery(Results& out, const BatteryOptions& deck, const BatteryCounts& counts,
                     const BatteryFacts* facts) {
  BatteryResults(deck, counts, facts).declare(out);
}

}  // namespace rivulet
