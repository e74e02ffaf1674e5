// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"
#include "rng/word.hpp"

// Rounds drawn by lane, for tests.

namespace rivulet {

/// `rounds` rounds of every stream: word k of stream s to words(k, s).
template <class S, class W>
struct DrawRounds {
  using Words = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space>;
  S streams;
  int rounds;
  Words words;

  KOKKOS_FUNCTION void operator()(std::uint64_t group) const {
    const std::uint64_t first = group * static_cast<std::uint64_t>(lanes<W>);
    auto engine = streams.template load<W>(first);
    const auto& to = words;
    for (int r = 0; r < rounds; ++r) {
      engine.draw_words([&to, r, first](int k, const W& word) RIVULET_INLINE_LAMBDA {
        WordTraits<W>::store(word, &to(static_cast<std::size_t>(r * S::round_words + k), first));
      });
    }
    streams.template store<W>(first, engine);
  }
};

template <class W, class S>
auto drawn_rounds(const S& streams, int rounds) {
  using Draw = DrawRounds<S, W>;
  const std::uint64_t padded = padded_streams(streams.count());
  const Draw draw{
      streams, rounds,
      typename Draw::Words("words", static_cast<std::size_t>(rounds * S::round_words), padded)};
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Kokkos::parallel_for("draw", Policy(0, padded / static_cast<std::uint64_t>(lanes<W>)), draw);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draw.words);
}

}  // namespace rivulet
