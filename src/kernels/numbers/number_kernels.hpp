// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "kernels/launching/for_each_stream.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {
namespace impl {

/// How numbers of a format fill a generator's rounds.
template <class Streams, class Format>
struct NumberPeriod {
  static constexpr int common = std::gcd(Streams::round_numbers, Format::raw);
  /// Least numbers made of whole rounds, and these rounds.
  static constexpr int numbers = Streams::round_numbers / common;
  static constexpr int rounds = Format::raw / common;
  static constexpr int raw = rounds * Streams::round_numbers;
};

/// A piece cut at periods: streams start at a boundary, `skip` numbers before the piece.
struct PieceCut {
  std::uint64_t skip;
  std::uint64_t left;  ///< numbers from that boundary to the piece's end

  KOKKOS_FUNCTION PieceCut(const NumberPiece& piece, std::uint64_t period)
      : skip(piece.begin % period), left(skip + piece.count) {}
};

/// Not for inlining, so that all formats share one.
template <class Engine, class Integer>
KOKKOS_FUNCTION void draw_rounds(Engine& engine, int rounds, int stride, Integer* to) {
  for (int b = 0; b < rounds; ++b) engine.draw_numbers(to + b * stride);
}

/// The lane mapping: a group of lanes<Word> streams, a period at a time.
template <class Streams, class Format, class Out>
struct DrawLanes {
  using Period = NumberPeriod<Streams, Format>;
  using Integer = typename Streams::Integer;
  static constexpr int width = lanes<Word>;

  Streams streams;
  NumberPiece piece;
  NumberLayout layout;
  Out* to;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    auto engine = streams.load(piece.first + first);
    Integer raw[Period::raw * width];
    const PieceCut cut(piece, Period::numbers);
    const std::uint64_t streams_left = piece.streams - first;
    const int live = streams_left < width ? static_cast<int>(streams_left) : width;
    Out* out = to + first * layout.stream_stride;
    int skip = static_cast<int>(cut.skip);
    std::uint64_t left = cut.left;
    for (; left >= Period::numbers; left -= Period::numbers) {
      draw_rounds(engine, Period::rounds, Streams::round_numbers * width, raw);
      write(raw, skip, Period::numbers, live, out);
      skip = 0;
    }
    streams.store(piece.first + first, engine);
    if (left == 0) return;
    draw_rounds(engine, Period::rounds, Streams::round_numbers * width, raw);
    write(raw, skip, static_cast<int>(left), live, out);
  }

  /// Numbers from .. upto-1 of a period; moves `out` on.
  KOKKOS_FUNCTION void write(const Integer* raw, int from, int upto, int live, Out*& out) const {
    const Integer* const first = raw + from * Format::raw * width;
    const int numbers = upto - from;
    if (live == width && layout.stream_stride == 1) {
      write_rows(first, numbers, out);
    } else if (live == width && layout.number_stride == 1) {
      write_columns(first, numbers, out);
    } else {
      for (int i = 0; i < numbers; ++i) {
        for (int l = 0; l < live; ++l) {
          out[static_cast<std::uint64_t>(l) * layout.stream_stride +
              static_cast<std::uint64_t>(i) * layout.number_stride] =
              Format::make(first + i * Format::raw * width + l, width);
        }
      }
    }
    out += static_cast<std::uint64_t>(numbers) * layout.number_stride;
  }

  /// A number of all lanes at once.
  KOKKOS_FORCEINLINE_FUNCTION void write_rows(const Integer* raw, int numbers, Out* out) const {
    for (int i = 0; i < numbers; ++i) {
      for (int l = 0; l < width; ++l) out[l] = Format::make(raw + l, width);
      raw += Format::raw * width;
      out += layout.number_stride;
    }
  }

