// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/error.hpp"

namespace rivulet::io {

/// The allowed values, both ends included.
template <class T>
struct Range {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();
};

/// The meaning of the value 0: the number 0, or "auto" in decks.
enum class Zero { is_a_number, means_auto };

/// The consequence of changing a key's value. The effect determines whether a resumed run may
/// change the key, whether merged parts may differ in the key, and whether the deck's expected
/// digest still applies (table in docs/deck.md).
enum class Effect {
  result,  ///< the results differ
  amount,  ///< the results differ, but a resumed run may raise the value
  id,      ///< the run computes another part of the results: streams, tests or words
  speed,   ///< the results are equal, but a resumed run must keep the value
  place    ///< the results are equal, but computed or written elsewhere or at another time
};

/// How a run uses the file that a key names (io/deck/replaced_file.hpp).
enum class FileUse {
  none,
  read,
  read_unless_word,  ///< an input, unless the text is a keyword
  written
};

/// The form of a text: any text, or a digest (a SHA-256 in hexadecimal digits, or empty).
enum class TextForm { any, digest };

/// A key of a section, as the deck's author sees it.
struct Entry {
  std::string key;
  std::string doc;
  std::string unit = {};
  Effect effect = Effect::result;
  Zero zero = Zero::is_a_number;
  FileUse file = FileUse::none;
  TextForm form = TextForm::any;
};

struct Option {
  std::string name;
  std::string doc;
};

/// Visitor of a section's keys and of the variables that hold their values. A single declaration of
/// a section (SectionSchema::bind) serves all visitors: reading, checking, printing and
/// documenting. A variable's initial value is the key's default.
class Binder {
 public:
  virtual ~Binder() = default;

  void integer(const std::string& key, std::uint64_t& value, Range<std::uint64_t> range,
               const std::string& doc, const std::string& unit = "", Effect effect = Effect::result,
               Zero zero = Zero::is_a_number) {
    visit({key, doc, unit, effect, zero}, value, range);
  }
  /// Declares a list of at least one number. Decks contain it in the form [1, 2, 3].
  void integers(const std::string& key, std::vector<std::uint64_t>& values,
                Range<std::uint64_t> range, const std::string& doc, const std::string& unit = "") {
    visit_list({key, doc, unit}, values, range);
  }
  void real(const std::string& key, double& value, Range<double> range, const std::string& doc,
            const std::string& unit = "") {
    visit({key, doc, unit}, value, range);
  }
  void flag(const std::string& key, bool& value, const std::string& doc,
            Effect effect = Effect::result) {
    visit({key, doc, "", effect}, value);
  }
  void text(const std::string& key, std::string& value, const std::string& doc,
            Effect effect = Effect::result) {
    visit({key, doc, "", effect}, value);
  }
  /// Declares the name of a file; an empty name means no file.
  void file(const std::string& key, std::string& value, FileUse use, const std::string& doc) {
    const Effect effect = use == FileUse::written ? Effect::place : Effect::result;
    visit({key, doc, "", effect, Zero::is_a_number, use}, value);
  }
  /// Declares the expected digest of a run: 64 hexadecimal digits, stored in lower case. An empty
  /// text means no digest.
  void digest(const std::string& key, std::string& value, const std::string& doc) {
    visit({key, doc, "", Effect::place, Zero::is_a_number, FileUse::none, TextForm::digest}, value);
  }
  /// Declares a size in bytes. Decks contain "256 MiB" (a number and B, KiB, MiB, GiB or TiB) or a
  /// plain number of bytes.
  void bytes(const std::string& key, std::uint64_t& value, Range<std::uint64_t> range,
             const std::string& doc, Effect effect = Effect::result,
             Zero zero = Zero::is_a_number) {
    visit_bytes({key, doc, "", effect, zero}, value, range);
  }

  /// Declares a time in seconds. Decks contain "10 min" (a number and s, min, h or d) or a plain
  /// number of seconds.
  void duration(const std::string& key, double& value, Range<double> range, const std::string& doc,
                Effect effect = Effect::result) {
    visit_duration({key, doc, "", effect}, value, range);
  }

