// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "rng/vec.hpp"

namespace rivulet {

/// The word type that a kernel's engine of such integers is written over. On a GPU it is a plain
/// integer (one stream a thread), on a CPU a vector register of them (one stream a lane).
template <class Integer>
using WordOf = std::conditional_t<RIVULET_VECTOR_WORD != 0,
                                  detail::Vec<Integer, register_lanes<Integer>>, Integer>;
using Word = WordOf<std::uint32_t>;

/// The widest word of `most` lanes or fewer, of eight at least where vectors have these.
template <int most>
using WordUpTo = std::conditional_t<(lanes<Word> <= most), Word, detail::Vec<std::uint32_t, 8>>;

/// The number of a word's lanes follows from compiler flags, and that of the library could differ
/// from that of tests and benchmarks. The library defines the member for its own number alone, and
/// all code that includes this header refers to the member for its number: else it does not link.
template <int Lanes>
struct WordLanes {
  static const char of_the_library;
};
template <>
const char WordLanes<lanes<Word>>::of_the_library;  // defined in word.cpp
#if defined(__GNUC__) && !RIVULET_DEVICE_BUILD
[[gnu::used]] static const char* const linked_word_lanes = &WordLanes<lanes<Word>>::of_the_library;
#endif

}  // namespace rivulet
