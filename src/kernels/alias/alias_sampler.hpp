// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/alias/alias_histogram.hpp"
#include "launching/stream_batch.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "sampling/alias_table.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Sizes for sorting a large table's draws by section.
struct AliasSectionSizes {
  int log2_cells;       ///< of a section, at the least
  std::uint64_t draws;  ///< that lie in memory at a time, 8 bytes each; less than 2^32

  /// Measured on an H200, whose cache of 50 MB then holds a section's buckets and counts (20 bytes
  /// a cell) besides the streaming draws: 2^18 and 2^19 are alike, 2^20 takes 1.07 x the time of a
  /// look-up, 2^21 1.66 x. Draws are proportional to the table, which is read once for them, up to
  /// 2 GiB.
  static AliasSectionSizes of(std::uint64_t cells) {
    return {19, std::clamp(4 * cells, std::uint64_t{1} << 25, std::uint64_t{1} << 28)};
  }
  /// Whether to sort draws rather than look them up unsorted, on a device: where there are enough
  /// draws to amortise the passes over the table. On an H200 (hybrid Tausworthe) this was 1.2 x as
  /// fast with 10^6 cells, but slower with twisters in few streams; 1.4 x with 3 * 10^6, 2.3 x with
  /// 10^7, 3.5 x with 10^8.
  static bool pays(std::uint64_t cells, std::uint64_t draws) {
    return cells >= std::uint64_t{1} << 21 && draws >= std::max(cells, std::uint64_t{1} << 24);
  }
};

/// Least cells of a table that a CPU counts beside the buckets: 2^22 buckets of 8 bytes and as many
/// counts fill the 64 MB that a core has of the largest third caches.
inline constexpr std::uint64_t cells_worth_buckets = std::uint64_t{1} << 22;

/// The mapping of an alias table's streams to hardware. Samples do not depend on it.
struct AliasMapping {
  StreamMapping streams = StreamMapping::lane;
  int streams_per_team = 0;  ///< with the team mapping, 1 .. 16 that share a Kokkos team; 0 chooses
  /// For tables of one level and 32-bit thresholds drawn by lanes; if empty, draws are sorted by
  /// section where that pays.
  std::optional<AliasSectionSizes> sections{};
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
  /// On a CPU, for such tables: least cells that are counted beside the buckets.
  std::uint64_t buckets_from = cells_worth_buckets;
};

/// Draws from an alias table by one rank's streams, for any generator. Sample i of global stream s
/// depends on the table, s and i alone.
class AliasSampler {
 public:
  virtual ~AliasSampler() = default;

  /// Moves every stream to its start and resets all counts. The first call computes the jumps.
  virtual void restart() = 0;
  /// After restart(): continues where every stream has drawn `samples` samples, a multiple of
  /// round_samples(). Waits.
  virtual void resume(std::uint64_t samples) = 0;
  /// Draws the samples of a batch, beginning where the last one ended; waits for it. Keeps the
  /// cells too if `samples` has a view.
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

  /// Number of draws so far of each cell.
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
/// The same for a table with wide buckets.
std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping = {});

}  // namespace rivulet
