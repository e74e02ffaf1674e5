// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "rng/vec.hpp"

namespace rivulet {

/// Word type of a kernel's engine, for numbers of type Integer. If RIVULET_VECTOR_WORD is 1, the
/// type is a vector register with one stream per lane. Otherwise (such as on a GPU), it is the
/// plain integer with one stream per thread.
template <class Integer>
using WordOf = std::conditional_t<RIVULET_VECTOR_WORD != 0,
                                  detail::Vec<Integer, register_lanes<Integer>>, Integer>;
using Word = WordOf<std::uint32_t>;

/// Word if that has at most `max_lanes` lanes, else a vector of eight lanes.
template <int max_lanes>
using WordWithMaxLanes =
    std::conditional_t<(lanes<Word> <= max_lanes), Word, detail::Vec<std::uint32_t, 8>>;

/// Link-time check that the library and code that uses it (tests, benchmarks) have the same number
/// of lanes, which follows from compiler flags. The library defines the member for its own number
/// of lanes only. Code that includes this header refers to the member for its own number of lanes,
/// and linking fails if the numbers differ.
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
