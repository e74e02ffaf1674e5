// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "io/deck/scalar_text.hpp"

namespace rivulet::io {
namespace {

constexpr std::size_t line_width = 100;

/// A key as the printed forms need it.
struct Row {
  Entry entry;
  std::string value;   ///< a YAML scalar
  std::string limits;  ///< "1 to 100", or empty
  std::vector<Option> options = {};
};

/// Both ends of a range, each as text where it says something.
std::string limits_text(bool has_min, const std::string& min, bool has_max,
                        const std::string& max) {
  if (has_min && has_max) return min + " to " + max;
  if (has_min) return "at least " + min;
  return has_max ? "at most " + max : "";
}

class RowCollector : public Binder {
 public:
  std::vector<Row> rows;

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
    rows.push_back({entry, yaml_scalar(value), ""});
  }
  void visit_bytes(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) override {
    add_number(entry, value, range, bytes_text);
  }
  void visit_duration(const Entry& entry, double& value, Range<double> range) override {
    add_number(entry, value, range, duration_text);
  }
  void visit_list(const Entry& entry, std::vector<std::uint64_t>& values,
                  Range<std::uint64_t> range) override {
    rows.push_back({entry, fmt::format("[{}]", fmt::join(values, ", ")),
                    limits_text(true, std::to_string(range.min), true, std::to_string(range.max))});
  }
  void visit_choice(const Entry& entry, std::size_t& index,
                    const std::vector<Option>& options) override {
    rows.push_back({entry, yaml_scalar(options[index].name), "", options});
  }

 private:
  template <class T, class Print>
  void add_number(const Entry& entry, T value, Range<T> range, Print&& print) {
    const Range<T> everything;
    const bool may_be_auto = entry.zero == Zero::means_auto;
    std::string limits = limits_text(range.min != everything.min, print(range.min),
                                     range.max != everything.max, print(range.max));
    if (may_be_auto) limits = limits.empty() ? "a number, or auto" : limits + ", or auto";
    rows.push_back({entry, may_be_auto && value == T{} ? "auto" : print(value), limits});
  }
};

std::vector<Row> rows_of(const SectionSchema& section) {
  RowCollector collector;
  section.bind(collector);
  return collector.rows;
}

/// Words in lines of at most line_width characters, each with `prefix` before it and the ones after
/// the first moved in by `hanging`.
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

std::string sentence_about_value(const Row& row) {
  std::string text;
  if (!row.limits.empty()) text = "Range: " + row.limits;
  if (!row.entry.unit.empty()) text += (text.empty() ? "Unit: " : "; unit: ") + row.entry.unit;
  return text.empty() ? "" : text + ".";
}

bool explains_options(const Row& row) {
  return !row.options.empty() && !row.options.front().doc.empty();
}

std::string comment_of(const Row& row) {
  std::string lines = wrapped("  #", row.entry.doc);
  lines += wrapped("  #", sentence_about_value(row));
  if (explains_options(row)) {
    for (const auto& option : row.options) {
      lines += wrapped("  #  ", option.name + ": " + option.doc, 2);
    }
  }
  return lines;
}

std::string section_text(const SectionSchema& section, bool with_comments) {
  const auto rows = rows_of(section);
  std::string lines = section.name + (rows.empty() ? ": {}\n" : ":\n");
  for (const auto& row : rows) {
    if (with_comments) lines += comment_of(row);
    lines += "  " + row.entry.key + ": " + row.value + "\n";
  }
  return lines;
}

std::string table_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string table_row(const Row& row) {
  std::string meaning = row.entry.doc;
  const std::string more = sentence_about_value(row);
  if (!more.empty()) meaning += (meaning.ends_with('.') ? " " : ". ") + more;
  if (explains_options(row)) {
    for (const auto& option : row.options) {
      meaning += fmt::format("<br>`{}`: {}", option.name, option.doc);
    }
  }
  return fmt::format("| `{}` | `{}` | {} |\n", row.entry.key, table_cell(row.value),
                     table_cell(meaning));
}

}  // namespace

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

std::string markdown(const Schema& schema) {
  std::string text = fmt::format("## `job: {}`\n\n{}\n", schema.job(), schema.doc());
  for (const auto& section : schema.sections()) {
    text += fmt::format("\n### `{}`\n\n{}\n\n", section.name, section.doc);
    text += "| key | default | meaning |\n|---|---|---|\n";
    for (const auto& row : rows_of(section)) text += table_row(row);
  }
  return text;
}

}  // namespace rivulet::io
