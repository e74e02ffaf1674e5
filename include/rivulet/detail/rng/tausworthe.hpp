// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"
#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/rng/word.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Returns the next state of a Tausworthe generator with the trinomial t^k + t^q + 1 and s bits per
/// step, in the quick form of L'Ecuyer, Math. Comp. 65 (1996) 203 (0 < 2 q < k, s <= k - q).
/// `state_mask` selects the bits of the state that the recurrence reads, the upper k bits.
template <class W>
KOKKOS_FORCEINLINE_FUNCTION constexpr W tausworthe_step(W z, int q, int k_less_s, int s,
                                                        std::uint32_t state_mask) {
  // The second term equals (z & state_mask) << s, but takes one operation fewer on processors with
  // three-operand logic.
  return (((z << q) ^ z) >> k_less_s) ^ ((z << s) & W(state_mask << s));
}

/// A component of a combined generator. If the upper k bits of its state are all 0, they stay 0.
/// Otherwise its period is 2^k - 1.
template <int K, int Q, int S>
struct TauswortheComponent {
  static constexpr int k = K;
  static constexpr int q = Q;
  static constexpr int s = S;
  /// The smallest valid seed, which has only the lowest state bit set.
  static constexpr std::uint32_t least_seed = std::uint32_t{1} << (32 - K);
  static constexpr std::uint32_t state_mask = ~(least_seed - 1);

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr W step(W z) {
    return tausworthe_step(z, Q, K - S, S, state_mask);
  }
  /// Returns the complete state of a seed, whose lower 32 - k bits may be arbitrary. In a complete
  /// state, these bits have the values that step() would have computed.
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr W completed(W z) {
    return (z & W(state_mask)) | (((z << Q) ^ z) >> K);
  }
  /// Returns a valid seed as GSL's taus2 does: adds the smallest valid seed to a seed that is too
  /// small.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t valid_seed(std::uint32_t seed) {
    return seed < least_seed ? seed + least_seed : seed;
  }
};

/// Constants of the hybrid generators' linear congruential part (Press et al., Numerical Recipes).
inline constexpr std::uint32_t tausworthe_lcg_a = 1664525;     ///< multiplier
inline constexpr std::uint32_t tausworthe_lcg_c = 1013904223;  ///< increment

/// Steps a component without masking, by computing the new bits of several steps together. This is
/// faster on processors that cannot shift and combine bits in one operation, but compute left
/// shifts as multiplications, concurrently with logic. (An H200 drew 1.3 times as many alias
/// samples as with step().)
template <class Component, class W>
class TauswortheWalk {
 public:
  /// The state must come from completed().
  KOKKOS_FORCEINLINE_FUNCTION explicit TauswortheWalk(W z) : from_(z) {}

  /// Returns the next state, which is complete. In unrolled code the conditions are constants.
  KOKKOS_FORCEINLINE_FUNCTION W operator()() {
    constexpr int dead = 32 - Component::k;
    if (taken_ == 0) fresh_ = (from_ << (Component::q + dead)) ^ (from_ << dead);
    taken_ += Component::s;
    const W z = (from_ << taken_) + (fresh_ >> (32 - taken_));
    if (taken_ + Component::s > Component::k - Component::q) {
      from_ = z;
      taken_ = 0;
    }
    return z;
  }

 private:
  // A step computes new bits from the upper q + s + 32 - k bits. These must be among the state's k
  // bits.
  static_assert(Component::s <= 2 * Component::k - 32 - Component::q);

  W from_;
  W fresh_{};      ///< the cycle's next k - q bits after from_, in the upper bits
  int taken_ = 0;  ///< bits of fresh_ used so far
};

