// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kokkos_compat.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rng/wide_word.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Options that, together with seed and id, identify a child stream of a generator with 64-bit
/// words. A child's child_key is not 0. Decks do not have these options; saved sequences do.
inline constexpr GeneratorOption child_key_option{"child_key", 0, 0, ~std::uint64_t{0},
                                                  "word 1 of the key"};
inline constexpr GeneratorOption child_counter_option{"child_counter", 0, 0, ~std::uint64_t{0},
                                                      "the highest word of the counters"};

/// The parts of the key and the counters that a rank's streams share, in the form that kernels use.
template <detail::CounterBased G>
class CounterKeys {
 public:
  using Start = detail::CounterStart<G>;

  KOKKOS_FUNCTION explicit CounterKeys(std::uint64_t seed) : seed_(seed) {}
  explicit CounterKeys(const StreamRequest& request)
      : seed_(request.seed),
        child_key_(request.options.of(child_key_option)),
        child_counter_(request.options.of(child_counter_option)) {}

  KOKKOS_FUNCTION std::uint64_t seed() const { return seed_; }
  KOKKOS_FORCEINLINE_FUNCTION bool is_child() const { return child_key_ != 0; }
  KOKKOS_FUNCTION Start start(std::uint64_t id) const {
    Start start(seed_, id);
    start.key.words[1] = child_key_;
    if constexpr (has_counter) start.counter[last] = child_counter_;
    return start;
  }
  /// Changes the request of stream `id` to that of its child n, and returns the child's id.
  static std::uint64_t child(StreamRequest& request, std::uint64_t id, std::uint64_t n) {
    const Start found = CounterKeys(request).start(id).child(n);
    request.seed = found.key.words[0];
    request.options.at(child_key_option) = found.key.words[1];
    if constexpr (has_counter) request.options.at(child_counter_option) = found.counter[last];
    return found.counter[G::words / 2];
  }

 private:
  static constexpr int last = G::words - 1;
  static constexpr bool has_counter = last > G::words / 2;
  std::uint64_t seed_;
  std::uint64_t child_key_ = 0;  ///< odd for a child, else 0
  std::uint64_t child_counter_ = 0;
};

/// Draws blocks from lanes<W> streams of one seed, for generators with 64-bit words. Each lane's
/// block is a function of that lane's counter alone. (Generators with 32-bit words, such as
/// Philox4x32, specialise this template.)
template <detail::CounterBased G, class W>
class CounterBlocks {
  static_assert(sizeof(typename G::Word) == 8);

 public:
  /// Starts at block number `next` of the streams whose ids have these halves.
  KOKKOS_FORCEINLINE_FUNCTION CounterBlocks(const CounterKeys<G>& keys, const W& id_low,
                                            const W& id_high, std::uint64_t next)
      : keys_(keys), ids_(Form::of(id_low, id_high)), next_(next) {}

  /// Moves lane l to block number next(l).
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
    // There are two instantiations, because constant zero words save 10 to 20 % of the time if the
    // streams are not children.
    if (keys_.is_child()) [[unlikely]] {
      unrolled<true>(use, std::make_integer_sequence<int, count>{});
    } else {
      unrolled<false>(use, std::make_integer_sequence<int, count>{});
    }
    next_ = next_ + Wide(std::uint64_t{count});
  }

 private:
  using Form = detail::WideForm<W>;
  using Wide = typename Form::type;

  template <bool is_child, class Use, int... B>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(Use& use, std::integer_sequence<int, B...>) const {
    (block<is_child, B>(use, std::make_integer_sequence<int, G::words>{}), ...);
  }
  template <bool is_child, int B, class Use, int... K>
  KOKKOS_FORCEINLINE_FUNCTION void block(Use& use, std::integer_sequence<int, K...>) const {
    using Start = detail::CounterStart<G>;
    const Start start = is_child ? keys_.start(0) : Start(keys_.seed(), 0);
    Wide x[G::words];
    for (int k = 0; k < G::words; ++k) x[k] = Wide(start.counter[k]);
    x[0] = next_ + Wide(std::uint64_t{B});
    x[G::words / 2] = ids_;
    G::block(start.key.words, x);
    constexpr int first = B * detail::block_numbers<G>;
    ((use(detail::place<first + 2 * K>, Form::low(x[K])),
      use(detail::place<first + 2 * K + 1>, Form::high(x[K]))),
     ...);
  }

  CounterKeys<G> keys_;
  Wide ids_;
  Wide next_;  ///< number of each lane's next block
};

}  // namespace rivulet
