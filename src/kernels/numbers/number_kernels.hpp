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

/// The team mapping on a CPU: a stream, as many numbers at a time as a team draws best.
template <class Streams>
struct DrawTeam {
  using Integer = typename Streams::Integer;
  using Engine = typename Streams::TeamEngine;
  using Chunk = TeamChunk<Streams>;
  static constexpr std::size_t engine_bytes = whole_scratch(Engine::scratch_bytes);
  static_assert(Engine::team_numbers % Streams::round_numbers == 0);

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  NumberWriter<Integer> writer;
  bool non_temporal;  ///< stores, where numbers lie side by side
  std::byte* to;

  std::size_t scratch_bytes() const {
    return engine_bytes +
           static_cast<std::size_t>(Chunk(writer.raw).numbers * writer.raw) * sizeof(Integer);
  }

  void operator()(const StreamLanes& lanes, std::uint64_t stream, void* scratch) const {
    const Chunk chunk(writer.raw);
    const auto period = static_cast<std::uint64_t>(chunk.period);
    const auto most = static_cast<std::uint64_t>(chunk.numbers);
    Engine engine(lanes, streams, what.piece.first + stream, scratch);
    const PieceCut cut(what, stream, period);
    Place place{reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes),
                static_cast<int>(cut.skip), to + layout.place(stream) * writer.bytes};
    std::uint64_t left = cut.left;
    while (left >= period) {
      const int now = static_cast<int>(left < most ? left / period * period : most);
      draw(lanes, engine, now, now, place);
      left -= static_cast<std::uint64_t>(now);
    }
    engine.store(lanes, streams, what.piece.first + stream);
    if (left > 0) draw(lanes, engine, chunk.period, static_cast<int>(left), place);
    if (non_temporal) streams_end();
  }

  struct Place {
    Integer* raw;
    int skip;
    std::byte* out;
  };

  /// Draws whole periods and writes those of the first `wanted` numbers that are not skipped.
  void draw(const StreamLanes& lanes, Engine& engine, int numbers, int wanted, Place& now) const {
    const int raw_numbers = numbers * writer.raw;
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
    const std::uint64_t stride = layout.numbers.number_stride;
    const Integer* const raw = now.raw + now.skip * writer.raw;
    non_temporal ? writer.stream_one(raw, written, now.out)
                 : writer.write_one(raw, written, stride, now.out);
    now.out += static_cast<std::uint64_t>(written) * stride * writer.bytes;
    now.skip = 0;
  }
};

}  // namespace rivulet::detail
