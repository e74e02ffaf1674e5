// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/generators/draw_words.hpp"
#include "kernels/generators/generator_type.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "kernels/pi/word_buffer.hpp"

namespace rivulet {
namespace detail {

template <class Streams>
struct GenerateLanes {
  Streams streams;
  StoredPiece piece;
  WordBuffer buffer;

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    auto engine = streams.load(piece.first + offset);
    std::uint32_t* to = buffer.at(offset, 0);
    for (std::uint64_t round = 0; round < piece.rounds; ++round) {
      if constexpr (device_build || rounds_in_registers<Streams>) {
        engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
          WordTraits<Word>::store(word, to + k * tile_streams);
        });
      } else {
        static_assert(device_build || tile_streams == lanes<Word>);
        draw_words_to<Streams>(engine, to);
      }
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
  static constexpr std::size_t numbers_offset = whole_scratch(Engine::scratch_bytes);
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

}  // namespace detail

/// Words of each stream that the mapping draws at a time.
template <class Streams>
int words_per_draw(StreamMapping mapping) {
  return with_mapping<Streams>(mapping, [](auto own) {
    using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane) {
      return int{Own::round_words};
    } else {
      return int{Own::TeamEngine::team_numbers};
    }
  });
}

/// Fills the buffer with the next piece.rounds draws of streams piece.first .. and moves these on.
/// Asynchronous.
template <class Streams>
void generate_words(const Space& space, const Streams& streams, StreamMapping mapping,
                    const StoredPiece& piece, const WordBuffer& buffer) {
  with_mapping<Streams>(mapping, [&](auto own) {
    using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane) {
      for_each_stream_lane(space, "rivulet::generate", piece.streams,
                           detail::GenerateLanes<Own>{streams, piece, buffer});
    } else {
      using Body = detail::GenerateTeam<Own>;
      for_each_stream_team(space, "rivulet::generate_team", {piece.streams, 1, Body::scratch_bytes},
                           Body{streams, piece, buffer});
    }
  });
}

}  // namespace rivulet
