// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/deck.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "io/deck/deck_reader.hpp"
#include "io/files/input_file.hpp"
#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"

namespace rivulet::io {
namespace {

/// Names of a section's keys, in printing order.
struct SectionKeys {
  explicit SectionKeys(const SectionSchema& section) {
    for (const BoundKey& key : keys_of(section)) {
      all.push_back(key.entry.key);
      if (key.is_number) numbers.push_back(key.entry.key);
    }
  }
  std::vector<std::string> all;
  std::vector<std::string> numbers;
};

std::string join(const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "" : ", ") + word;
  return list.empty() ? "none" : list;
}

std::string see_default_deck(const Schema& schema) {
  return "See `rivulet --dump-default " + schema.job() + "`.";
}

/// Sets the variables of one section from the deck's values.
class ValueReader : public Binder {
 public:
  ValueReader(const std::string& section, const std::map<std::string, Deck::Value>& values,
              const SectionKeys& keys)
      : section_(section), values_(values), keys_(keys) {}

 protected:
  void visit(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) override {
    read_number(entry, value, range, integer_from, "a whole number",
                [](std::uint64_t number) { return std::to_string(number); });
  }
  void visit(const Entry& entry, double& value, Range<double> range) override {
    read_number(entry, value, range, real_from, "a number", [](double number) {
      std::ostringstream text;
      text << number;
      return text.str();
    });
  }
  void visit(const Entry& entry, bool& value) override {
    const auto* deck_value = find(entry);
    if (deck_value == nullptr) return;
    const auto flag = deck_value->quoted ? std::nullopt : flag_from(deck_value->text);
    if (!flag)
      fail(entry, *deck_value,
           "'" + printable_line(deck_value->text) + "' is neither true nor false",
           "Give true or false.");
    value = *flag;
  }
  void visit(const Entry& entry, std::string& value) override {
    const auto* deck_value = find(entry);
    if (deck_value == nullptr) return;
    value = deck_value->text;
    if (entry.form == TextForm::digest) value = digest_of(entry, *deck_value);
  }
  void visit_bytes(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) override {
    read_number(entry, value, range, bytes_from, "a size such as 256 MiB", bytes_text);
  }
  void visit_duration(const Entry& entry, double& value, Range<double> range) override {
    read_number(entry, value, range, duration_from, "a time such as 10 min", duration_text);
  }
  void visit_list(const Entry& entry, std::vector<std::uint64_t>& values,
                  Range<std::uint64_t> range) override {
    const auto deck_value = values_.find(entry.key);
    if (deck_value == values_.end()) return;
    values.clear();
    for (const Deck::Value& item : items_of(deck_value->second)) {
      std::uint64_t value = 0;
      read_number(entry, &item, value, range, integer_from, "whole numbers",
                  [](std::uint64_t number) { return std::to_string(number); });
      values.push_back(value);
    }
    if (values.empty()) {
      fail(entry, deck_value->second, "it is empty", "Give one or more: [1, 2, 3].");
    }
  }
  void visit_choice(const Entry& entry, std::size_t& index,
                    const std::vector<Option>& options) override {
    const auto* deck_value = find(entry);
    if (deck_value == nullptr) return;
    std::vector<std::string> names;
    for (const auto& option : options) names.push_back(option.name);
    const auto found = std::find(names.begin(), names.end(), deck_value->text);
    if (found == names.end()) {
      fail(entry, *deck_value,
           "'" + printable_line(deck_value->text) + "' is not one of: " + join(names),
           did_you_mean(deck_value->text, names, advice_for_choice(entry, *deck_value, names)));
    }
    index = static_cast<std::size_t>(found - names.begin());
  }

 private:
  /// Returns the key's value, or null if the deck lacks the key. Throws Error for a list.
  const Deck::Value* find(const Entry& entry) const {
    const auto found = values_.find(entry.key);
    if (found == values_.end()) return nullptr;
    if (found->second.list) {
      fail(entry, found->second, "it is a list", "Give one value: '" + entry.key + ": VALUE'.");
    }
    return &found->second;
  }

  /// Returns the digest in lower case, as runs print it. Throws Error unless the value is 64
  /// hexadecimal digits or empty.
  std::string digest_of(const Entry& entry, const Deck::Value& deck_value) const {
    constexpr std::size_t digits = 64;
    const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    std::string digest = deck_value.text;
    if (!digest.empty() && (digest.size() != digits || !std::ranges::all_of(digest, is_digit))) {
      fail(entry, deck_value,
           "'" + printable_line(digest) + "' is not " + std::to_string(digits) +
               " hexadecimal digits",
           "Copy the digest from a run's last line, or set \"\" to compare nothing.");
    }
    std::ranges::transform(digest, digest.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return digest;
  }

  /// Splits "[a, b]" or "a, b" at the commas.
  static std::vector<Deck::Value> items_of(const Deck::Value& deck_value) {
    std::string text = deck_value.text;
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    std::vector<Deck::Value> items;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');) {
      items.push_back({std::string(trimmed(item)), deck_value.location, deck_value.quoted});
    }
    return items;
  }

