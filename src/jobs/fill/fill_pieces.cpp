// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/fill_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr auto tile = static_cast<std::uint64_t>(tile_streams);

// Buffer sizes in bytes for fill.memory=auto.

/// Bytes per tile for fill.to=memory. The buffer of a tile fits in a core's share of the caches.
/// Threads synchronise after every piece, so smaller pieces would make them synchronise more often.
/// On cores shared with other processes, a run with pieces of 512 KiB per core (25 us of writing)
/// took 1.7 times as long as with passive waiting, and a run with pieces of 2 MiB took 1.1 times as
/// long. On idle cores, pieces of 2 MiB are no slower.
constexpr std::uint64_t cache_bytes_per_tile = std::uint64_t{2} << 20;
/// Bytes per tile for a pipe.
constexpr std::uint64_t pipe_bytes_per_tile = std::uint64_t{512} << 10;
/// A buffer of this size makes the cost of kernel launches on a GPU negligible.
constexpr std::uint64_t bytes_on_device = std::uint64_t{8} << 30;
/// A buffer of this size makes each write to a file large enough to be efficient.
constexpr std::uint64_t bytes_to_file = std::uint64_t{64} << 20;

/// Contiguous numbers that amortise a separate write.
constexpr std::uint64_t numbers_per_write = std::uint64_t{1} << 16;
/// Contiguous bytes that amortise a write. For shares and long runs, a step between checkpoints
/// writes at least this many bytes per stream. With 2^20 streams, a step takes seconds.
constexpr std::uint64_t bytes_in_row = 1024;
/// A draw that begins within a period recomputes the whole period. Runs shorter than this many
/// periods are therefore not drawn one by one (must_reorder()).
constexpr std::uint64_t periods_per_draw = 8;

/// Returns how many of `streams` streams to put into a buffer with room for `capacity` streams: all
/// or, if they do not fit, as many whole tiles as fit, but at least one tile.
std::uint64_t streams_that_fit(std::uint64_t capacity, std::uint64_t streams) {
  return capacity >= streams ? streams : std::max(capacity / tile, std::uint64_t{1}) * tile;
}

std::uint64_t preferred_bytes(FillTarget target, const FillLimits& limits) {
  if (target == FillTarget::file) return bytes_to_file;
  if (device_build) return bytes_on_device;
  return limits.busy_streams / tile *
         (target == FillTarget::pipe ? pipe_bytes_per_tile : cache_bytes_per_tile);
}

/// Returns the least buffer size in numbers. A buffer for memory or a file holds at least one
/// period of every stream of a tile. A buffer for a pipe holds at least one period of every stream
/// in the interleaved order, and one cycle in the blocked order, or two cycles if the numbers are
/// reordered.
std::uint64_t min_numbers(const FillOrder& order, std::uint64_t streams, FillTarget target,
                          std::uint64_t period, bool needs_reordering) {
  if (target != FillTarget::pipe) return std::min(streams, tile) * period;
  if (order.interleaved()) return streams * period;
  return (needs_reordering ? 2 : 1) * order.cycle();
}

/// True if runs are so short that the numbers are drawn stream by stream and then reordered. This
/// happens only for files and pipes.
bool must_reorder(const FillOrder& order, FillTarget target, std::uint64_t period) {
  return target != FillTarget::memory && order.run > 1 && order.run < periods_per_draw * period &&
         order.run % period != 0;
}

/// Returns how many numbers fit in a buffer of bytes.most bytes. Throws Error if bytes.most is less
/// than bytes.least.
std::uint64_t buffer_numbers(const FillBytes& bytes, const FillLimits& limits, FillTarget target) {
  if (bytes.most < bytes.least) {
    const std::string what = target == FillTarget::pipe
                                 ? "the numbers that all streams draw in turn take"
                                 : "the smallest piece of work takes";
    throw Error(fmt::format("fill.memory={} B is too small", bytes.most),
                fmt::format("{} {} B", what, bytes.least),
                fmt::format("Set fill.memory={}B or more, or auto.", bytes.least));
  }
  return bytes.most / limits.number_bytes;
}

/// Returns a shape with `streams` streams and as many whole periods per stream as fit in a buffer
/// for `numbers` numbers, but at least one period.
FillPieceLimits with_streams(std::uint64_t streams, std::uint64_t numbers, std::uint64_t period) {
  return {streams, std::max(numbers / streams / period, std::uint64_t{1}) * period};
}

}  // namespace

