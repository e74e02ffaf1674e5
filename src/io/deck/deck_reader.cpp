// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/deck/deck_reader.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr const char* form_of_a_deck =
    "Write 'job: NAME' and sections of 'key: value'; `rivulet --dump-default JOB` prints an "
    "example.";
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view line_ends = "\r\n";

bool is_plain_list(const YAML::Node& node) {
  return node.IsSequence() &&
         std::all_of(node.begin(), node.end(), [](const auto& item) { return item.IsScalar(); });
}

bool is_at(std::string_view text, std::size_t at, std::string_view any_of) {
  return at < text.size() && any_of.find(text[at]) != std::string_view::npos;
}

/// Returns the offset of a node's text. The node begins at `at`; the text follows the node's anchor
/// (&name), if there is one, and the blanks and comments after the anchor.
std::size_t after_anchor(std::string_view text, std::size_t at) {
  if (is_at(text, at, "&")) {
    at = text.find_first_not_of(blanks, text.find_first_of(blanks, at));
    while (is_at(text, at, "#")) {
      at = text.find_first_not_of(blanks, text.find_first_of(line_ends, at));
    }
  }
  return at;
}

/// True if the quoted text that begins at `begin` ends on the same line.
bool is_closed(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t at = begin + 1; at < text.size() && !is_at(text, at, line_ends); ++at) {
    const bool is_escape = quote == '"' && text[at] == '\\' && !is_at(text, at + 1, line_ends);
    const bool is_doubled_quote = quote == '\'' && text.substr(at, 2) == "''";
    if (is_escape || is_doubled_quote) {
      ++at;
    } else if (text[at] == quote) {
      return true;
    }
  }
  return false;
}

/// Event handler that records the first tag (!!int, !own) of a text, and its line.
class FirstTag : public YAML::EventHandler {
 public:
  explicit FirstTag(std::string_view text) : text_(text) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string&) override {
    record_tag(mark, tag);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    record_tag(mark, tag);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    record_tag(mark, tag);
  }
  void OnMapEnd() override {}

  int line() const { return line_; }
  const std::string& tag() const { return tag_; }  ///< empty for none

 private:
  /// Records a node's tag if the deck spells it out and no earlier node has one. yaml-cpp also
  /// reports tags for nodes without one: "!" for a quoted scalar, and "?" for any other node.
  void record_tag(const YAML::Mark& mark, const std::string& tag) {
    const bool is_explicit = tag == "!" ? is_at(text_, static_cast<std::size_t>(mark.pos), "!")
                                        : !tag.empty() && tag != "?";
    if (!is_explicit || !tag_.empty()) return;
    constexpr std::string_view standard = "tag:yaml.org,2002:";
    tag_ = tag.starts_with(standard) ? "!!" + tag.substr(standard.size()) : tag;
    line_ = mark.line;
  }

  std::string_view text_;
  std::string tag_;
  int line_ = 0;
};

}  // namespace

DeckReader::DeckReader(std::string file_name, const std::string& text)
    : file_name_(std::move(file_name)), text_(text) {}

std::string DeckReader::location(int line) const {
  return line < 0 ? file_name_ : file_name_ + ":" + std::to_string(line + 1);
}

std::string DeckReader::location_at(std::size_t at) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(at);
  return location(static_cast<int>(std::count(text_.begin(), end, '\n')));
}

std::string DeckReader::beginning(std::size_t at) const {
  constexpr std::size_t enough = 20;  // characters that identify the line
  return text_.substr(at, std::min(text_.find_first_of(line_ends, at) - at, enough));
}

/// Throws Error for a line that begins with %. yaml-cpp treats such a line as a directive, and
/// silently skips directives that it does not know.
void DeckReader::require_no_directives() const {
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t end = std::min(text_.find_first_of(line_ends, at), text_.size());
    if (text_[at] == '%') {
      throw Error(location_at(at) + ": not a deck",
                  "the line that begins with " + printable_line(beginning(at)) +
                      " is a directive of YAML, and decks have none",
                  "Put a # before it if it is a comment, or remove it.");
    }
    at = end + 1;
  }
}

/// Throws Error if the text is an HDF5 file, recognised by its first bytes, or contains control
/// characters, which YAML does not allow.
void DeckReader::require_text() const {
  if (text_.starts_with("\x89HDF") || text_.starts_with("rivulet sealed file: ")) {
    throw Error(file_name_ + ": not a deck", "it is an HDF5 file",
                "Give a YAML file; docs/results_file.md shows how to extract the deck from a "
                "results file.");
  }
  const auto found = std::ranges::find_if(text_, [](char byte) {
    return is_control(byte) && byte != '\t' && byte != '\n' && byte != '\r';
  });
  if (found == text_.end()) return;
  throw Error(location_at(static_cast<std::size_t>(found - text_.begin())) + ": not a deck",
              "it contains the control character " + printable_line({&*found, 1}),
              "Give UTF-8 text; in quotes, write such a character as \"\\x01\".");
}

