// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "io/words/scalar_text.hpp"

namespace rivulet::io {
namespace {

constexpr std::size_t line_width = 100;

/// Returns a range as text: "1 to 100", "at least 1", "at most 100" or an empty text.
std::string limits_text(bool has_min, const std::string& min, bool has_max,
                        const std::string& max) {
  if (has_min && has_max) return min + " to " + max;
  if (has_min) return "at least " + min;
  return has_max ? "at most " + max : "";
}

std::string with_unit(const std::string& limits, const std::string& unit) {
  if (unit.empty()) return limits;
  return (limits.empty() ? "in" : limits) + " " + unit;
}

class KeyCollector : public Binder {
 public:
  std::vector<BoundKey> rows;

 protected:
  void visit(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) override {
    add_number(entry, value, range, [](std::uint64_t number) { return std::to_string(number); });
  }
  void visit(const Entry& entry, double& value, Range<double> range) override {
    add_number(entry, value, range, [](double number) { return fmt::format("{}", number); });
  }
  void visit(const Entry& entry, bool& value) override {
    rows.push_back({entry, value ? "true" : "false", "", {{"true", ""}, {"false", ""}}});
  }
  void visit(const Entry& entry, std::string& value) override {
    rows.push_back({entry, yaml_scalar(value), "", {}, false, value});
  }
  void visit_bytes(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) override {
    add_number(entry, value, range, bytes_text);
  }
  void visit_duration(const Entry& entry, double& value, Range<double> range) override {
    add_number(entry, value, range, duration_text);
  }
  void visit_list(const Entry& entry, std::vector<std::uint64_t>& values,
                  Range<std::uint64_t> range) override {
    const std::string limits =
        limits_text(true, std::to_string(range.min), true, std::to_string(range.max));
    rows.push_back(
        {entry, fmt::format("[{}]", fmt::join(values, ", ")), with_unit(limits, entry.unit)});
  }
  void visit_choice(const Entry& entry, std::size_t& index,
                    const std::vector<Option>& options) override {
    rows.push_back({entry, yaml_scalar(options[index].name), "", options});
  }

 private:
  template <class T, class Print>
  void add_number(const Entry& entry, T value, Range<T> range, Print&& print) {
    const Range<T> unlimited;
    const bool may_be_auto = entry.zero == Zero::means_auto;
    const std::string limits = limits_text(range.min != unlimited.min, print(range.min),
                                           range.max != unlimited.max, print(range.max));
    rows.push_back({entry,
                    may_be_auto && value == T{} ? "auto" : print(value),
                    with_unit(limits, entry.unit),
                    {},
                    true});
  }
};

/// Wraps words into lines of at most line_width characters. Each line begins with `prefix`; lines
/// after the first are indented by `hanging`.
std::string wrapped(const std::string& prefix, const std::string& text, std::size_t hanging = 0) {
  std::istringstream words(text);
  std::string lines;
  std::string line = prefix;
  bool empty = true;
  for (std::string word; words >> word;) {
    if (!empty && line.size() + 1 + word.size() > line_width) {
      lines += line + "\n";
      line = prefix + std::string(hanging, ' ');
      empty = true;
    }
    line += " " + word;
    empty = false;
  }
  return empty ? lines : lines + line + "\n";
}

std::string comment_of(const BoundKey& row) {
  std::string lines = wrapped("  #", row.entry.doc);
  if (!row.limits.empty()) lines += wrapped("  #", "Range: " + row.limits + ".");
  if (!row.options.empty() && !row.options.front().doc.empty()) {
    for (const auto& option : row.options) {
      lines += wrapped("  #  ", option.name + ": " + option.doc, 2);
    }
  }
  return lines;
}

std::string section_text(const SectionSchema& section, bool with_comments) {
  const auto rows = keys_of(section);
  std::string lines = section.name + (rows.empty() ? ": {}\n" : ":\n");
  for (const auto& row : rows) {
    if (with_comments) lines += comment_of(row);
    lines += "  " + row.entry.key + ": " + row.value + "\n";
  }
  return lines;
}

}  // namespace

std::vector<BoundKey> keys_of(const SectionSchema& section) {
  KeyCollector collector;
  section.bind(collector);
  return collector.rows;
}

std::vector<std::string> with_effect(const Schema& schema,
                                     const std::vector<std::string>& assignments,
                                     std::initializer_list<Effect> effects) {
  std::map<std::string, Effect> effect_of_key{{"job", Effect::result}};
  for (const auto& section : schema.sections()) {
    for (const BoundKey& key : keys_of(section)) {
      effect_of_key.emplace(section.name + "." + key.entry.key, key.entry.effect);
    }
  }
  std::vector<std::string> found;
  for (const std::string& assignment : assignments) {
    const auto key = effect_of_key.find(assignment.substr(0, assignment.find('=')));
    if (key != effect_of_key.end() && std::ranges::count(effects, key->second) > 0)
      found.push_back(assignment);
  }
  return found;
}

std::string resolved(const Schema& schema) {
  std::string text = "job: " + yaml_scalar(schema.job()) + "\n";
  for (const auto& section : schema.sections()) text += section_text(section, false);
  return text;
}

std::string default_deck(const Schema& schema) {
  std::string text = wrapped("#", schema.doc());
  text += wrapped("#", "Any key may be left out; the values shown are the defaults.");
  text += "job: " + yaml_scalar(schema.job()) + "\n";
  for (const auto& section : schema.sections()) {
    text += "\n" + wrapped("#", section.doc) + section_text(section, true);
  }
  return text;
}

}  // namespace rivulet::io
