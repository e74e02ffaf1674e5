// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>

#include "draw/consumer.hpp"
#include "draw/draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_rows.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "sampling/alias_table.hpp"

#if !RIVULET_DEVICE_BUILD

namespace rivulet {
namespace {

/// Arranges the words of one stream's consecutive samples in the rows that AliasDraws expects.
class SampleRows {
 public:
  explicit SampleRows(int sample_words) : words_(sample_words) {}

  /// Returns the rows of `count` samples. Surplus lanes repeat the last sample: other words, such
  /// as zeros, could be near a threshold and make AliasDraws look up all rows again.
  const std::uint32_t* of(const std::uint32_t* samples, int count) {
    constexpr int width = AliasDraws::width;
    const int words = words_;
    for (int i = 0; i < count; i += width) {
      const std::uint32_t* const from = samples + i * words;
      std::uint32_t* const to = row_ + i * words;
      const int last = std::min(width, count - i) - 1;
      for (int w = 0; w < words; ++w) {
        for (int l = 0; l < width; ++l) to[w * width + l] = from[std::min(l, last) * words + w];
      }
    }
    return row_;
  }

 private:
  int words_;
  alignas(Word) std::uint32_t row_[most_item_numbers * AliasDraws::max_draws];
};

/// A consumer that looks up and counts the cells of samples on a CPU. The consumer stores the cells
/// if `samples` has a view.
class CountCells {
 public:
  using Integer = std::uint32_t;
  static constexpr const char* label = "rivulet::alias";
  const ItemShape shape;

  CountCells(const Space& space, const AliasTable::Levels& table, const AliasHistogram& histogram,
             const AliasSamples& samples)
      : shape{table.sample_words()},
        table_(table),
        histogram_(histogram),
        samples_(samples),
        token_(space) {}

  void by_lanes(HostDraw<Integer>& draw) const;
  void by_stream(HostDraw<Integer>& draw) const;

 private:
  using Token = Kokkos::Experimental::UniqueToken<Space>;
  class Copy;
  static constexpr int width = AliasDraws::width;

  void count_all(const std::uint32_t* cells, int count, std::uint64_t* counts) const;
  void count_in_ways(const std::uint32_t* cells, int count, std::uint64_t* counts) const;
  bool stores_cells() const { return samples_.stride != 0; }
  /// Stores the cells of samples `from` .. `from` + `count` - 1 of a stream, if stores_cells().
  void store_cells(const std::uint32_t* cells, int count, std::uint64_t stream,
                   std::uint64_t from) const;

  AliasTable::Levels table_;
  AliasHistogram histogram_;
  AliasSamples samples_;
  Token token_;
};

/// The copy of the histogram that the calling thread uses. If each thread has its own copy, the
/// constructor acquires it and the destructor releases it.
class CountCells::Copy {
 public:
  explicit Copy(const CountCells& all)
      : token_(all.token_),
        has_own_copy_(!all.histogram_.shared() && all.histogram_.copies() > 1),
        thread_(has_own_copy_ ? token_.acquire() : 0),
        counts_(all.histogram_.copy(static_cast<std::uint64_t>(thread_))) {}
  ~Copy() {
    if (has_own_copy_) token_.release(thread_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  std::uint64_t* counts() const { return counts_; }

 private:
  const Token& token_;
  bool has_own_copy_;
  Token::size_type thread_;
  std::uint64_t* counts_;
};

void CountCells::by_lanes(HostDraw<Integer>& draw) const {
  const Copy copy(*this);
  AliasDraws draws(table_);
  draws.prepare();
  std::uint64_t done = 0;
  DrawnItems<Integer> drawn;
  while (draw.next(drawn)) {
    for (int i = 0; i < drawn.items; i += AliasDraws::max_rows) {
      const int rows = std::min(drawn.items - i, AliasDraws::max_rows);
      draws.draw(drawn.numbers + i * shape.numbers * width, rows);
      if (drawn.is_full) count_all(draws.cells(), rows * width, copy.counts());
      for (int l = 0; l < draw.live && (!drawn.is_full || stores_cells()); ++l) {
        std::uint32_t cells[AliasDraws::max_rows];
        const int lane_samples = std::clamp(drawn.valid_items[l] - i, 0, rows);
        for (int d = 0; d < lane_samples; ++d) cells[d] = draws.cells()[d * width + l];
        if (!drawn.is_full) count_all(cells, lane_samples, copy.counts());
        store_cells(cells, lane_samples, draw.first + static_cast<std::uint64_t>(l), done);
      }
      done += static_cast<std::uint64_t>(rows);
    }
  }
}

void CountCells::by_stream(HostDraw<Integer>& draw) const {
  const Copy copy(*this);
  AliasDraws draws(table_);
  draws.prepare();
  SampleRows rows(shape.numbers);
  std::uint64_t done = 0;
  DrawnItems<Integer> drawn;
  while (draw.next(drawn)) {
    for (int i = 0; i < drawn.items; i += AliasDraws::max_draws) {
      const int count = std::min(drawn.items - i, AliasDraws::max_draws);
      draws.draw(rows.of(drawn.numbers + i * shape.numbers, count), ceil_divide(count, width));
      count_all(draws.cells(), count, copy.counts());
      store_cells(draws.cells(), count, draw.first, done);
      done += static_cast<std::uint64_t>(count);
    }
  }
}

void CountCells::count_all(const std::uint32_t* cells, int count, std::uint64_t* counts) const {
  if (histogram_.beyond_cache()) {
    for (int i = 0; i < count; ++i) __builtin_prefetch(counts + cells[i], 1);
  }
  if (histogram_.shared()) {
    for (int i = 0; i < count; ++i) Kokkos::atomic_add(counts + cells[i], std::uint64_t{1});
  } else if (histogram_.ways_per_copy() == 1) {
    for (int i = 0; i < count; ++i) ++counts[cells[i]];
  } else {
    count_in_ways(cells, count, counts);
  }
}

void CountCells::count_in_ways(const std::uint32_t* cells, int count, std::uint64_t* counts) const {
  constexpr int ways = AliasHistogram::ways;
  std::uint64_t* way[ways];
  for (int w = 0; w < ways; ++w)
    way[w] = counts + static_cast<std::uint64_t>(w) * histogram_.cells();
  int i = 0;
  for (; i + ways <= count; i += ways) {
    for (int w = 0; w < ways; ++w) ++way[w][cells[i + w]];
  }
  for (; i < count; ++i) ++counts[cells[i]];
}

void CountCells::store_cells(const std::uint32_t* cells, int count, std::uint64_t stream,
                             std::uint64_t from) const {
  if (stores_cells()) std::copy_n(cells, count, samples_.of(stream) + from);
}

}  // namespace

void AliasSampler::count(const Work& work, const AliasSamples& samples) {
  draw(*source_, work, CountCells(space_, table_, histogram_, samples));
}

}  // namespace rivulet

#endif
