// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/deck/deck.hpp"

namespace rivulet::io {

/// Longest deck in bytes: a hundred times the longest default deck. yaml-cpp 0.7 takes 2 s for this
/// length, and 20 s for ten times as much.
constexpr std::uint64_t longest_deck = std::uint64_t{1} << 20;

/// Reads a deck's YAML into texts and places. Refuses YAML that no deck uses but yaml-cpp accepts:
/// unterminated quotes, control characters, directives, tags and alias bombs.
class DeckReader {
 public:
  DeckReader(std::string file_name, const std::string& text);

  YAML::Node document() const;

  std::string key(const YAML::Node& node);
  /// Reads a single value or a plain list.
  Deck::Value value(const YAML::Node& key_node, const YAML::Node& node);
  /// Reads a single value; throws Error for a list.
  Deck::Value word(const YAML::Node& key_node, const YAML::Node& node);
  Deck::Section section(const std::string& name, const YAML::Node& key_node,
                        const YAML::Node& node);

  [[noreturn]] void fail_twice(const YAML::Node& again, const std::string& what,
                               const std::string& first_place) const;

 private:
  std::string place(int line) const;
  std::string place(const YAML::Mark& mark) const { return place(mark.line); }

  /// Returns "FILE:LINE" for an offset in the text.
  std::string place_at(std::size_t at) const;
  /// Returns the first characters from an offset on, within its line.
  std::string beginning(std::size_t at) const;

  void require_text() const;
  void require_no_directives() const;
  bool has_several_documents() const;
  void require_closed_quote(const YAML::Node& node) const;
  std::string scalar(const YAML::Node& node);
  std::string list_text(const YAML::Node& node);

  std::string file_name_;
  std::string text_;
  std::size_t taken_ = 0;  ///< bytes of all texts so far
};

}  // namespace rivulet::io
