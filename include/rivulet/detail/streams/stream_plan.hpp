// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "rivulet/detail/streams/stream_request.hpp"
#include "rivulet/error.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet {

struct Generator;  // what the program's decks and reports know of one

/// What is wrong with seeds that the user gave.
class SeedError : public Error {
 public:
  using Error::Error;
};

/// Something to keep about a run's streams.
struct StreamFact {
  std::string name;
  std::variant<std::uint64_t, std::string> value;
  std::string unit = {};
};

/// A value of each stream of a range, for the record.
struct StreamColumn {
  std::string name;
  std::string description;
  std::string unit = {};
  std::vector<std::uint64_t> values = {};
};

/// Who draws what: what each global stream id starts from, for the program and for the C++ library.
/// Constructors throw Error where a promise could not be kept.
class StreamPlan {
 public:
  virtual ~StreamPlan() = default;

  std::uint64_t streams() const { return request_.streams; }
  const StreamRequest& request() const { return request_; }
  /// Whose streams these are; set by Generator::plan.
  const Generator& generator() const { return *generator_; }
  void set_generator(const Generator& generator) { generator_ = &generator; }

  /// Why no two streams overlap, or how far that is proved: names and values.
  virtual Certificate certificate() const = 0;
  /// What a user should know before he trusts the streams; usually nothing.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// What all streams have in common, for the results file.
  virtual std::vector<StreamFact> facts() const = 0;
  /// What each stream of a range starts from, for the results file.
  virtual std::vector<StreamColumn> columns(StreamRange range) const = 0;
  /// What tells the parameter sets from any others, 64 hexadecimal digits; empty if there are none.
  virtual std::string parameters_digest() const { return {}; }

 protected:
  bool is_native() const { return request_.seeding == Seeding::native; }

  explicit StreamPlan(const StreamRequest& request) : request_(request) {
    if (request.streams > 0) return;
    throw Error("no streams", "streams.count is 0, and every number comes from a stream",
                "Ask for at least one.");
  }
  StreamPlan(const StreamPlan&) = default;
  StreamPlan& operator=(const StreamPlan&) = default;

 private:
  StreamRequest request_;
  const Generator* generator_ = nullptr;
};

}  // namespace rivulet
