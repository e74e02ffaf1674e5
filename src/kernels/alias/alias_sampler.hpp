// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/alias/alias_buckets.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_sections.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "sampling/alias_table.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The mapping of an alias table's streams to hardware. Samples do not depend on it.
struct AliasMapping {
  StreamMapping streams = StreamMapping::lane;
  int streams_per_team = 0;  ///< with the team mapping, 1 .. 16 that share a Kokkos team; 0 chooses
  /// For tables of one level drawn by lanes; if empty, draws are sorted by section where that pays.
  std::optional<AliasSectionSizes> sections{};
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
  /// On a CPU, for tables of one level drawn by lanes: least cells that are counted beside the
  /// buckets.
  std::uint64_t buckets_from = cells_worth_buckets;
};

/// Draws from an alias table by one rank's streams, for any generator. Sample i of global stream s
/// depends on the table, s and i alone. Where ranks share a table by rows, each rank runs all
/// streams and counts (and keeps) the samples of its own rows: their histograms are parts of the
/// whole.
class AliasSampler {
 public:
  virtual ~AliasSampler() = default;

  /// Moves every stream to its start and resets all counts. The first call computes the jumps.
  virtual void restart() = 0;
  /// After restart(): continues where every stream has drawn `samples` samples, a multiple of
  /// round_samples(). Waits.
  virtual void resume(std::uint64_t samples) = 0;
  /// Draws the samples of a batch, beginning where the last one ended; waits for it. Keeps the
  /// cells too if `samples` has a view; cells of rows that are not kept here read 2^32 - 1.
  virtual void sample(const StreamBatch& batch, const AliasSamples& samples = {}) = 0;

  /// Cuts the streams into segments for a batch, which begins where the last one ended, and moves
  /// these to their starts. Waits.
  virtual void place(const StreamBatch& batch) { placed_ = batch; }
  /// Samples of the longest segment.
  virtual std::uint64_t segment_samples() const { return placed_.end - placed_.begin; }
  /// Draws samples from .. upto-1 of every segment, beginning where the last call ended; waits.
  virtual void sample_segments(std::uint64_t from, std::uint64_t upto) {
    sample({placed_.share, placed_.begin + from, placed_.begin + upto});
  }

  /// Number of draws so far of each cell that is kept here.
  virtual CountView histogram() const = 0;
  /// Batches begin at multiples of this many samples.
  virtual std::uint64_t round_samples() const = 0;
  /// Bytes of generator state on this rank.
  virtual std::uint64_t state_bytes() const = 0;

 private:
  StreamBatch placed_;
};

/// Throws Error if the streams and counts need more memory than there is, or the generator lacks
/// the mapping. plan must outlive the sampler.
std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping = {});
/// The same for a table with wide buckets: sample i of a stream takes its words 3 L i .. 3 L (i +
/// 1) - 1, L levels. Words go through memory, so that one kernel serves all generators and
/// mappings.
std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping = {});

}  // namespace rivulet
