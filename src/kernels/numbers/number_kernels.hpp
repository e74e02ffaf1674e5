// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"
#include "kernels/numbers/number_writer.hpp"
#include "machine/streaming_store.hpp"

namespace rivulet::detail {

/// A piece of streams or, where they are cut, of their segments.
struct DrawnPiece {
  NumberPiece piece;
  NumberSegments segments;  ///< of length 0 where there are none

  KOKKOS_FUNCTION bool is_cut() const { return segments.length > 0; }
  /// Numbers of a stream or segment, by its index from piece.first on.
  KOKKOS_FUNCTION std::uint64_t numbers(std::uint64_t index) const {
    if (!is_cut()) return piece.count;
    return segments.numbers(piece.first + index, piece.begin, piece.count);
  }
};

/// Where a piece goes. Segments of whole pieces lie where their streams' numbers do.
struct DrawnLayout {
  NumberLayout numbers;
  std::uint64_t segment_stride = 0;  ///< between segments of a stream, if these lie so
  std::uint64_t streams = 1;         ///< that are cut

  /// Of the first number of a stream or segment.
  KOKKOS_FUNCTION std::uint64_t place(std::uint64_t index) const {
    if (segment_stride == 0 || index < streams) return index * numbers.stream_stride;
    return index % streams * numbers.stream_stride + index / streams * segment_stride;
  }
};

/// A piece cut at periods: streams start at a boundary, `skip` numbers before the piece.
struct PieceCut {
  std::uint64_t skip;
  std::uint64_t left;  ///< numbers from that boundary to the piece's end; none if it is empty

  KOKKOS_FUNCTION PieceCut(const NumberPiece& piece, std::uint64_t period)
      : skip(piece.begin % period), left(skip + piece.count) {}
  /// Of a stream or segment.
  KOKKOS_FUNCTION PieceCut(const DrawnPiece& what, std::uint64_t index, std::uint64_t period)
      : skip(what.piece.begin % period), left(what.numbers(index)) {
    left += left > 0 ? skip : 0;
  }
};

/// Lanes of a group that follow each other in memory and have as many numbers.
struct LaneRun {
  int lane;
  int count;
  std::uint64_t left;  ///< numbers that are still to be written
  std::byte* out;
};

/// The lane mapping on a CPU: a group of lanes<Word> streams, a period at a time.
template <class Streams>
struct DrawLanes {
  using Integer = typename Streams::Integer;
  static constexpr int width = lanes<Word>;
  static constexpr int round = Streams::round_numbers * width;

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  NumberWriter<Integer> writer;
  std::byte* to;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    LaneRun runs[width];
    const int count = find_runs(first, runs);
    auto engine = streams.load(what.piece.first + first);
    Integer raw[most_raw<Integer> * round];
    const NumberPeriod period(Streams::round_numbers, writer.raw);
    const auto numbers = static_cast<std::uint64_t>(period.numbers);
    std::uint64_t skip = what.piece.begin % numbers;
    // No lane has more numbers than the first.
    const PieceCut cut(what, first, numbers);
    for (std::uint64_t left = cut.left; left > 0;) {
      // A stream rests at the last boundary within its piece.
      if (left < numbers) streams.store(what.piece.first + first, engine);
      for (int r = 0; r < period.rounds; ++r) engine.draw_numbers(raw + r * round);
      const std::uint64_t upto = left < numbers ? left : numbers;
      for (int i = 0; i < count; ++i) write(runs[i], raw, skip, upto - skip);
      left -= upto;
      if (left == 0 && upto == numbers) streams.store(what.piece.first + first, engine);
      skip = 0;
    }
  }

  KOKKOS_FUNCTION void write(LaneRun& run, const Integer* raw, std::uint64_t skip,
                             std::uint64_t count) const {
    const std::uint64_t some = run.left < count ? run.left : count;
    if (some == 0) return;
    writer.write_lanes(raw + static_cast<int>(skip) * writer.raw * width + run.lane,
                       static_cast<int>(some), run.count, layout.numbers, run.out);
    run.out += some * layout.numbers.number_stride * writer.bytes;
    run.left -= some;
  }

  KOKKOS_FUNCTION int find_runs(std::uint64_t first, LaneRun* runs) const {
    const std::uint64_t streams_left = what.piece.streams - first;
    const int live = streams_left < width ? static_cast<int>(streams_left) : width;
    int count = 0;
    for (int l = 0; l < live; ++l) {
      const std::uint64_t index = first + static_cast<std::uint64_t>(l);
      const std::uint64_t numbers = what.numbers(index);
      std::byte* const out = to + layout.place(index) * writer.bytes;
      if (count > 0 && follows(runs[count - 1], numbers, out)) {
        ++runs[count - 1].count;
      } else {
        runs[count++] = {l, 1, numbers, out};
      }
    }
    return count;
  }
  KOKKOS_FUNCTION bool follows(const LaneRun& run, std::uint64_t numbers,
                               const std::byte* out) const {
    const std::uint64_t stride = layout.numbers.stream_stride * writer.bytes;
    return numbers == run.left && out == run.out + static_cast<std::uint64_t>(run.count) * stride;
  }
};