  /// Returns advice for a wrong choice. If the value is a number, suggests a numeric key with a
  /// similar name, such as `points` for `point`. If it is a file's name, suggests the section's key
  /// `file`.
  std::string advice_for_choice(const Entry& entry, const Deck::Value& deck_value,
                                const std::vector<std::string>& names) const {
    const bool may_be_file =
        std::ranges::count(names, "file") * std::ranges::count(keys_.all, "file") > 0;
    if (may_be_file && deck_value.text.find_first_of("./") != std::string::npos) {
      return "For a file, set " + section_ + "." + entry.key + "=file and " + section_ +
             ".file=" + printable_line(deck_value.text) + ".";
    }
    const std::string key = is_number(deck_value) ? nearest(entry.key, keys_.numbers) : "";
    return key.empty() ? "Give one of these." : "Did you mean '" + section_ + "." + key + "'?";
  }

  static bool is_number(const Deck::Value& deck_value) {
    try {
      real_from(deck_value.text);
      return true;
    } catch (const NotANumber&) {
      return false;
    }
  }

  [[noreturn]] void fail(const Entry& entry, const Deck::Value& deck_value, const std::string& why,
                         const std::string& what_to_do) const {
    throw Error(
        deck_value.location + ": wrong value for '" + entry.key + "' in section '" + section_ + "'",
        why, what_to_do);
  }

  template <class T, class Parse, class Print>
  void read_number(const Entry& entry, T& value, Range<T> range, Parse&& parse,
                   const std::string& wanted, Print&& print) const {
    read_number(entry, find(entry), value, range, parse, wanted, print);
  }

  template <class T, class Parse, class Print>
  void read_number(const Entry& entry, const Deck::Value* deck_value, T& value, Range<T> range,
                   Parse&& parse, const std::string& wanted, Print&& print) const {
    if (deck_value == nullptr) return;
    const bool may_be_auto = entry.zero == Zero::means_auto;
    const std::string advice =
        "Give " + wanted + " from " + print(range.min) + " to " + print(range.max) +
        (entry.unit.empty() ? "" : " (" + entry.unit + ")") + (may_be_auto ? ", or auto." : ".");
    if (may_be_auto && deck_value->text == "auto") {
      value = T{};
      return;
    }
    const bool has_unit = wanted.find(" such as ") != std::string::npos;
    if (deck_value->quoted && !has_unit) {
      fail(entry, *deck_value,
           "'" + printable_line(deck_value->text) + "' is text in quotes, not a number", advice);
    }
    try {
      value = parse(deck_value->text);
    } catch (const NotANumber& failure) {
      fail(entry, *deck_value, "'" + printable_line(deck_value->text) + "' " + failure.why, advice);
    }
    if (may_be_auto && value == T{}) return;
    if (value < range.min || value > range.max) {
      fail(entry, *deck_value, deck_value->text + " is out of range", advice);
    }
  }

  const std::string& section_;
  const std::map<std::string, Deck::Value>& values_;
  const SectionKeys& keys_;
};

/// Returns advice for a key that its section lacks: names all sections that have a key of this
/// name, or else gives `otherwise`. `assigned` is "" or "=VALUE".
std::string advice_for_key(const Schema& schema, const std::string& key,
                           const std::string& assigned, const std::string& otherwise) {
  std::string candidates;
  for (const auto& section : schema.sections()) {
    if (std::ranges::count(SectionKeys(section).all, key) == 0) continue;
    candidates += (candidates.empty() ? "'" : " or '") + section.name + "." + key + assigned + "'";
  }
  return candidates.empty() ? otherwise : "Did you mean " + candidates + "?";
}

constexpr const char* no_section = "";
constexpr const char* write_assignment = "Write SECTION.KEY=VALUE, without blanks.";

/// Throws Error for command-line assignments without a section.
void refuse_without_section(const Schema& schema, const Deck::Section& section) {
  const auto& [key, value] = *section.values.begin();
  throw Error(value.location + ": invalid argument", "it names no section",
              advice_for_key(schema, key, "=" + printable_line(value.text), write_assignment));
}

/// Returns advice for a word on the command line that assigns nothing.
std::string advice_for_word(const std::string& word) {
  const bool is_deck = word.ends_with(".yaml") || word.ends_with(".yml");
  return is_deck ? "Give a deck in place of the job: `rivulet " + word + "`." : write_assignment;
}

void refuse_removed(const SectionSchema& section, const std::string& key,
                    const Deck::Value& value) {
  for (const RemovedKey& removed : section.removed) {
    if (removed.key != key || (!removed.value.empty() && removed.value != value.text)) continue;
    const std::string name = section.name + "." + key;
    throw Error(value.location + ": " +
                    (removed.value.empty() ? name : name + "=" + removed.value) + " was removed",
                "earlier versions of Rivulet had it", removed.remedy);
  }
}

/// Returns advice for a missing deck: suggests pi.yaml for pi.yml, and vice versa, if that file
/// exists.
std::string remedy_if_missing(const std::string& file_name) {
  std::filesystem::path other(file_name);
  other.replace_extension(other.extension() == ".yml" ? ".yaml" : ".yml");
  std::error_code unreadable;
  if (std::filesystem::is_regular_file(other, unreadable))
    return "Did you mean '" + other.string() + "'?";
  return "Check the name, or start from a default deck: `rivulet --dump-default JOB`.";
}

}  // namespace