/// The exclusive or of different Tausworthe components and, if has_lcg, a linear congruential
/// generator. Word i of the state belongs to component i. With has_lcg, the last word belongs to
/// the congruential part.
template <bool has_lcg_part, class... Component>
struct CombinedTausworthe {
  static constexpr int components = sizeof...(Component);
  static constexpr bool has_lcg = has_lcg_part;
  static constexpr int words = components + (has_lcg ? 1 : 0);
  /// Component i has the period 2^exponents[i] - 1.
  static constexpr std::array<int, components> exponents{Component::k...};
  /// Tag for the seed hash, different for each generator of the family.
  static constexpr std::uint64_t tag =
      seed_tag({(std::uint64_t{Component::k} << 16 | Component::q << 8 | Component::s)...});

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static W step(W (&z)[words]) {
    int i = 0;
    ((z[i] = Component::step(z[i]), ++i), ...);
    return step_lcg(z);
  }
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static void complete(W (&z)[words]) {
    int i = 0;
    ((z[i] = Component::completed(z[i]), ++i), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void make_valid(std::uint32_t (&z)[words]) {
    int i = 0;
    ((z[i] = Component::valid_seed(z[i]), ++i), ...);
  }

  /// Steps a complete state, which stays complete.
  template <class W>
  class Walk : TauswortheWalk<Component, W>... {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit Walk(const W (&z)[words])
        : Walk(z, std::make_integer_sequence<int, components>()) {}
    KOKKOS_FORCEINLINE_FUNCTION W step(W (&z)[words]) {
      int i = 0;
      ((z[i] = TauswortheWalk<Component, W>::operator()(), ++i), ...);
      return step_lcg(z);
    }

   private:
    template <int... i>
    KOKKOS_FORCEINLINE_FUNCTION Walk(const W (&z)[words], std::integer_sequence<int, i...>)
        : TauswortheWalk<Component, W>(z[i])... {}
  };

 private:
  /// Steps the congruential part, and returns the exclusive or of all words.
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static W step_lcg(W (&z)[words]) {
    if constexpr (has_lcg) z[words - 1] = W(tausworthe_lcg_a) * z[words - 1] + W(tausworthe_lcg_c);
    W sum = z[0];
    for (int i = 1; i < words; ++i) sum = sum ^ z[i];
    return sum;
  }
};

/// Three Tausworthe generators and a linear congruential one: Howes & Thomas, "Efficient Random
/// Number Generation and Application Using CUDA", GPU Gems 3 (2007), chapter 37. Period (2^31 - 1)
/// (2^29 - 1)(2^28 - 1) 2^32.
struct HybridTausworthe
    : CombinedTausworthe<true, TauswortheComponent<31, 13, 12>, TauswortheComponent<29, 2, 4>,
                         TauswortheComponent<28, 3, 17>> {
  static constexpr std::string_view name = "hybrid_tausworthe";
  static constexpr std::string_view doc = "three Tausworthe generators and a congruential one";
  static constexpr std::string_view period = "about 2^120";
};

/// LFSR113 (L'Ecuyer, "Tables of maximally equidistributed combined LFSR generators", Math. Comp.
/// 68 (1999) 261): four Tausworthe generators. Period (2^31 - 1)(2^29 - 1)(2^28 - 1)(2^25 - 1).
struct Lfsr113
    : CombinedTausworthe<false, TauswortheComponent<31, 6, 18>, TauswortheComponent<29, 2, 2>,
                         TauswortheComponent<28, 13, 7>, TauswortheComponent<25, 3, 13>> {
  static constexpr std::string_view name = "lfsr113";
  static constexpr std::string_view doc = "four Tausworthe generators, L'Ecuyer's";
  static constexpr std::string_view period = "about 2^113";
};

/// A generator known to be bad: the literal listing in the appendix of the paper that samples
/// neutron distributions by alias tables (docs/classical.md). Two masks are misprinted. Every step
/// uses the previous word as the state of all four parts, so the generator iterates a map of 32-bit
/// words.
struct HybridTauswortheListing {
  static constexpr std::string_view name = "hybrid_tausworthe_listing";
  static constexpr std::string_view doc = "known to be bad: a paper's listing, misprints and all";
  static constexpr std::string_view period = "4516 for most starts, by chance";
  static constexpr int words = 1;
  static constexpr int components = 0;
  static constexpr bool has_lcg = false;
  static constexpr std::array<int, 0> exponents{};

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static W step(W (&z)[words]) {
    const W r = z[0];
    z[0] = tausworthe_step(r, 13, 19, 12, 429496729u) ^ tausworthe_step(r, 2, 25, 4, 4294967288u) ^
           tausworthe_step(r, 3, 11, 17, 429496280u) ^
           (W(tausworthe_lcg_a) * r + W(tausworthe_lcg_c));
    return z[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION static void make_valid(std::uint32_t (&)[words]) {}

  /// Returns the word n steps after r. From any word the map soon enters a cycle. (A random
  /// map repeats a word after about sqrt(pi 2^32 / 2) = 82000 steps.) Brent's method (BIT 20 (1980)
  /// 176) finds the cycle on the way.
  static std::uint32_t advanced(std::uint32_t r, Uint128 n) {
    std::uint32_t mark = r;
    std::uint64_t since = 0;
    std::uint64_t room = 1;
    std::uint32_t z[words] = {r};
    while (n > 0) {
      step(z);
      --n;
      ++since;
      if (z[0] == mark) {
        n %= since;
      } else if (since == room) {
        mark = z[0];
        room *= 2;
        since = 0;
      }
    }
    return z[0];
  }
};

/// The type that selects a generator in Tausworthe. Its name, doc and period are for
/// `rivulet --list`.
template <class Kind>
concept TauswortheKind = requires(std::uint32_t (&z)[Kind::words]) {
  Kind::components;
  Kind::make_valid(z);
};

/// A Tausworthe generator with 32-bit output. Lane l of every word of type W belongs to the l-th of
/// lanes<W> independent generators.
template <TauswortheKind Kind, class W = std::uint32_t>
class Tausworthe : public detail::LaneRounds<Tausworthe<Kind, W>, W>, public detail::NoChildren {
 public:
  using result_type = W;
  struct State {
    W z[Kind::words];
  };
  /// Words per call of round(). Short rounds let a core overlap the use of one round with the draw
  /// of the next (measured for pi with AVX-512: 8 words reach 0.94 of the speed of a hand-written
  /// loop, 32 words 0.85).
  static constexpr int round_words = 8;

  KOKKOS_FORCEINLINE_FUNCTION explicit Tausworthe(const State& state) : state_(state) {
    if constexpr (walks) Kind::complete(state_.z);
  }

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// Returns the next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION W operator()() { return Kind::step(state_.z); }

  /// Skips n numbers in O(n) by stepping; use TauswortheJump (detail/streams/tausworthe_starts.hpp)
  /// for long jumps.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) (*this)();
  }

  /// Draws round_words numbers and passes each, in order, to use(index, number), where index is a
  /// Place, 0 .. round_words - 1. Unrolling keeps the state in registers.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void round(F&& use) {
    unrolled(use, std::make_integer_sequence<int, round_words>{});
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  /// Vector units need no Walk: they mask bits at no cost.
  static constexpr bool walks = !is_vector_register<W> && requires {
    typename Kind::template Walk<W>;
  };

  template <class F, int... K>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(F&& use, std::integer_sequence<int, K...>) {
    if constexpr (walks) {
      typename Kind::template Walk<W> walk(state_.z);
      (use(detail::place<K>, walk.step(state_.z)), ...);
    } else {
      (use(detail::place<K>, (*this)()), ...);
    }
  }

  State state_;
};

}  // namespace rivulet
