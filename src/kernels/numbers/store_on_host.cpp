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
  using Mode = typename Consumer::Mode;

  explicit HostStore(const detail::NumberWriter<Integer>& writer) : writer_(writer) {}

  void store(const NumberStore& args) const {
    const bool by_lanes = args.source.mapping_of(args.work) == StreamMapping::lane;
    if (args.places.layout.number_stride == 1) return draw(args, Mode::columns, is_far(args));
    if (by_lanes && lines_of_rows(args)) return store_rows(args);
    draw(args, Mode::scattered, false);
  }

 private:
  void draw(const NumberStore& part, Mode mode, bool non_temporal, int groups = 1) const {
    const Consumer consumer(writer_, part.work, part.places, part.to, mode, non_temporal, groups);
    part.source.draw(part.work, consumer.host());
  }

  /// True if non-temporal stores pay: the work's numbers exceed the CPU's caches, and each stream
  /// has enough numbers to amortise the fence after the stores.
  bool is_far(const NumberStore& args) const {
    // Bytes per stream that take as long to write as the fence.
    constexpr std::uint64_t fence_bytes = 1024;
    const NumberLayout& layout = args.places.layout;
    const std::uint64_t between =
        args.places.segment_stride > 0 ? args.places.segment_stride : layout.stream_stride;
    const std::uint64_t extent =
        (args.work.size - 1) * between + (args.work.count(0) - 1) * layout.number_stride + 1;
    return streaming_stores &&
           args.work.count(0) * writer_.bytes >= std::min(fence_bytes, args.request.stream_from) &&
           std::min(extent, args.work.size * args.work.count(0)) * writer_.bytes >=
               args.request.stream_from;
  }

  /// True if rows of adjacent streams can be stored in complete cache lines, and the output exceeds
  /// the caches. The rows must begin at cache line boundaries, and all streams must have the same
  /// count of numbers.
  bool lines_of_rows(const NumberStore& args) const {
    const NumberLayout& layout = args.places.layout;
    return lanes<Word> > 1 && args.places.segment_stride == 0 && layout.stream_stride == 1 &&
           args.work.count(args.work.size - 1) == args.work.count(0) && is_far(args) &&
           reinterpret_cast<std::uintptr_t>(args.to) % cache_line == 0 &&
           layout.number_stride * writer_.bytes % cache_line == 0;
  }

  /// Draws a limited number of rows at a time, because each group writes a part of every row, and
  /// the TLB must hold the pages of all rows.
  void store_rows(const NumberStore& args) const {
    constexpr std::uint64_t pages = 1024;  // TLBs have at least 1536 entries
    constexpr std::uint64_t page = 4096;
    const std::uint64_t row = args.places.layout.number_stride * writer_.bytes;
    const std::uint64_t period = args.source.period({writer_.raw, true}).items;
    const std::uint64_t max_rows = pages * std::max(page / row, std::uint64_t{1}) / period * period;
    NumberStore part = args;
    for (std::uint64_t from = args.work.first_item; from < args.work.end_item;
         from = part.work.end_item) {
      // Every block after the first begins at a period boundary.
      const std::uint64_t within = args.work.is_cut() ? from : args.work.begin + from;
      part.work.first_item = from;
      part.work.end_item = std::min(from + max_rows - within % period, args.work.end_item);
      part.to = static_cast<std::byte*>(args.to) + (from - args.work.first_item) * row;
      store_block(part);
    }
  }
  /// Returns the number of adjacent groups per draw. The groups fill a pair of cache lines
  /// (streamed_run_bytes) or, if there are few streams, one cache line.
  int groups_of(const NumberStore& args) const {
    const std::size_t row = lanes<Word> * writer_.bytes;
    const auto max_groups = static_cast<int>(std::max(streamed_run_bytes / row, std::size_t{1}));
    const std::uint64_t tiles =
        args.work.size / static_cast<std::uint64_t>(max_groups * lanes<Word>);
    if (tiles >= static_cast<std::uint64_t>(args.space.concurrency())) return max_groups;
    return static_cast<int>(std::max(cache_line / row, std::size_t{1}));
  }
  void store_block(const NumberStore& args) const {
    const int groups = groups_of(args);
    const auto step = static_cast<std::uint64_t>(groups * lanes<Word>);
    const std::uint64_t full_group_streams = args.work.size / step * step;
    NumberStore part = args;
    part.work = args.work.part(0, full_group_streams);
    if (full_group_streams > 0) draw(part, Mode::rows, true, groups);
    part.work = args.work.part(full_group_streams, args.work.size - full_group_streams);
    part.to = static_cast<std::byte*>(args.to) + full_group_streams * writer_.bytes;
    if (full_group_streams < args.work.size) draw(part, Mode::scattered, false);
  }

  detail::NumberWriter<Integer> writer_;
};

}  // namespace

void store_numbers(const NumberStore& args) {
  const NumberRequest& request = args.request;
  detail::with_format_bits(args.source.plan().generator().format_bits, [&](auto bits) {
    HostStore(detail::number_writer<bits>(request.type, request.interval)).store(args);
  });
}

std::uint64_t NumberSource::max_useful_streams(std::uint64_t) const {
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace rivulet

#endif
