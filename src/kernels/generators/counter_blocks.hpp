// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kokkos_compat.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rng/wide_word.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// What kernels keep of the seed of their streams.
template <detail::CounterBased G>
class CounterKeys {
 public:
  KOKKOS_FUNCTION explicit CounterKeys(std::uint64_t seed) : seed_(seed) {}
  KOKKOS_FUNCTION std::uint64_t seed() const { return seed_; }

 private:
  std::uint64_t seed_;
};

/// Blocks of lanes<W> streams of one seed, of a generator whose words have 64 bits: each lane's is
/// a function of the lane's counter alone. (One of 32 bits has blocks of its own, as Philox4x32.)
template <detail::CounterBased G, class W>
class CounterBlocks {
  static_assert(sizeof(typename G::Word) == 8);

 public:
  /// From block number `next` of the streams on, whose ids have these halves.
  KOKKOS_FORCEINLINE_FUNCTION CounterBlocks(const CounterKeys<G>& keys, const W& id_low,
                                            const W& id_high, std::uint64_t next)
      : keys_(keys), ids_(Form::of(id_low, id_high)), next_(next) {}

  /// Lane l to block number next(l).
  template <class Next>
  KOKKOS_FORCEINLINE_FUNCTION void move_lanes_to(const Next& next) {
    const auto half = [&next](int shift) {
      return WordTraits<W>::generate(
          [&next, shift](int l) { return static_cast<std::uint32_t>(next(l) >> shift); });
    };
    next_ = Form::of(half(0), half(32));
  }

  /// Passes the numbers of `count` blocks to use(index, word), where index is a
  /// std::integral_constant.
  template <int count, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(Use&& use) {
    unrolled(use, std::make_integer_sequence<int, count>{});
    next_ = next_ + Wide(std::uint64_t{count});
  }

 private:
  using Form = detail::WideForm<W>;
  using Wide = typename Form::type;

  template <class Use, int... B>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(Use& use, std::integer_sequence<int, B...>) const {
    (block<B>(use, std::make_integer_sequence<int, G::words>{}), ...);
  }
  template <int B, class Use, int... K>
  KOKKOS_FORCEINLINE_FUNCTION void block(Use& use, std::integer_sequence<int, K...>) const {
    Wide x[G::words];
    for (Wide& word : x) word = Wide(std::uint64_t{0});
    x[0] = next_ + Wide(std::uint64_t{B});
    x[G::words / 2] = ids_;
    G::block(detail::CounterKey<G>(keys_.seed()).words, x);
    constexpr int first = B * detail::block_numbers<G>;
    ((use(detail::place<first + 2 * K>, Form::low(x[K])),
      use(detail::place<first + 2 * K + 1>, Form::high(x[K]))),
     ...);
  }

  CounterKeys<G> keys_;
  Wide ids_;
  Wide next_;  ///< block
};

}  // namespace rivulet