Deck::Deck(std::string file_name) : file_name_(std::move(file_name)) {}
Deck::Deck(const Deck&) = default;
Deck::Deck(Deck&&) noexcept = default;
Deck& Deck::operator=(const Deck&) = default;
Deck& Deck::operator=(Deck&&) noexcept = default;
Deck::~Deck() = default;

Deck Deck::parse(const std::string& text, const std::string& file_name) {
  Deck deck(file_name);
  DeckReader reader(file_name, text);
  for (const auto& pair : reader.document()) {
    const std::string name = reader.key(pair.first);
    if (name == "job") {
      const auto [old, is_new] =
          deck.job_.try_emplace(name, reader.single_value(pair.first, pair.second));
      if (!is_new) reader.fail_duplicate(pair.first, "key 'job'", old->second.location);
    } else {
      const auto [old, is_new] =
          deck.sections_.try_emplace(name, reader.section(name, pair.first, pair.second));
      if (!is_new)
        reader.fail_duplicate(pair.first, "section '" + printable_line(name) + "'",
                              old->second.location);
    }
  }
  return deck;
}

Deck Deck::load(const std::string& file_name, const Communicator& communicator) {
  std::string text;
  communicator.on_root([&] {
    text = read_input({.path = file_name,
                       .problem = file_name + ": cannot read the deck",
                       .remedy_if_missing = remedy_if_missing(file_name),
                       .may_be_a_pipe = true},
                      max_deck_bytes);
  });
  return parse(communicator.broadcast(text), file_name);
}

void Deck::override_with(std::string_view assignment) {
  const std::string location = "command line: " + printable_line(assignment);
  const auto equals = assignment.find('=');
  const std::string target(assignment.substr(0, equals));
  const auto dot = target.find('.');
  if (equals == std::string_view::npos) {
    throw Error(location + ": invalid argument", "it is not an assignment",
                advice_for_word(printable_line(target)));
  }
  const bool is_complete = dot != 0 && dot + 1 != target.size() && !target.empty();
  if (!is_complete) {
    throw Error(location + ": invalid argument", "it lacks a section or a key", write_assignment);
  }
  const Value value{std::string(assignment.substr(equals + 1)), location};
  if (target == "job") {
    job_.insert_or_assign(target, value);
    return;
  }
  // read_into() knows the keys. It refuses an assignment without a section, and suggests one.
  const bool has_section = dot != std::string::npos;
  auto& section =
      sections_.try_emplace(has_section ? target.substr(0, dot) : no_section, Section{location})
          .first->second;
  section.values.insert_or_assign(has_section ? target.substr(dot + 1) : target, value);
}

std::string Deck::job() const {
  if (job_.empty()) {
    throw Error(file_name_ + ": the deck names no job", "there is no 'job: NAME'",
                "Add that line; `rivulet --list` shows the jobs.");
  }
  return job_.begin()->second.text;
}

void Deck::read_into(const Schema& schema) const {
  std::vector<std::string> names;
  for (const auto& section : schema.sections()) names.push_back(section.name);
  for (const auto& [name, section] : sections_) {
    // A deck may have an empty section named "".
    if (name == no_section && !section.values.empty()) refuse_without_section(schema, section);
    if (std::ranges::count(names, name) > 0) continue;
    throw Error(section.location + ": unknown section '" + printable_line(name) + "'",
                "sections of job '" + schema.job() + "': " + join(names),
                did_you_mean(name, names, see_default_deck(schema)));
  }
  for (const auto& section : schema.sections()) {
    const auto found = sections_.find(section.name);
    if (found == sections_.end()) continue;
    const SectionKeys keys(section);
    for (const auto& [key, value] : found->second.values) {
      refuse_removed(section, key, value);
      if (std::ranges::count(keys.all, key) > 0) continue;
      throw Error(
          value.location + ": unknown key '" + printable_line(key) + "' in section '" +
              section.name + "'",
          "keys of '" + section.name + "': " + join(keys.all),
          did_you_mean(key, keys.all, advice_for_key(schema, key, "", see_default_deck(schema))));
    }
    ValueReader reader(section.name, found->second.values, keys);
    section.bind(reader);
  }
}

std::string Deck::location(const std::string& path) const {
  if (path == "job") return job_.empty() ? file_name_ : job_.begin()->second.location;
  const auto dot = path.find('.');
  const auto section = sections_.find(path.substr(0, dot));
  if (section == sections_.end()) return file_name_;
  if (dot == std::string::npos) return section->second.location;
  const auto value = section->second.values.find(path.substr(dot + 1));
  return value == section->second.values.end() ? file_name_ : value->second.location;
}

}  // namespace rivulet::io