/// True if the text has more than one document. Does not call YAML::LoadAll, which parses every
/// document: yaml-cpp 0.7 finds infinitely many documents in some texts. Throws Error for a tag,
/// because yaml-cpp ignores tags: it would read !!str 8 as the number 8, and a !!binary text as its
/// base64 code.
bool DeckReader::has_several_documents() const {
  std::istringstream stream(text_);
  YAML::Parser parser(stream);
  FirstTag first(text_);
  const bool several = parser.HandleNextDocument(first) && parser.HandleNextDocument(first);
  if (first.tag().empty()) return several;
  throw Error(
      location(first.line()) + ": not a deck",
      "it has the tag " + printable_line(first.tag()) + ", and each key of a deck has a fixed type",
      "Remove the tag.");
}

YAML::Node DeckReader::document() const {
  require_text();
  require_no_directives();
  try {
    const bool several = has_several_documents();
    const YAML::Node document = YAML::Load(text_);
    if (!several && document.IsMap()) return document;
    if (document.IsScalar()) require_closed_quote(document);
    throw Error(file_name_ + ": not a deck",
                several             ? "it holds several YAML documents"
                : document.IsNull() ? "it is empty"
                                    : "it is not a list of 'key: value'",
                form_of_a_deck);
  } catch (const YAML::Exception& failure) {
    const bool has_tab = text_.find('\t') != std::string::npos;
    throw Error(
        location(failure.mark) + ": cannot read the deck", failure.msg,
        has_tab
            ? "Correct that line or the one before it; tabs are not allowed before a key."
            : "Correct that line or the one before it: keys of a section have the same indent, and "
              "'key: value' needs a blank after the colon.");
  }
}

/// Throws Error for a quote that is not closed on its line. yaml-cpp 0.7 ends an unterminated quote
/// at the end of the file, and so loses all later keys. YAML allows multi-line strings in quotes,
/// but in a deck such a string indicates a forgotten quote.
void DeckReader::require_closed_quote(const YAML::Node& node) const {
  if (node.Mark().pos < 0) return;
  const auto begin = after_anchor(text_, static_cast<std::size_t>(node.Mark().pos));
  if (!is_at(text_, begin, "'\"") || is_closed(text_, begin)) return;
  throw Error(location_at(begin) + ": unterminated quote",
              "the text that begins with " + printable_line(beginning(begin)) +
                  " does not end on this line",
              std::string("Close it with another ") + text_[begin] + " on the same line.");
}

std::string DeckReader::scalar(const YAML::Node& node) {
  require_closed_quote(node);
  const std::string& text = node.Scalar();
  if (text.find('\0') != std::string::npos) {
    throw Error(location(node.Mark()) + ": invalid text " + printable_line(text),
                "it contains a NUL, which ends a file name", "Remove the NUL.");
  }
  text_bytes_ += text.size();
  if (text_bytes_ <= max_deck_bytes) return text;
  throw Error(location(node.Mark()) + ": not a deck",
              "with its aliases (*NAME) it is longer than " + bytes_text(max_deck_bytes),
              "Use fewer aliases.");
}

std::string DeckReader::key(const YAML::Node& node) {
  if (node.IsScalar()) return scalar(node);
  throw Error(location(node.Mark()) + ": invalid key", "it is not plain text", form_of_a_deck);
}

std::string DeckReader::list_text(const YAML::Node& node) {
  std::string items;
  for (const auto& item : node) items += (items.empty() ? "" : ", ") + scalar(item);
  return "[" + items + "]";
}

Deck::Value DeckReader::value(const YAML::Node& key_node, const YAML::Node& node) {
  if (!is_plain_list(node)) return single_value(key_node, node);
  return {list_text(node), location(key_node.Mark()), false, true};
}

Deck::Value DeckReader::single_value(const YAML::Node& key_node, const YAML::Node& node) {
  const std::string where = location(key_node.Mark());
  if (node.IsScalar()) return {scalar(node), where, node.Tag() == "!"};
  const std::string key = printable_line(key_node.Scalar());
  throw Error(where + ": wrong value for '" + key + "'",
              node.IsNull()       ? "it is empty"
              : node.IsSequence() ? "it is a list"
                                  : "it is a section within a section",
              "Give one value: '" + key + ": VALUE'.");
}

Deck::Section DeckReader::section(const std::string& name, const YAML::Node& key_node,
                                  const YAML::Node& node) {
  Deck::Section section{location(key_node.Mark())};
  if (node.IsNull()) return section;
  if (node.IsScalar()) require_closed_quote(node);
  if (!node.IsMap()) {
    throw Error(location(key_node.Mark()) + ": '" + printable_line(name) + "' is not a section",
                "its value is not a list of 'key: value'", form_of_a_deck);
  }
  for (const auto& pair : node) {
    const std::string word = key(pair.first);
    const auto [old, is_new] = section.values.try_emplace(word, value(pair.first, pair.second));
    if (!is_new)
      fail_duplicate(pair.first, "key '" + printable_line(word) + "'", old->second.location);
  }
  return section;
}

void DeckReader::fail_duplicate(const YAML::Node& duplicate, const std::string& what,
                                const std::string& first_location) const {
  throw Error(location(duplicate.Mark()) + ": " + what + " occurs twice",
              "the first is at " + first_location, "Remove one of them.");
}

}  // namespace rivulet::io
