// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "rivulet/streams_options.hpp"

namespace rivulet {

/// An option of some generators, declared beside the plan that reads it. In decks, the option is a
/// key of the section `streams`; C and Fortran set the option by name.
struct GeneratorOption {
  std::string_view name;
  std::uint64_t fallback;  ///< default value
  std::uint64_t least;
  std::uint64_t most;
  std::string_view doc;
};

/// The values of generator options that were set.
class OptionValues {
 public:
  using Values = std::map<std::string, std::uint64_t, std::less<>>;

  /// Returns the value that was set, or the option's fallback.
  std::uint64_t of(const GeneratorOption& option) const {
    const auto found = values_.find(option.name);
    return found == values_.end() ? option.fallback : found->second;
  }
  /// Returns a reference to the option's value, initialised with the fallback.
  std::uint64_t& at(const GeneratorOption& option) {
    return values_.try_emplace(std::string(option.name), option.fallback).first->second;
  }

  const Values& values() const { return values_; }
  void set(const std::string& name, std::uint64_t value) { values_[name] = value; }

  friend bool operator==(const OptionValues&, const OptionValues&) = default;

 private:
  Values values_;
};

/// A contiguous range of global stream ids.
struct StreamRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Returns the range of a rank when `ranks` ranks share `streams` ids evenly. The first
/// `streams % ranks` ranks get one more stream each. Not collective.
constexpr StreamRange stream_range(std::uint64_t streams, std::uint64_t rank, std::uint64_t ranks) {
  const std::uint64_t share = streams / ranks;
  const std::uint64_t extra = streams % ranks;
  const std::uint64_t first = rank * share + (rank < extra ? rank : extra);
  return {first, share + (rank < extra ? 1 : 0)};
}

/// The method that computes a stream's first state.
enum class Seeding {
  native,    ///< from (run seed, stream id)
  published  ///< as in the generator's published code
};

/// A request for streams, by a run or by a host program.
struct StreamRequest {
  std::uint64_t streams = 1;
  std::uint64_t seed = default_seed;
  Seeding seeding = Seeding::native;
  std::uint64_t numbers_per_stream = 1;  ///< maximum that a stream will draw, for certificates
  std::string parameters = "shipped";    ///< twisters: shipped, published, or a parameter file
  OptionValues options = {};             ///< values of generator options
  /// Set if numbers_per_stream is unknown: a stream may draw at most 2^log2_limit numbers.
  std::optional<unsigned> log2_limit = {};

  /// Returns the length limit of a stream, in numbers, as text.
  std::string numbers_text() const {
    return log2_limit ? "2^" + std::to_string(*log2_limit) : std::to_string(numbers_per_stream);
  }
  /// Returns log2 of the length limit of a stream, in numbers.
  double log2_numbers() const {
    return log2_limit ? *log2_limit : std::log2(static_cast<double>(numbers_per_stream));
  }
};

}  // namespace rivulet
