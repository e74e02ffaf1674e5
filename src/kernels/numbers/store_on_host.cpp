// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "kernels/numbers/number_stores.hpp"
#include "kernels/numbers/store_numbers.hpp"
#include "machine/streaming_store.hpp"

#if !RIVULET_DEVICE_BUILD

namespace rivulet {
namespace {

template <class Integer>
class HostStore {
 public:
  using Consumer = StoreNumbers<Integer>;
  using Way = typename Consumer::Way;

  explicit HostStore(const detail::NumberWriter<Integer>& writer) : writer_(writer) {}

  void store(const NumberStore& all) const {
    const bool by_lanes = all.source.mapping_of(all.work) == StreamMapping::lane;
    if (all.places.layout.number_stride == 1) return draw(all, Way::columns, is_far(all));
    if (by_lanes && lines_of_rows(all)) return store_rows(all);
    draw(all, Way::anywhere, false);
  }

 private:
  void draw(const NumberStore& some, Way way, bool non_temporal, int groups = 1) const {
    const Consumer consumer(writer_, some.work, some.places, some.to, way, non_temporal, groups);
    some.source.draw(some.work, consumer.host());
  }

  /// True if non-temporal stores pay: the work's numbers exceed the CPU's caches, and each stream
  /// has enough numbers to amortise the fence after the stores.
  bool is_far(const NumberStore& all) const {
    // Bytes per stream that take as long to write as the fence.
    constexpr std::uint64_t worth = 1024;
    const NumberLayout& layout = all.places.layout;
    const std::uint64_t between =
        all.places.segment_stride > 0 ? all.places.segment_stride : layout.stream_stride;
    const std::uint64_t extent =
        (all.work.size - 1) * between + (all.work.count(0) - 1) * layout.number_stride + 1;
    return streaming_stores &&
           all.work.count(0) * writer_.bytes >= std::min(worth, all.request.stream_from) &&
           std::min(extent, all.work.size * all.work.count(0)) * writer_.bytes >=
               all.request.stream_from;
  }

  /// True if rows of adjacent streams can be stored in complete cache lines, and the output exceeds
  /// the caches. The rows must begin at cache line boundaries, and all streams must have equally
  /// many numbers.
  bool lines_of_rows(const NumberStore& all) const {
    const NumberLayout& layout = all.places.layout;
    return lanes<Word> > 1 && all.places.segment_stride == 0 && layout.stream_stride == 1 &&
           all.work.count(all.work.size - 1) == all.work.count(0) && is_far(all) &&
           reinterpret_cast<std::uintptr_t>(all.to) % cache_line == 0 &&
           layout.number_stride * writer_.bytes % cache_line == 0;
  }

  /// Draws a limited number of rows at a time, because each group writes a part of every row, and
  /// the TLB must hold the pages of all rows.
  void store_rows(const NumberStore& all) const {
    constexpr std::uint64_t pages = 1024;  // TLBs have at least 1536 entries
    constexpr std::uint64_t page = 4096;
    const std::uint64_t row = all.places.layout.number_stride * writer_.bytes;
    const std::uint64_t period = all.source.period({writer_.raw, true}).items;
    const std::uint64_t most = pages * std::max(page / row, std::uint64_t{1}) / period * period;
    NumberStore some = all;
    for (std::uint64_t from = all.work.from; from < all.work.upto; from = some.work.upto) {
      // Every block after the first begins at a period boundary.
      const std::uint64_t within = all.work.is_cut() ? from : all.work.begin + from;
      some.work.from = from;
      some.work.upto = std::min(from + most - within % period, all.work.upto);
      some.to = static_cast<std::byte*>(all.to) + (from - all.work.from) * row;
      store_block(some);
    }
  }
  /// Returns the number of adjacent groups per draw. The groups fill a pair of cache lines
  /// (streamed_run) or, if there are few streams, one cache line.
  int groups_of(const NumberStore& all) const {
    const std::size_t row = lanes<Word> * writer_.bytes;
    const auto most = static_cast<int>(std::max(streamed_run / row, std::size_t{1}));
    const std::uint64_t tiles = all.work.size / static_cast<std::uint64_t>(most * lanes<Word>);
    if (tiles >= static_cast<std::uint64_t>(all.space.concurrency())) return most;
    return static_cast<int>(std::max(cache_line / row, std::size_t{1}));
  }
  void store_block(const NumberStore& all) const {
    const int groups = groups_of(all);
    const auto step = static_cast<std::uint64_t>(groups * lanes<Word>);
    const std::uint64_t whole = all.work.size / step * step;
    NumberStore some = all;
    some.work = all.work.part(0, whole);
    if (whole > 0) draw(some, Way::rows, true, groups);
    some.work = all.work.part(whole, all.work.size - whole);
    some.to = static_cast<std::byte*>(all.to) + whole * writer_.bytes;
    if (whole < all.work.size) draw(some, Way::anywhere, false);
  }

  detail::NumberWriter<Integer> writer_;
};

}  // namespace

void store_numbers(const NumberStore& all) {
  const NumberRequest& request = all.request;
  detail::with_format_bits(all.source.plan().generator().format_bits, [&](auto bits) {
    HostStore(detail::number_writer<bits>(request.type, request.interval)).store(all);
  });
}

std::uint64_t most_side_by_side(const Space&, const StreamPlan&, std::uint64_t) {
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace rivulet

#endif
