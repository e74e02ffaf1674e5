// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/deck/deck.hpp"

namespace rivulet::io {

/// Maximum length of a deck in bytes: a hundred times the longest default deck. yaml-cpp 0.7 parses
/// a deck of this length in 2 s, and a deck ten times as long in 20 s.
constexpr std::uint64_t max_deck_bytes = std::uint64_t{1} << 20;

/// Converts a deck's YAML to strings, each with its file and line. Refuses constructs that yaml-cpp
/// accepts but no deck needs: unterminated quotes, control characters, directives, tags and alias
/// bombs.
class DeckReader {
 public:
  DeckReader(std::string file_name, const std::string& text);

  YAML::Node document() const;

  std::string key(const YAML::Node& node);
  /// Returns a single value or a plain list.
  Deck::Value value(const YAML::Node& key_node, const YAML::Node& node);
  /// Returns a single value; throws Error for a list.
  Deck::Value single_value(const YAML::Node& key_node, const YAML::Node& node);
  Deck::Section section(const std::string& name, const YAML::Node& key_node,
                        const YAML::Node& node);

  [[noreturn]] void fail_duplicate(const YAML::Node& duplicate, const std::string& what,
                                   const std::string& first_location) const;

 private:
  std::string location(int line) const;
  std::string location(const YAML::Mark& mark) const { return location(mark.line); }

  /// Returns "FILE:LINE" for an offset in the text.
  std::string location_at(std::size_t at) const;
  /// Returns the text from an offset to the end of its line, at most 20 characters.
  std::string beginning(std::size_t at) const;

  void require_text() const;
  void require_no_directives() const;
  bool has_several_documents() const;
  void require_closed_quote(const YAML::Node& node) const;
  std::string scalar(const YAML::Node& node);
  std::string list_text(const YAML::Node& node);

  std::string file_name_;
  std::string text_;
  std::size_t text_bytes_ = 0;  ///< bytes of all scalars so far, counted again for each alias
};

}  // namespace rivulet::io
