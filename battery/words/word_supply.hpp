// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "battery/words/interleaving.hpp"
#include "io/inputs/raw_words.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

using LaneRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Calls kernel(i) for i below n.
template <class Kernel>
void for_each(const Space& space, std::uint64_t n, const char* label, const Kernel& kernel) {
  Kokkos::parallel_for(label, LaneRange(space, 0, n), kernel);
}

/// A view of memory that its user does not own.
template <class Value, class Where = Space>
using Borrowed = Kokkos::View<Value*, Where, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The bits of each word that tests see.
enum class WordBits {
  all,
  reversed,  ///< the last bit first
  low8,      ///< the low 8 bits: those of four words make a word, the first word's lowest
  low1       ///< the lowest bit of 32 words
};

/// The way in which streams form a sequence of 32-bit words.
struct WordOrder {
  std::uint64_t run = 0;  ///< of words of each stream in turn; 0: interleaved, one word of each
  WordBits bits = WordBits::all;
  std::uint64_t step = 1;  ///< the first of every `step` words is kept
};

inline constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

/// A sequence of 32-bit words, in units of so many that are made together.
struct WordSupply {
  std::uint64_t unit = 1;
  /// draw(first, units, to) writes words of units from `first` on to memory that the space reaches,
  /// and returns the sequence's words in all, as far as they are known. Fast where calls follow
  /// each other. Asynchronous. Words after the end are others.
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint32_t*)> draw = {};
  std::uint64_t end = no_end;      ///< words in all, as far as they are known
  bool goes_only_forward = false;  ///< whether words cannot be drawn again
  std::uint64_t state_bytes = 0;
  Interleaving turns = {};  ///< one stream if nothing is known of the streams
};

/// Streams of several plans, if they are interleaved: a word of each stream of the first plan, then
/// of the next. The plans must outlive the supply. Throws Error.
WordSupply make_word_supply(const Space& space, const std::vector<const StreamPlan*>& plans,
                            StreamRange streams, StreamMapping mapping, std::uint64_t segments,
                            const WordOrder& order);
WordSupply make_word_supply(const Space& space, io::RawWords words, WordBits bits);

/// Draws the next units of a sequence into memory that the space reaches.
using DrawWords = std::function<void(std::uint64_t units, std::uint32_t* to)>;
WordSupply make_word_supply(std::uint64_t unit, DrawWords draw);

/// Gives the host the next words of a sequence, and returns how many there were: fewer at its end.
using ReadWords = std::function<std::uint64_t(std::span<std::uint32_t>)>;
WordSupply make_word_supply(const Space& space, ReadWords read);

}  // namespace rivulet
