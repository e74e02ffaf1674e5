// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// A user's deck: a YAML document with `job: NAME` and sections of `key: value`. Values from the
/// command line replace the deck's. Every Error's message begins with the location: "FILE:LINE: ",
/// "FILE: " or "command line: ".
class Deck {
 public:
  /// Parses a deck. `file_name` is for messages. Throws Error for invalid YAML, duplicate keys, and
  /// anything other than `job: NAME` and sections of `key: value`.
  static Deck parse(const std::string& text, const std::string& file_name);
  /// Reads the file on root and parses it on every rank. Collective.
  static Deck load(const std::string& file_name,
                   const Communicator& communicator = Communicator::self());

  // deck.cpp defaults these functions, because clang 15 crashes on the maps in code for HIP.
  Deck(const Deck&);
  Deck(Deck&&) noexcept;
  Deck& operator=(const Deck&);
  Deck& operator=(Deck&&) noexcept;
  ~Deck();

  /// Applies "section.key=value" or "job=NAME"; the last assignment to a key wins. Throws Error for
  /// other texts, except "key=value", which read_into() refuses.
  void override_with(std::string_view assignment);

  /// Returns the job's name; throws Error if the deck names none.
  std::string job() const;

  /// Checks the deck against the schema and sets the variables that the schema binds. Variables of
  /// keys that the deck lacks keep their values. Throws Error for the first failure; the variables'
  /// values are then unspecified.
  void read_into(const Schema& schema) const;

  /// Returns the location that set `path`, which is "job", "section" or "section.key". The location
  /// has the form "inputs/pi.yaml:7" or "command line: pi.points=5". If nothing set `path`, returns
  /// the file's name.
  std::string location(const std::string& path) const;

  struct Value {
    std::string text;
    std::string location;
    bool quoted = false;  ///< true for an explicit string, which is never a number
    bool list = false;    ///< true if `text` is a YAML list, "[a, b]"
  };
  struct Section {
    std::string location;
    std::map<std::string, Value> values = {};
  };

 private:
  explicit Deck(std::string file_name);

  std::string file_name_;
  std::map<std::string, Value> job_;  ///< empty, or the one key "job"
  std::map<std::string, Section> sections_;
};

}  // namespace rivulet::io
