// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_stores.hpp"

#if !RIVULET_DEVICE_BUILD

#include <algorithm>

#include "kernels/numbers/cache_line_buffer.hpp"
#include "machine/streaming_store.hpp"

namespace rivulet {
namespace {

constexpr int width = lanes<Word>;

/// Numbers per lane that store_columns() converts before it flushes. A core's store buffer holds
/// about a hundred stores, which leave in order. If a flush adds few stores, the store buffer
/// drains during the next conversions.
constexpr int numbers_per_flush = 32;

/// Adjacent lanes whose outputs are equally long and at a constant stride.
struct LaneRun {
  int lane;
  int count;
  std::uint64_t numbers;
  std::byte* out;
};

}  // namespace

template <class Number>
void StoreNumbers<Number>::by_lanes(HostDraw<Integer>& draw) const {
  switch (mode_) {
    case Mode::scattered:
      return store_scattered(draw);
    case Mode::rows:
      return store_rows(draw);
    case Mode::columns:
      return store_columns(draw);
  }
}

template <class Number>
void StoreNumbers<Number>::by_stream(HostDraw<Integer>& draw) const {
  const std::uint64_t stride = places_.layout.number_stride;
  std::byte* out = address(draw.first);
  DrawnItems<Integer> drawn;
  while (draw.next(drawn)) {
    non_temporal_ ? writer_.write_stream_non_temporal(drawn.numbers, drawn.items, out)
                  : writer_.write_stream(drawn.numbers, drawn.items, stride, out);
    out += static_cast<std::uint64_t>(drawn.items) * stride * writer_.bytes;
  }
  if (non_temporal_) fence_streaming_stores();
}

template <class Number>
void StoreNumbers<Number>::store_scattered(HostDraw<Integer>& draw) const {
  LaneRun runs[width];
  int count = 0;
  for (int l = 0; l < draw.live; ++l) {
    const std::uint64_t i = draw.first + static_cast<std::uint64_t>(l);
    const LaneRun lane_run{l, 1, work_.count(i), address(i)};
    LaneRun* const last = count > 0 ? &runs[count - 1] : nullptr;
    const std::uint64_t stride = places_.layout.stream_stride * writer_.bytes;
    if (last != nullptr && lane_run.numbers == last->numbers &&
        lane_run.out == last->out + static_cast<std::uint64_t>(last->count) * stride) {
      ++last->count;
    } else {
      runs[count++] = lane_run;
    }
  }
  DrawnItems<Integer> drawn;
  while (draw.next(drawn)) {
    for (LaneRun* run = runs; run < runs + count; ++run) {
      const int count_of_lane = drawn.valid_items[run->lane];
      writer_.write_lanes(drawn.numbers + run->lane, count_of_lane, run->count, places_.layout,
                          run->out);
      run->out +=
          static_cast<std::uint64_t>(count_of_lane) * places_.layout.number_stride * writer_.bytes;
    }
  }
}

template <class Number>
void StoreNumbers<Number>::store_rows(HostDraw<Integer>& draw) const {
  const std::uint64_t stride = places_.layout.number_stride;
  std::byte* out = address(draw.first);
  const auto advance = [&](std::uint64_t rows) { out += rows * stride * writer_.bytes; };
  DrawnItems<Integer> drawn;
  do {
    if (writer_.is_words || writer_.is_floats) {
      advance(draw.stream_rows({out, stride, writer_.is_floats}));
    }
    if (!draw.next(drawn)) break;
    writer_.stream_rows({drawn.numbers, groups_, drawn.group_stride, drawn.items}, stride, out);
    advance(static_cast<std::uint64_t>(drawn.items));
  } while (true);
  fence_streaming_stores();
}

template <class Number>
void StoreNumbers<Number>::store_columns(HostDraw<Integer>& draw) const {
  CacheLineBuffer<numbers_per_flush * sizeof(std::uint64_t)> stage[width];
  for (int l = 0; l < width; ++l) {
    stage[l].begin(address(draw.first + static_cast<std::uint64_t>(std::min(l, draw.live - 1))));
  }
  DrawnItems<Integer> drawn;
  while (draw.next(drawn)) {
    for (int i = 0; i < drawn.items; i += numbers_per_flush) {
      const int numbers = std::min(drawn.items - i, numbers_per_flush);
      std::byte* end[width];
      for (int l = 0; l < width; ++l) end[l] = stage[l].end();
      writer_.make_columns(drawn.numbers + i * writer_.raw * width, numbers, end);
      for (int l = 0; l < draw.live; ++l) {
        const int valid = std::clamp(drawn.valid_items[l] - i, 0, numbers);
        stage[l].add(static_cast<std::size_t>(valid) * writer_.bytes);
        stage[l].flush(non_temporal_);
      }
    }
  }
  for (int l = 0; l < draw.live; ++l) stage[l].finish();
  if (non_temporal_) fence_streaming_stores();
}

template <class Number>
HostConsumer<Number> StoreNumbers<Number>::host() const {
  // The items per lane and draw were tuned on an EPYC. Rows bypass the caches, so draws are short:
  // the rows drain to memory during the next draw. Otherwise, the output shares the L1 cache with
  // the raw numbers, and longer draws are faster. Columns are transposed in squares (16 x 16, for
  // example), and the last square of a draw is rarely full.
  const int items = mode_ == Mode::rows ? 64 : mode_ == Mode::columns ? 128 : 160;
  return host_consumer(*this, std::min(items * writer_.raw, numbers_at_once), groups_);
}

template class StoreNumbers<std::uint32_t>;
template class StoreNumbers<std::uint64_t>;

}  // namespace rivulet

#endif
