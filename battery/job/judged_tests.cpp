// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/judged_tests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "battery/laws/distributions.hpp"
#include "battery/run_tests.hpp"

namespace rivulet {
namespace {

// Verdicts for tail_of() times repeats below these limits. TestU01 reports p-values below 1e-3 or
// above 1 - 1e-3.
constexpr double suspicious = 1e-4;
constexpr double unusual = 1e-3;

}  // namespace

JudgedTests::JudgedTests(std::vector<BatteryTest> tests, std::size_t repeats,
                         const BatteryLayout& layout, BatteryCounts counts,
                         const Interleaving& turns)
    : tests_(std::move(tests)), repeats_(repeats) {
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

bool JudgedTests::any_fails() const {
  return std::ranges::any_of(judged_,
                             [&](const Judged& result) {
                               return fails(tail_of(result.p_value), judged_.size());
                             }) ||
         std::ranges::any_of(second_p_, [&](double p) { return fails(p / 2, second_p_.size()); });
}

void JudgedTests::declare(Results& out) const {
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
}

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

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace rivulet
