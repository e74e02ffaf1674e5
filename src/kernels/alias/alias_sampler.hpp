// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "draw/stream_source.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "sampling/alias_table.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Sizes for sorting a large table's draws by section.
struct AliasSectionSizes {
  int log2_cells;       ///< log2 of the minimum number of cells per section
  std::uint64_t draws;  ///< draws (8 bytes each) in memory at a time; below 2^32

  /// Returns sizes tuned on an H200. Its 50 MB cache holds a section's buckets and counts (20 bytes
  /// per cell), while the draws are streamed. Sections of 2^18 and 2^19 cells are equally fast.
  /// Compared with 2^19 cells, look-ups take 1.07 times as long with 2^20 cells, and 1.66 times as
  /// long with 2^21 cells. The number of draws is proportional to the table size, because each
  /// batch of draws reads the table once. The draws need at most 2 GiB.
  static AliasSectionSizes of(std::uint64_t cells) {
    return {19, std::clamp(4 * cells, std::uint64_t{1} << 25, std::uint64_t{1} << 28)};
  }
  /// True if sorting is faster than unsorted look-ups on a device. The draws must amortise the
  /// passes over the table. On an H200 (hybrid Tausworthe), sorting is 1.2 times as fast as
  /// unsorted look-ups for 10^6 cells, 1.4 times for 3 * 10^6, 2.3 times for 10^7 and 3.5 times for
  /// 10^8. For 10^6 cells and few Mersenne Twister streams, sorting is slower, so draws from tables
  /// of fewer than 2^21 cells are not sorted.
  static bool is_worthwhile(std::uint64_t cells, std::uint64_t draws) {
    return cells >= std::uint64_t{1} << 21 && draws >= std::max(cells, std::uint64_t{1} << 24);
  }
};

/// The mapping of streams to hardware. Samples do not depend on the mapping.
struct AliasMapping {
  StreamMapping streams = StreamMapping::lane;
  /// Sizes for sorting on a GPU. If empty, draws are sorted only if
  /// AliasSectionSizes::is_worthwhile() returns true, with sizes from AliasSectionSizes::of().
  /// Sorting requires the lane mapping, and a single-level table with 32-bit thresholds.
  std::optional<AliasSectionSizes> sections{};
  std::uint64_t segments = 0;  ///< per stream; 0 chooses the fastest number
};

class AliasSorter;
class WordBuffer;

/// Draws samples from an alias table with one rank's streams of any generator. Sample i of global
/// stream s depends only on the table, s and i.
class AliasSampler {
 public:
  AliasSampler(const Space& space, const StreamPlan& plan, StreamRange range,
               const AliasTable& table, const AliasMapping& mapping);
  ~AliasSampler();
  AliasSampler(const AliasSampler&) = delete;
  AliasSampler& operator=(const AliasSampler&) = delete;

  /// Moves every stream to its start and resets all counts. The first call computes the jumps.
  void restart();
  /// Skips the first `samples` samples of every stream. `samples` must be a multiple of
  /// round_samples(). Call it after restart(). Blocking.
  void resume(std::uint64_t samples);

  /// Returns the work for samples begin .. end - 1 of every stream, without cutting streams.
  /// Streams continue from their current positions.
  Work uncut(const StreamShare& share, std::uint64_t begin, std::uint64_t end) const;
  /// Returns the work for the same samples as uncut(), with streams cut into segments. Moves the
  /// segments to their starts. `begin` must be the end of the last draw. Blocking.
  Work cut_streams(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Draws the samples of `work`, and counts their cells. `work` is the Work that uncut() or
  /// cut_streams() returned, or a copy with the next range of items. Stores the cells too if
  /// `samples` has a view. Blocking.
  void sample(const Work& work, const AliasSamples& samples = {});

  /// Returns the number of draws per cell so far.
  CountView histogram() const;
  /// Runs can stop and resume only at multiples of this number of samples.
  std::uint64_t round_samples() const { return source_->period(shape_).items; }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }

 private:
  void count(const Work& work, const AliasSamples& samples);
  bool count_sorted(const Work& work);
  void count_stored(const Work& work, const AliasSamples& samples);

  Space space_;
  AliasTable::Levels table_;
  ItemShape shape_;
  AliasMapping mapping_;
  std::unique_ptr<StreamSource> source_;
  AliasHistogram histogram_;
  std::unique_ptr<AliasSorter> sorter_;  ///< only on a GPU; created when draws are first sorted
  bool lacks_memory_to_sort_ = false;
  std::unique_ptr<WordBuffer> buffer_;  ///< only on a GPU, for tables of more than two levels
  std::uint64_t buffer_streams_ = 0;    ///< number of streams or segments that buffer_ is sized for
};

/// Creates a sampler. Throws Error if the streams and counts do not fit in memory, or if the
/// generator lacks the mapping. `plan` must outlive the sampler.
std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const AliasTable& table,
                                                 const AliasMapping& mapping = {});
/// Creates a sampler for a table with 64-bit thresholds. Throws the same errors.
std::unique_ptr<AliasSampler> make_alias_sampler(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const WideAliasTable& table,
                                                 const AliasMapping& mapping = {});

}  // namespace rivulet
