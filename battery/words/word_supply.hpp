// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "battery/words/interleaving.hpp"
#include "io/inputs/raw_words.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

using LaneRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Calls kernel(i) for i below n. Asynchronous.
template <class Kernel>
void for_each(const Space& space, std::uint64_t n, const char* label, const Kernel& kernel) {
  Kokkos::parallel_for(label, LaneRange(space, 0, n), kernel);
}

/// Returns the sum to which kernel(i, sum) adds for each i below n. Blocking.
template <class Kernel>
std::uint64_t sum_over(const Space& space, std::uint64_t n, const char* label,
                       const Kernel& kernel) {
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(label, LaneRange(space, 0, n), kernel, sum);
  return sum;
}

/// A view that owns memory which the space can access.
template <class Value>
using Owned = Kokkos::View<Value*, Space>;

/// A non-owning view of memory.
template <class Value, class Where = Space>
using Borrowed = Kokkos::View<Value*, Where, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class Value>
Owned<Value> uninitialised(const std::string& label, std::uint64_t count) {
  return Owned<Value>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
}

/// Selects the bits of each word that the tests see.
enum class WordBits {
  all,
  reversed,  ///< the lowest bit first
  low8,      ///< the low 8 bits of four words, packed into one; the first word's bits are lowest
  low1       ///< the lowest bits of 32 words, packed into one
};

/// The order of streams' words in one sequence of 32-bit words.
struct WordOrder {
  std::uint64_t run = 0;  ///< successive words of each stream; 0: one word of each stream in turn
  WordBits bits = WordBits::all;
  std::uint64_t step = 1;  ///< keeps the first of every `step` words
};

inline constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

/// A sequence of 32-bit words, drawn in units of `unit` words.
struct WordSupply {
  std::uint64_t unit = 1;
  /// draw(first, units, to) writes units first .. first + units - 1 to memory that the space can
  /// access. Returns the length of the sequence in words, or no_end if unknown. Words after the end
  /// are arbitrary. Calls for consecutive units are fast. Asynchronous.
  std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint32_t*)> draw = {};
  std::uint64_t end = no_end;  ///< length in words, or no_end if unknown
  bool is_sequential = false;  ///< words cannot be drawn again
  std::uint64_t state_bytes = 0;
  Interleaving turns = {};  ///< one stream if the streams are unknown
};

/// Returns a supply of the words of one plan's streams. If the order is interleaved, several plans
/// are allowed: one word of each stream of the first plan precedes one word of each stream of the
/// next plan. The plans must outlive the supply. Throws Error.
WordSupply make_word_supply(const Space& space, const std::vector<const StreamPlan*>& plans,
                            StreamRange streams, StreamMapping mapping, std::uint64_t segments,
                            const WordOrder& order);
WordSupply make_word_supply(const Space& space, io::RawWords words, WordBits bits);

/// Draws the next units of a sequence to memory that the space can access.
using DrawWords = std::function<void(std::uint64_t units, std::uint32_t* to)>;
WordSupply make_word_supply(std::uint64_t unit, DrawWords draw);

/// Writes the next words of a sequence to host memory. Returns the number of words written. At the
/// end of the sequence, this number is lower than requested.
using ReadWords = std::function<std::uint64_t(std::span<std::uint32_t>)>;
WordSupply make_word_supply(const Space& space, ReadWords read);

}  // namespace rivulet