  template <class E>
  struct Choice {
    std::string name;
    E value;
    std::string doc;
  };
  template <class E>
  using Choices = std::vector<Choice<E>>;
  template <class E>
  void choice(const std::string& key, E& value, const Choices<E>& choices, const std::string& doc,
              Effect effect = Effect::result) {
    std::vector<Option> options;
    std::size_t index = choices.size();
    for (const auto& choice : choices) {
      if (choice.value == value) index = options.size();
      options.push_back({choice.name, choice.doc});
    }
    if (index == choices.size()) {
      throw Error("the default of '" + key + "' is not among its choices", "a mistake in Rivulet",
                  "Please report it.");
    }
    visit_choice({key, doc, "", effect}, index, options);
    value = choices[index].value;
  }
  /// Returns the name of the choice with this value, or "" if there is none.
  template <class E>
  static std::string name_in(const Choices<E>& choices, E value) {
    for (const Choice<E>& choice : choices) {
      if (choice.value == value) return choice.name;
    }
    return "";
  }

 protected:
  virtual void visit(const Entry& entry, std::uint64_t& value, Range<std::uint64_t> range) = 0;
  virtual void visit(const Entry& entry, double& value, Range<double> range) = 0;
  virtual void visit(const Entry& entry, bool& value) = 0;
  virtual void visit(const Entry& entry, std::string& value) = 0;
  virtual void visit_bytes(const Entry& entry, std::uint64_t& value,
                           Range<std::uint64_t> range) = 0;
  virtual void visit_duration(const Entry& entry, double& value, Range<double> range) = 0;
  virtual void visit_list(const Entry& entry, std::vector<std::uint64_t>& values,
                          Range<std::uint64_t> range) = 0;
  /// `index` is an index into `options`.
  virtual void visit_choice(const Entry& entry, std::size_t& index,
                            const std::vector<Option>& options) = 0;
};

/// A removed key, or a removed choice of a key, that older decks may still contain.
struct RemovedKey {
  std::string key;
  std::string value;   ///< the removed choice; empty if the key was removed
  std::string remedy;  ///< a sentence that says what to do instead
};

/// A section of a deck. `bind` passes its keys to a Binder, in printing order.
struct SectionSchema {
  std::string name;
  std::string doc;
  std::function<void(Binder&)> bind;
  std::vector<RemovedKey> removed = {};
};

/// The sections and keys of a job's deck.
class Schema {
 public:
  Schema(std::string job, std::string doc, std::vector<SectionSchema> sections)
      : job_(std::move(job)), doc_(std::move(doc)), sections_(std::move(sections)) {}

  const std::string& job() const { return job_; }
  const std::string& doc() const { return doc_; }
  const std::vector<SectionSchema>& sections() const { return sections_; }

 private:
  std::string job_;
  std::string doc_;
  std::vector<SectionSchema> sections_;
};

struct BoundKey {
  Entry entry;
  std::string value;   ///< a YAML scalar or list
  std::string limits;  ///< "1 to 100", or empty
  std::vector<Option> options = {};
  bool is_number = false;  ///< true for a single number of any kind
  std::string text = {};   ///< unquoted value of a text key
};
/// Returns the section's keys in printing order.
std::vector<BoundKey> keys_of(const SectionSchema& section);

/// Returns the assignments "section.key=value" whose keys have one of the effects. The assignment
/// job=NAME has Effect::result. Omits assignments to keys that the schema lacks; Deck::read_into()
/// rejects them.
std::vector<std::string> with_effect(const Schema& schema,
                                     const std::vector<std::string>& assignments,
                                     std::initializer_list<Effect> effects);

/// Returns the current values as a deck without comments. Reading that deck restores the same
/// values.
std::string resolved(const Schema& schema);

/// Returns the current values as a deck that states the meaning, unit, and range or choices of
/// every key.
std::string default_deck(const Schema& schema);

}  // namespace rivulet::io
