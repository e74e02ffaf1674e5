// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/deck/deck.hpp"

namespace rivulet::io {

/// A hundred times the longest default deck; yaml-cpp 0.7 takes 2 s for so much, and 20 s for ten
/// times as much.
constexpr std::uint64_t longest_deck = std::uint64_t{1} << 20;

/// Turns the YAML of a deck into text and places. What yaml-cpp lets pass and no deck can mean is
/// refused: a quote without its end, control characters, directives, tags, aliases that make much
/// of little.
class DeckReader {
 public:
  DeckReader(std::string file_name, const std::string& text);

  YAML::Node document() const;

  std::string key(const YAML::Node& node);
  /// One value, or a plain list.
  Deck::Value value(const YAML::Node& key_node, const YAML::Node& node);
  /// A value that may not be a list.
  Deck::Value word(const YAML::Node& key_node, const YAML::Node& node);
  Deck::Section section(const std::string& name, const YAML::Node& key_node,
                        const YAML::Node& node);

  [[noreturn]] void fail_twice(const YAML::Node& again, const std::string& what,
                               const std::string& first_place) const;

 private:
  std::string place(int line) const;
  std::string place(const YAML::Mark& mark) const { return place(mark.line); }

  /// The place of a byte of the text.
  std::string place_at(std::size_t at) const;
  /// The rest of the line from a byte on.
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
