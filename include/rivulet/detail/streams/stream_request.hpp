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

/// A contiguous range of global stream ids.
struct StreamRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The range of a rank when `streams` ids are split over `ranks` as evenly as they go; the first
/// streams % ranks ranges have one more. A function of its arguments alone: no rank asks another.
constexpr StreamRange stream_range(std::uint64_t streams, std::uint64_t rank, std::uint64_t ranks) {
  const std::uint64_t share = streams / ranks;
  const std::uint64_t extra = streams % ranks;
  const std::uint64_t first = rank * share + (rank < extra ? rank : extra);
  return {first, share + (rank < extra ? 1 : 0)};
}

/// How a stream's first state is made.
enum class Seeding {
  native,    ///< from (run seed, stream id)
  published  ///< as the program that the generator is known from does
};

/// What a run, or a program, asks of its streams.
struct StreamRequest {
  std::uint64_t streams = 1;
  std::uint64_t seed = default_seed;
  Seeding seeding = Seeding::native;
  std::uint64_t numbers_per_stream = 1;  ///< the most that any stream will draw, for the record
  std::string parameters = "shipped";    ///< twisters: shipped, published, or a parameter file
  OptionValues options = {};             ///< of the generator's own options
  /// Where nobody knows numbers_per_stream: 2^this is the most that a stream may draw.
  std::optional<unsigned> log2_limit = {};

  /// The most numbers that a stream draws, as text and as a logarithm.
  std::string numbers_text() const {
    return log2_limit ? "2^" + std::to_string(*log2_limit) : std::to_string(numbers_per_stream);
  }
  double log2_numbers() const {
    return log2_limit ? *log2_limit : std::log2(static_cast<double>(numbers_per_stream));
  }
};

}  // namespace rivulet
