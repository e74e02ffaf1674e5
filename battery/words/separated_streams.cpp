// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/words/separated_streams.hpp"

#include <algorithm>

#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

/// Copies words of the chosen streams to `to`, stream after stream. `words` contains `count` words
/// of the sequence from index `at`. The chosen streams are 0, every, 2 every, ... (`streams` in
/// all). Only the first `length` words of each stream are copied.
void copy_streams(const Space& space, const std::uint32_t* words, std::uint64_t at,
                  std::uint64_t count, const Interleaving& turns, std::uint64_t every,
                  std::uint64_t streams, std::uint64_t length, const Owned<std::uint32_t>& to) {
  for_each(
      space, count, "rivulet::battery_apart", KOKKOS_LAMBDA(const std::uint64_t i) {
        const std::uint64_t stream = turns.stream_of(at + i), number = turns.number_of(at + i);
        if (stream % every != 0 || stream / every >= streams || number >= length) return;
        to(stream / every * length + number) = words[i];
      });
}

}  // namespace

WordSupply separated_streams(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                             std::uint64_t length) {
  const Interleaving turns = from.turns();
  const std::uint64_t all = streams * length;
  const auto memory = require_memory_for(
      "words of separated streams", all * sizeof(std::uint32_t),
      "Choose other battery.tests, or a machine with more memory.",
      [&] { return uninitialised<std::uint32_t>("rivulet::battery_words_apart", all); });
  const std::uint64_t span = length * turns.streams, round = turns.streams * turns.run;
  if (turns.run > 1) position = (position + round - 1) / round * round;
  for (std::uint64_t done = 0; done < span; done += from.capacity()) {
    const std::uint64_t count = std::min(from.capacity(), span - done);
    copy_streams(from.space(), from.read(position + done, count), done, count, turns,
                 turns.streams / streams, streams, length, memory);
  }
  WordSupply words{.end = all};
  words.draw = [=, space = from.space()](std::uint64_t first, std::uint64_t count,
                                         std::uint32_t* to) {
    const std::uint64_t some = first < all ? std::min(count, all - first) : 0;
    Kokkos::deep_copy(space, Borrowed<std::uint32_t>(to, some),
                      Kokkos::subview(memory, Kokkos::make_pair(first, first + some)));
    return all;
  };
  return words;
}

}  // namespace rivulet
