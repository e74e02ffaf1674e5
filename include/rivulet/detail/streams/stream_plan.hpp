// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rivulet/detail/streams/stream_request.hpp"
#include "rivulet/error.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet {

struct Generator;  // defined in src/streams/generator.hpp

/// An Error about seeds that the user gave.
class SeedError : public Error {
 public:
  using Error::Error;
};

/// A named value about a run's streams, for the results file.
struct StreamFact {
  std::string name;
  std::variant<std::uint64_t, std::string> value;
  std::string unit = {};
};

/// One value per stream of a range, for the results file.
struct StreamColumn {
  std::string name;
  std::string description;
  std::string unit = {};
  std::vector<std::uint64_t> values = {};
};

/// Assigns parameters and starts to global stream ids, for the `rivulet` program and the C++
/// library. Constructors throw Error if they cannot guarantee what certificate() would state.
class StreamPlan {
 public:
  virtual ~StreamPlan() = default;

  std::uint64_t streams() const { return request_.streams; }
  const StreamRequest& request() const { return request_; }
  /// Returns the generator of the streams. Valid only after Generator::plan has set the generator.
  const Generator& generator() const { return *generator_; }
  void set_generator(const Generator& generator) { generator_ = &generator; }

  /// Returns the proof that no two streams overlap, and the limits of that proof, as names and
  /// values.
  virtual Certificate certificate() const = 0;
  /// Returns warnings for the user, for example about weak seeds; usually none.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// Returns values that all streams share, for the results file.
  virtual std::vector<StreamFact> facts() const { return {{"run_seed", request_.seed}}; }
  /// Returns the seeds and parameters of each stream of a range, for the results file. There are no
  /// columns if the id determines the start.
  virtual std::vector<StreamColumn> columns(StreamRange) const { return {}; }
  /// Returns the digest of the parameter sets, 64 hexadecimal digits; empty if there are no sets.
  virtual std::string parameters_digest() const { return {}; }

 protected:
  bool is_native() const { return request_.seeding == Seeding::native; }
  void require_native(std::string_view name, const std::string& why) const {
    if (is_native()) return;
    throw Error(std::string(name) + " has no published seeding", why,
                "Omit streams.seeding, or set streams.seeding=native.");
  }
  /// Returns S^2 L / P, rounded up to a power of two, for S streams of L numbers that start at
  /// random among P = 2^log2_places places. S starts form (S^2 - S) / 2 pairs, and the starts of a
  /// pair are within L steps of each other with probability (2 L - 1) / P.
  std::string overlap_bound(double log2_places) const {
    const double exponent =
        2 * std::log2(static_cast<double>(streams())) + request_.log2_numbers() - log2_places;
    return "2^" + std::to_string(static_cast<int>(std::ceil(exponent)));
  }

  explicit StreamPlan(const StreamRequest& request) : request_(request) {
    if (request.streams > 0) return;
    throw Error("no streams", "streams.count is 0, and every number comes from a stream",
                "Set streams.count to 1 or more.");
  }
  StreamPlan(const StreamPlan&) = default;
  StreamPlan& operator=(const StreamPlan&) = default;

 private:
  StreamRequest request_;
  const Generator* generator_ = nullptr;
};

}  // namespace rivulet