/// The team mapping on a CPU: what NumberWriter says, at run time.
template <class Streams>
struct HostFormat {
  NumberWriter<typename Streams::Integer> writer;
  bool non_temporal = false;  ///< stores, where numbers lie side by side

  KOKKOS_FUNCTION int raw() const { return writer.raw; }
  KOKKOS_FUNCTION std::size_t bytes() const { return writer.bytes; }

  KOKKOS_FUNCTION void write(const StreamLanes&, const typename Streams::Integer* raw, int count,
                             std::uint64_t stride, std::byte* out) const {
    non_temporal ? writer.stream_one(raw, count, out) : writer.write_one(raw, count, stride, out);
  }
  /// After a stream's last numbers.
  KOKKOS_FUNCTION void end() const {
    if (non_temporal) streams_end();
  }
};

/// What a team draws at a time.
template <class Streams>
struct TeamChunk {
  using Engine = typename Streams::TeamEngine;
  /// Whether a team may draw less than team_numbers; else streams are at a boundary after chunks.
  static constexpr bool any_rounds =
      requires(Engine engine, const StreamLanes& lanes, typename Streams::Integer* to) {
    engine.draw(lanes, to, 1);
  };

  int numbers;  ///< made of whole draws
  int period;   ///< numbers after which the stream can rest

  KOKKOS_FUNCTION constexpr explicit TeamChunk(int raw)
      : numbers(Engine::team_numbers / common_divisor(Engine::team_numbers, raw)),
        period(any_rounds ? NumberPeriod(Streams::round_numbers, raw).numbers : numbers) {}
};

/// The team mapping: a stream, as many numbers at a time as a team draws best. Format: HostFormat,
/// or on a device one that is known as it is compiled.
template <class Streams, class Format>
struct DrawTeam {
  using Integer = typename Streams::Integer;
  using Engine = typename Streams::TeamEngine;
  using Chunk = TeamChunk<Streams>;
  static constexpr std::size_t engine_bytes = whole_scratch(Engine::scratch_bytes);
  static_assert(Engine::team_numbers % Streams::round_numbers == 0);

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  Format format;
  std::byte* to;

  std::size_t scratch_bytes() const {
    return engine_bytes +
           static_cast<std::size_t>(Chunk(format.raw()).numbers * format.raw()) * sizeof(Integer);
  }

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    const Chunk chunk(format.raw());
    const auto period = static_cast<std::uint64_t>(chunk.period);
    const auto most = static_cast<std::uint64_t>(chunk.numbers);
    Engine engine(lanes, streams, what.piece.first + stream, scratch);
    const PieceCut cut(what, stream, period);
    Place place{reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes),
                static_cast<int>(cut.skip), to + layout.place(stream) * format.bytes()};
    std::uint64_t left = cut.left;
    while (left >= period) {
      const int now = static_cast<int>(left < most ? left / period * period : most);
      draw(lanes, engine, now, now, place);
      left -= static_cast<std::uint64_t>(now);
    }
    engine.store(lanes, streams, what.piece.first + stream);
    if (left > 0) draw(lanes, engine, chunk.period, static_cast<int>(left), place);
    if constexpr (requires { format.end(); }) format.end();
  }

  struct Place {
    Integer* raw;
    int skip;
    std::byte* out;
  };

  /// Draws whole periods and writes those of the first `wanted` numbers that are not skipped.
  KOKKOS_FUNCTION void draw(const StreamLanes& lanes, Engine& engine, int numbers, int wanted,
                            Place& now) const {
    const int raw_numbers = numbers * format.raw();
    for (int done = 0; done < raw_numbers; done += Engine::team_numbers) {
      if constexpr (Chunk::any_rounds) {
        const int rest = raw_numbers - done;
        engine.draw(lanes, now.raw + done,
                    rest < Engine::team_numbers ? rest : Engine::team_numbers);
      } else {
        engine.draw(lanes, now.raw + done);
      }
    }
    const int written = wanted - now.skip;
    format.write(lanes, now.raw + now.skip * format.raw(), written, layout.numbers.number_stride,
                 now.out);
    now.out += static_cast<std::uint64_t>(written) * layout.numbers.number_stride * format.bytes();
    now.skip = 0;
  }
};

}  // namespace rivulet::detail
