// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"
#include "kernels/launching/stream_batch.hpp"

namespace rivulet {

/// Random words in memory on their way from the generator to their use: `length` words of each of
/// `streams` streams. Word i of stream s lies in its tile at i * tile_streams + s % tile_streams,
/// so that vectors and warps read and write whole lines.
class WordBuffer {
 public:
  WordBuffer(std::uint64_t streams, std::uint64_t length)
      : words_(Kokkos::view_alloc("rivulet::words", Kokkos::WithoutInitializing),
               tiles(streams) * length * tile_streams),
        streams_(streams),
        length_(length) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* at(std::uint64_t stream, std::uint64_t i) const {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return words_.data() + (stream / tile * length_ + i) * tile + stream % tile;
  }
  KOKKOS_FUNCTION std::uint64_t streams() const { return streams_; }
  KOKKOS_FUNCTION std::uint64_t length() const { return length_; }

  /// Bytes of a buffer of that size.
  static std::uint64_t bytes(std::uint64_t streams, std::uint64_t length) {
    return tiles(streams) * length * tile_streams * sizeof(std::uint32_t);
  }

 private:
  static std::uint64_t tiles(std::uint64_t streams) {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return (streams + tile - 1) / tile;
  }

  Kokkos::View<std::uint32_t*, Space> words_;
  std::uint64_t streams_;
  std::uint64_t length_;
};

/// A piece of a batch: some streams, some points. first is a multiple of tile_streams.
struct StoredPiece {
  std::uint64_t first = 0;    ///< local index of the first stream
  std::uint64_t streams = 0;  ///< at most the buffer's
  std::uint64_t rounds = 0;   ///< draws of words to generate a stream (words_per_draw each)
  StreamBatch points;         ///< what to count of them
};

namespace impl {

template <class Streams>
struct GenerateLanes {
  Streams streams;
  StoredPiece piece;
  WordBuffer buffer;

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    auto engine = streams.load(piece.first + offset);
    std::uint32_t* to = buffer.at(offset, 0);
    for (std::uint64_t round = 0; round < piece.rounds; ++round) {
      engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
        WordTraits<Word>::store(word, to + k * tile_streams);
      });
      to += Streams::round_words * tile_streams;
    }
    streams.store(piece.first + offset, engine);
  }
};

template <class Streams>
struct GenerateTeam {
  using Engine = typename Streams::TeamEngine;
  using Integer = typename Streams::Integer;

  Streams streams;
  StoredPiece piece;
  WordBuffer buffer;

  static constexpr int words = Engine::team_numbers;
  static constexpr std::size_t numbers_offset = (Engine::scratch_bytes + 7) / 8 * 8;
  static constexpr std::size_t scratch_bytes =
      numbers_offset + sizeof(Integer) * Streams::numbers_per_word * words;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t offset,
                                  void* scratch) const {
    auto* const numbers = reinterpret_cast<Integer*>(static_cast<char*>(scratch) + numbers_offset);
    Engine engine(lanes, streams, piece.first + offset, scratch);
    for (std::uint64_t round = 0; round < piece.rounds; ++round) {
      for (int d = 0; d < Streams::numbers_per_word; ++d) engine.draw(lanes, numbers + d * words);
      lanes.each(words, [&](int i) {
        *buffer.at(offset, round * words + static_cast<std::uint64_t>(i)) =
            Streams::word_of(numbers, i);
      });
    }
    engine.store(lanes, streams, piece.first + offset);
  }
};

template <class Point>
struct CountStored {
  WordBuffer buffer;
  StoredPiece piece;
  std::uint64_t first_id;  ///< global id of the piece's first stream
  std::uint64_t period;
  HitView hits;

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const int live = live_lanes(offset, piece.streams);
    const LanePoints points(piece.points, first_id + offset, live, period);
    LaneHits total;
    const std::uint32_t* from = buffer.at(offset, 0);
    const std::uint64_t whole = points.whole_periods * period;
    for (std::uint64_t done = 0; done < whole;) {
      const std::uint64_t upto = done + points_per_flush < whole ? done + points_per_flush : whole;
      Word count(0u);
      for (; done < upto; ++done) point(from, count);
      total.add(count);
    }
    total.add(rest(from, points));
    total.add_to(hits, piece.first + offset, live);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void point(const std::uint32_t*& from, Word& count) {
    const Word x = WordTraits<Word>::load(from);
    const Word y = WordTraits<Word>::load(from + (Point::words - 1) * tile_streams);
    from += Point::words * tile_streams;
    Point::count(x, y, count);
  }

  KOKKOS_FUNCTION Word rest(const std::uint32_t* from, const LanePoints& points) const {
    Word count(0u);
    if (!points.any_rest) return count;
    for (std::uint64_t i = 0; i < period; ++i) {
      Word one(0u);
      point(from, one);
      count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), points.rest));
    }
    return count;
  }
};

}  // namespace impl

/// Words of each stream that the mapping draws at a time.
template <class Streams>
constexpr int words_per_draw(StreamMapping mapping) {
  if constexpr (Streams::has_team) {
    if (mapping == StreamMapping::team) return Streams::TeamEngine::team_numbers;
  }
  return Streams::round_words;
}

/// Fills the buffer with the next piece.rounds draws of streams piece.first .. and moves these on.
/// Asynchronous.
template <class Streams>
void generate_words(const Space& space, const Streams& streams, StreamMapping mapping,
                    const StoredPiece& piece, const WordBuffer& buffer) {
  if constexpr (Streams::has_team) {
    if (mapping == StreamMapping::team) {
      using Body = impl::GenerateTeam<Streams>;
      for_each_stream_team(space, "rivulet::generate_team", {piece.streams, 1, Body::scratch_bytes},
                           Body{streams, piece, buffer});
      return;
    }
  }
  for_each_stream_lane(space, "rivulet::generate", piece.streams,
                       impl::GenerateLanes<Streams>{streams, piece, buffer});
}

/// Adds the hits among the piece's points, whose words are in the buffer, to hits(local stream).
/// Asynchronous.
template <class Point, class Streams>
void count_pi_stored(const Space& space, const Streams& streams, const StoredPiece& piece,
                     StreamMapping mapping, const WordBuffer& buffer, const HitView& hits) {
  const auto period = static_cast<std::uint64_t>(words_per_draw<Streams>(mapping));
  for_each_stream_lane(
      space, "rivulet::pi_count", piece.streams,
      impl::CountStored<Point>{buffer, piece, streams.range().first + piece.first, period, hits});
}

}  // namespace rivulet