std::uint64_t FillOrder::count(std::uint64_t stream) const {
  if (in_shares()) return numbers / streams + (stream < numbers % streams ? 1 : 0);
  const std::uint64_t partial_cycle = numbers % cycle();
  const std::uint64_t before = stream * run;
  return numbers / cycle() * run +
         (partial_cycle > before ? std::min(partial_cycle - before, run) : 0);
}

std::uint64_t FillOrder::count(StreamRange range) const {
  // Returns how many of `rest` numbers belong to streams 0 .. `stream` - 1. The `rest` numbers are
  // the incomplete last cycle, or the numbers beyond equal shares.
  const auto before = [&](std::uint64_t rest, std::uint64_t stream, std::uint64_t each) {
    return std::min(rest, stream * each);
  };
  const std::uint64_t cycle_length = in_shares() ? streams : cycle();
  const std::uint64_t each = in_shares() ? 1 : run;
  const std::uint64_t rest = numbers % cycle_length;
  return numbers / cycle_length * each * range.count +
         before(rest, range.first + range.count, each) - before(rest, range.first, each);
}

std::uint64_t FillOrder::index_of(std::uint64_t stream, std::uint64_t i) const {
  if (in_shares()) {
    return stream * (numbers / streams) + std::min(stream, numbers % streams) + i;
  }
  return i / run * cycle() + stream * run + i % run;
}

std::vector<FillRange> fill_stages(const FillOrder& order, StreamRange range) {
  // Returns the number of streams in the range whose ids are below `end_id`.
  const auto local = [&](std::uint64_t end_id) {
    return std::clamp(end_id, range.first, range.first + range.count) - range.first;
  };
  std::vector<FillRange> stages;
  if (order.in_shares()) {
    const std::uint64_t equal_share = order.numbers / order.streams;
    stages = {{range.count, 0, equal_share},
              {local(order.numbers % order.streams), equal_share, equal_share + 1}};
  } else {
    const std::uint64_t full_cycles = order.numbers / order.cycle() * order.run;
    const std::uint64_t partial_cycle = order.numbers % order.cycle();
    const std::uint64_t full_runs = partial_cycle / order.run;
    const std::uint64_t end_of_last_run = full_cycles + partial_cycle % order.run;
    stages = {{range.count, 0, full_cycles},
              {local(full_runs + 1), full_cycles, end_of_last_run},
              {local(full_runs), end_of_last_run, full_cycles + order.run}};
  }
  std::erase_if(stages, [](const FillRange& stage) {
    return stage.streams == 0 || stage.begin == stage.end;
  });
  return stages;
}

std::vector<FillRange> part_of(std::vector<FillRange> stages, std::uint64_t begin,
                               std::uint64_t end) {
  for (FillRange& stage : stages) {
    stage.begin = std::max(stage.begin, begin);
    stage.end = std::min(stage.end, end);
  }
  std::erase_if(stages, [](const FillRange& stage) { return stage.begin >= stage.end; });
  return stages;
}

FillBytes fill_bytes(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                     const FillLimits& limits) {
  const std::uint64_t streams = std::max(local_streams, std::uint64_t{1});
  const std::uint64_t least =
      limits.number_bytes * min_numbers(order, streams, target, limits.period,
                                        must_reorder(order, target, limits.period));
  if (limits.memory != 0) return {limits.memory, least};
  return {std::max(preferred_bytes(target, limits), least), least};
}

