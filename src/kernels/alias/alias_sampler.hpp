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

/// The mapping of an alias table's streams to hardware. Samples do not depend on it.
struct AliasMapping {
  StreamMapping streams = StreamMapping::lane;
  /// On a GPU, for tables of one level and 32-bit thresholds drawn by lanes; if empty, draws are
  /// sorted by section where that pays.
  std::optional<AliasSectionSizes> sections{};
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
};

class AliasSorter;
class WordBuffer;

/// Draws from an alias table by one rank's streams, for any generator. Sample i of global stream s
/// depends on the table, s and i alone.
class AliasSampler {
 public:
  AliasSampler(const Space& space, const StreamPlan& plan, StreamRange range,
               const AliasTable& table, const AliasMapping& mapping);
  ~AliasSampler();
  AliasSampler(const AliasSampler&) = delete;
  AliasSampler& operator=(const AliasSampler&) = delete;

  /// Moves every stream to its start and resets all counts. The first call computes the jumps.
  void restart();
  /// After restart(): continues where every stream has drawn `samples` samples, a multiple of
  /// round_samples(). Waits.
  void resume(std::uint64_t samples);

  /// The work of samples begin .. end - 1 of every stream. Streams continue where they are.
  Work uncut(const StreamShare& share, std::uint64_t begin, std::uint64_t end) const;
  /// Cuts the same work into segments and moves these to their starts. `begin` is where the last
  /// draw ended. Waits.
  Work place(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Draws a work, or its next part; waits for it. Keeps the cells too if `samples` has a view.
  void sample(const Work& work, const AliasSamples& samples = {});

  /// Number of draws so far of each cell.
  CountView histogram() const;
  /// A run can stop, and continue, at multiples of this many samples.
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
  std::unique_ptr<AliasSorter> sorter_;  ///< on a GPU, made when draws are first sorted
  bool has_no_room_to_sort_ = false;
  std::unique_ptr<WordBuffer> buffer_;  ///< on a GPU, of words for tables of many levels
  std::uint64_t buffered_ = 0;          ///< streams or segments that it was made for
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
