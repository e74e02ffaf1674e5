// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parameters/dcmt_set.hpp"
#include "rng/generators.hpp"
#include "streams/stream_defaults.hpp"

namespace rivulet {

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

/// What a run asks of its streams.
struct StreamRequest {
  std::uint64_t streams = 1;
  std::uint64_t seed = default_seed;  ///< of native seeding
  Seeding seeding = Seeding::native;
  std::uint64_t numbers_per_stream = 1;  ///< the most that any stream will draw, for the record
  /// dcmt: least distance of streams on one set, as a power of two.
  std::uint64_t log2_jump = default_log2_jump;
  std::uint64_t ij = default_ij;  ///< ranmar, published seeding: pair of stream 0
  std::uint64_t kl = default_kl;
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

/// Who draws what: what each global stream id starts from. Constructors throw Error where a promise
/// could not be kept.
class StreamPlan {
 public:
  virtual ~StreamPlan() = default;

  std::uint64_t streams() const { return request_.streams; }
  const StreamRequest& request() const { return request_; }

  /// Why no two streams overlap, or how far that is proved: names and values.
  virtual std::vector<std::pair<std::string, std::string>> certificate() const = 0;
  /// What a user should know before he trusts the streams; usually nothing.
  virtual std::vector<std::string> warnings() const { return {}; }
  /// What all streams have in common, for the results file.
  virtual std::vector<StreamFact> facts() const = 0;
  /// What each stream of a range starts from, for the results file.
  virtual std::vector<StreamColumn> columns(StreamRange range) const = 0;

 protected:
  explicit StreamPlan(const StreamRequest& request);
  StreamPlan(const StreamPlan&) = default;
  StreamPlan& operator=(const StreamPlan&) = default;

 private:
  StreamRequest request_;
};

/// The plan of a generator's family. `sets` are the twisters' (nothing else looks at them).
std::unique_ptr<StreamPlan> make_stream_plan(const Generator& generator,
                                             const StreamRequest& request, DcmtSets sets);

}  // namespace rivulet