FillPieceLimits fill_shape(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                           const FillLimits& limits) {
  const std::uint64_t streams = std::max(local_streams, std::uint64_t{1});
  const std::uint64_t period = limits.period;
  const std::uint64_t run = order.run;
  const bool needs_reordering = must_reorder(order, target, period);
  const std::uint64_t numbers =
      buffer_numbers(fill_bytes(order, local_streams, target, limits), limits, target);
  const std::uint64_t max_streams = streams_that_fit(numbers / period, streams);
  const std::uint64_t busy_streams = std::min(max_streams, limits.busy_streams);

  if (target == FillTarget::memory) {
    const std::uint64_t periods = ceil_divide(order.count(0), period);
    return with_streams(busy_streams, std::min(numbers, busy_streams * periods * period), period);
  }
  if (order.interleaved()) return with_streams(max_streams, numbers, period);
  if (order.in_shares()) {
    return with_streams(std::clamp(streams_that_fit(numbers / numbers_per_write, streams),
                                   busy_streams, max_streams),
                        numbers, period);
  }
  const std::uint64_t in_buffer = needs_reordering ? numbers / 2 : numbers;
  if (in_buffer / busy_streams < run)
    return {busy_streams, std::min(numbers / busy_streams, run), run};  // parts of a run
  const std::uint64_t whole_run_streams = streams_that_fit(in_buffer / run, streams);
  return {whole_run_streams, in_buffer / whole_run_streams / run * run, run, needs_reordering};
}

FillPieceLimits with_fewer_numbers(FillPieceLimits shape, std::uint64_t numbers,
                                   std::uint64_t local_streams) {
  if (shape.boundary != 0 || numbers >= shape.numbers || numbers == 0) return shape;
  return {streams_that_fit(shape.streams * shape.numbers / numbers,
                           std::max(local_streams, std::uint64_t{1})),
          numbers};
}

std::uint64_t fill_step(const FillOrder& order, const FillLimits& limits) {
  if (order.interleaved()) return limits.period;
  const std::uint64_t worthwhile = bytes_in_row / limits.number_bytes;
  const bool has_short_runs = !order.in_shares() && order.run <= worthwhile;
  return has_short_runs ? ceil_divide(limits.period, order.run) * order.run
                        : ceil_divide(worthwhile, limits.period) * limits.period;
}

FillPieces::FillPieces(const FillOrder& order, StreamRange range, const FillPieceLimits& shape)
    : FillPieces(fill_stages(order, range), shape) {}

FillPieces::FillPieces(std::vector<FillRange> stages, const FillPieceLimits& shape)
    : stages_(std::move(stages)), shape_(shape) {
  if (!stages_.empty()) begin_ = stages_.front().begin;
}

std::uint64_t FillPieces::end_of_piece(const FillRange& stage) const {
  const std::uint64_t end = std::min(stage.end, begin_ + shape_.numbers);
  if (shape_.boundary == 0 || (begin_ % shape_.boundary == 0 && end % shape_.boundary == 0))
    return end;
  return std::min(end, (begin_ / shape_.boundary + 1) * shape_.boundary);
}

std::optional<NumberPiece> FillPieces::next() {
  if (stage_ == stages_.size()) return std::nullopt;
  const FillRange& stage = stages_[stage_];
  const std::uint64_t end = end_of_piece(stage);
  const NumberPiece piece{first_, std::min(shape_.streams, stage.streams - first_), begin_,
                          end - begin_};
  begin_ = end;
  if (begin_ == stage.end) {
    first_ += piece.streams;
    begin_ = stage.begin;
  }
  if (first_ == stage.streams && ++stage_ < stages_.size()) {
    first_ = 0;
    begin_ = stages_[stage_].begin;
  }
  return piece;
}

bool has_whole_runs(const FillOrder& order, const NumberPiece& piece) {
  return !order.in_shares() && piece.begin % order.run == 0 && piece.count % order.run == 0;
}

std::vector<io::StridedRanges> file_ranges(const FillOrder& order, StreamRange range,
                                           const NumberPiece& piece) {
  const std::uint64_t begin = range.first + piece.first;
  const std::uint64_t end = begin + piece.streams;
  const std::uint64_t at = order.index_of(begin, piece.begin);
  if (has_whole_runs(order, piece)) {
    return {{at, piece.streams * order.run, order.cycle(), piece.count / order.run}};
  }
  if (!order.in_shares()) return {{at, piece.count, order.run, piece.streams}};

  // The first streams may have one number more than the others, so each of the two lengths has its
  // own strided range.
  const std::uint64_t share = order.numbers / order.streams;
  const std::uint64_t longer = std::clamp(order.numbers % order.streams, begin, end);
  std::vector<io::StridedRanges> runs;
  if (longer > begin) runs.push_back({at, piece.count, share + 1, longer - begin});
  if (end > longer) {
    runs.push_back({order.index_of(longer, piece.begin), piece.count, share, end - longer});
  }
  return runs;
}

}  // namespace rivulet
