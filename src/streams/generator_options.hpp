// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace rivulet {

/// An option that only some generators have: declared once, beside the plan that reads it. Decks
/// have it as a key of the section `streams`, C and Fortran by its name.
struct GeneratorOption {
  std::string_view name;
  std::uint64_t fallback;  ///< its value where nobody gives one
  std::uint64_t least;
  std::uint64_t most;
  std::string_view doc;
};

/// Values of generators' own options, as far as they were given.
class OptionValues {
 public:
  using Values = std::map<std::string, std::uint64_t, std::less<>>;

  /// The value given, or the option's fallback.
  std::uint64_t of(const GeneratorOption& option) const {
    const auto found = values_.find(option.name);
    return found == values_.end() ? option.fallback : found->second;
  }
  /// The same as a place to write to.
  std::uint64_t& at(const GeneratorOption& option) {
    return values_.try_emplace(std::string(option.name), option.fallback).first->second;
  }

  const Values& given() const { return values_; }
  void give(const std::string& name, std::uint64_t value) { values_[name] = value; }

  friend bool operator==(const OptionValues&, const OptionValues&) = default;

 private:
  Values values_;
};

}  // namespace rivulet
