// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Whether a CPU's 32 vector registers about hold a state: then a call, which takes it to memory
/// and back, shows.
template <class Streams>
inline constexpr bool rounds_in_registers = Streams::round_words <= 20;

/// The words of a round to memory: word k of lane l to to[k * lanes<Word> + l]. A function of its
/// own, which all kernels of a CPU share that are not worth a copy of the unrolled round.
template <class Streams>
__attribute__((noinline)) void draw_words_to(typename Streams::Engine& engine, std::uint32_t* to) {
  engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA {
    WordTraits<Word>::store(word, to + k * lanes<Word>);
  });
}

}  // namespace rivulet
