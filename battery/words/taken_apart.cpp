// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/words/taken_apart.hpp"

#include <algorithm>

#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace {

using WordMemory = Kokkos::View<std::uint32_t*, Space>;

/// Copies words of the chosen streams to `to`, stream after stream. `words` contains `count` words
/// of the sequence from index `at`. The chosen streams are 0, every, 2 every, ... (`streams` in
/// all). Only the first `length` words of each stream are copied.
void copy_streams(const Space& space, const std::uint32_t* words, std::uint64_t at,
                  std::uint64_t count, const Interleaving& turns, std::uint64_t every,
                  std::uint64_t streams, std::uint64_t length, const WordMemory& to) {
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
  WordMemory memory;
  require_memory_for("words of streams taken apart", streams * length * sizeof(std::uint32_t),
                     "Choose other tests.", [&] {
                       memory = WordMemory(Kokkos::view_alloc("rivulet::battery_words_apart",
                                                              Kokkos::WithoutInitializing),
                                           streams * length);
                     });
  const std::uint64_t span = length * turns.streams, round = turns.streams * turns.run;
  if (turns.run > 1) position = (position + round - 1) / round * round;
  for (std::uint64_t done = 0; done < span; done += from.capacity()) {
    const std::uint64_t count = std::min(from.capacity(), span - done);
    copy_streams(from.space(), from.read(position + done, count), done, count, turns,
                 turns.streams / streams, streams, length, memory);
  }
  WordSupply words{.end = streams * length};
  words.draw = [=, space = from.space()](std::uint64_t first, std::uint64_t count,
                                         std::uint32_t* to) {
    const std::uint64_t available = first < memory.extent(0) ? memory.extent(0) - first : 0;
    const std::uint64_t some = std::min(count, available);
    Kokkos::deep_copy(space, Borrowed<std::uint32_t>(to, some),
                      Kokkos::subview(memory, Kokkos::make_pair(first, first + some)));
    return memory.extent(0);
  };
  return words;
}

}  // namespace rivulet