  /// A lane's numbers one after the other: made in rows, then turned.
  KOKKOS_FORCEINLINE_FUNCTION void write_columns(const Integer* raw, int numbers, Out* out) const {
    Out rows[Period::numbers * width];
    for (int i = 0; i < numbers; ++i) {
      for (int l = 0; l < width; ++l) {
        rows[i * width + l] = Format::make(raw + i * Format::raw * width + l, width);
      }
    }
    for (int l = 0; l < width; ++l) {
      Out* const column = out + static_cast<std::uint64_t>(l) * layout.stream_stride;
      for (int i = 0; i < numbers; ++i) column[i] = rows[i * width + l];
    }
  }
};

/// The team mapping: a stream, as many numbers at a time as a team draws best.
template <class Streams, class Format, class Out>
struct DrawTeam {
  using Period = NumberPeriod<Streams, Format>;
  using Integer = typename Streams::Integer;
  using Engine = typename Streams::TeamEngine;
  static constexpr int common = std::gcd(Engine::team_numbers, Format::raw);
  /// Numbers made of whole draws, and their raw numbers.
  static constexpr int chunk = Engine::team_numbers / common;
  static constexpr int chunk_raw = chunk * Format::raw;
  static_assert(chunk % Period::numbers == 0);
  /// Whether a team may draw less than team_numbers; else streams are at a boundary after chunks.
  static constexpr bool any_rounds =
      requires(Engine engine, const StreamLanes& lanes, Integer* to) {
    engine.draw(lanes, to, 1);
  };
  static constexpr int period = any_rounds ? Period::numbers : chunk;
  static constexpr std::size_t engine_bytes = (Engine::scratch_bytes + 7) / 8 * 8;
  static constexpr std::size_t scratch_bytes = engine_bytes + chunk_raw * sizeof(Integer);

  Streams streams;
  NumberPiece piece;
  NumberLayout layout;
  Out* to;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    Engine engine(lanes, streams, piece.first + stream, scratch);
    const PieceCut cut(piece, period);
    Chunk chunk_now{reinterpret_cast<Integer*>(static_cast<std::byte*>(scratch) + engine_bytes),
                    static_cast<int>(cut.skip), to + stream * layout.stream_stride};
    std::uint64_t left = cut.left;
    while (left >= period) {
      const int now = left < chunk ? static_cast<int>(left) / period * period : chunk;
      draw(lanes, engine, now, now, chunk_now);
      left -= static_cast<std::uint64_t>(now);
    }
    engine.store(lanes, streams, piece.first + stream);
    if (left > 0) draw(lanes, engine, period, static_cast<int>(left), chunk_now);
  }

  struct Chunk {
    Integer* raw;
    int skip;
    Out* out;
  };

  /// Draws whole periods and writes those of the first `wanted` numbers that are not skipped.
  KOKKOS_FUNCTION void draw(const StreamLanes& lanes, Engine& engine, int numbers, int wanted,
                            Chunk& now) const {
    const int raw_numbers = numbers * Format::raw;
    for (int done = 0; done < raw_numbers; done += Engine::team_numbers) {
      if constexpr (any_rounds) {
        const int rest = raw_numbers - done;
        engine.draw(lanes, now.raw + done,
                    rest < Engine::team_numbers ? rest : Engine::team_numbers);
      } else {
        engine.draw(lanes, now.raw + done);
      }
    }
    const Integer* const raw = now.raw + now.skip * Format::raw;
    Out* const out = now.out;
    const int written = wanted - now.skip;
    if (layout.number_stride == 1) {
      lanes.each(written, [=](int i) { out[i] = Format::make(raw + i * Format::raw, 1); });
    } else {
      const std::uint64_t stride = layout.number_stride;
      lanes.each(written, [=](int i) {
        out[static_cast<std::uint64_t>(i) * stride] = Format::make(raw + i * Format::raw, 1);
      });
    }
    now.out += static_cast<std::uint64_t>(written) * layout.number_stride;
    now.skip = 0;
  }
};

}  // namespace impl
}  // namespace rivulet
