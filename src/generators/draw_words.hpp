// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

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

/// Whether compilers leave out what makes a number of a word, a twister's tempering, where a number
/// is not used.
template <class Streams>
inline constexpr bool skips_tempering = rounds_in_registers<Streams>&& requires {
  requires Streams::Engine::in_registers;
};

namespace detail {

/// Of each `apart` words the first to memory, where `before` words have been drawn. A functor, as
/// nvcc finds no parameter pack within a lambda.
template <int apart, int before>
struct FirstWords {
  std::uint32_t*& to;

  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Place<k>, const Word& word) const {
    if constexpr ((before + k) % apart == 0) {
      WordTraits<Word>::store(word, to);
      to += apart * lanes<Word>;
    }
  }
};

template <class Streams, class Engine, int... round>
KOKKOS_FORCEINLINE_FUNCTION void draw_first_words_of(Engine& engine, std::uint32_t*& to,
                                                     std::integer_sequence<int, round...>) {
  constexpr int apart = sizeof...(round);
  (engine.draw_words(FirstWords<apart, round * Streams::round_words>{to}), ...);
}

}  // namespace detail

/// As draw_words_to for `rounds` rounds, a multiple of `apart`, but of each `apart` words of a
/// stream the first alone; the places of the other words stay as they are.
template <class Streams, int apart>
__attribute__((noinline)) void draw_first_words_to(typename Streams::Engine& engine,
                                                   std::uint32_t* to, int rounds) {
  typename Streams::Engine own = engine;  // which no store changes: it stays in registers
  for (int r = 0; r < rounds; r += apart) {
    detail::draw_first_words_of<Streams>(own, to, std::make_integer_sequence<int, apart>{});
  }
  engine = own;
}

}  // namespace rivulet
