// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// A user's deck: a YAML document with `job: NAME` and sections of `key: value`, with values
/// replaced by those of the command line. All failures are Errors that begin with the place,
/// "FILE:LINE: " or "command line: ".
class Deck {
 public:
  /// `file_name` is for messages. Throws on bad YAML, duplicate keys, and anything that is not a
  /// section of `key: value`.
  static Deck parse(const std::string& text, const std::string& file_name);
  /// Reads the file on root, parses it on every rank.
  static Deck load(const std::string& file_name,
                   const Communicator& communicator = Communicator::self());

  // Not written here, where all who pass decks on would compile them: clang 15 crashes on these
  // maps when it compiles for HIP.
  Deck(const Deck&);
  Deck(Deck&&) noexcept;
  Deck& operator=(const Deck&);
  Deck& operator=(Deck&&) noexcept;
  ~Deck();

  /// Takes "section.key=value" (or "job=NAME"); the last one given for a key wins.
  void override_with(std::string_view assignment);

  /// The job's name; throws if the deck names none.
  std::string job() const;

  /// Checks everything against the schema and sets the variables that it binds; those the deck does
  /// not name keep their values. Throws the first failure; the variables are then unspecified.
  void read_into(const Schema& schema) const;

  /// Where "job", "section" or "section.key" was said: "inputs/pi.yaml:7",
  /// "command line: pi.points=5", or the file's name if it was not.
  std::string place(const std::string& path) const;

  struct Value {
    std::string text;
    std::string place;
    bool quoted = false;  ///< an explicit string, never a number
    bool list = false;    ///< the text is that of a YAML list, "[a, b]"
  };
  struct Section {
    std::string place;
    std::map<std::string, Value> values = {};
  };

 private:
  explicit Deck(std::string file_name);

  std::string file_name_;
  std::map<std::string, Value> job_;  ///< empty, or the one key "job"
  std::map<std::string, Section> sections_;
};

}  // namespace rivulet::io
