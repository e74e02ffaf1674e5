// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/mtgp.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/word.hpp"

// This file defines a common interface for generators whose next word is a function of the last n
// words, x(0) (the oldest) to x(n - 1). next() returns the next word. number() returns the output
// for that word, and is called after the word has overwritten x(0).

namespace rivulet {

/// The parameters of a twister: the twist coefficient and two tempering masks.
template <class W>
struct DcmtParameters {
  W a;
  W b;
  W c;
};

/// Returns x_{k+n} from x_k, x_{k+1} and x_{k+m}.
template <int P, class W>
KOKKOS_FORCEINLINE_FUNCTION W dcmt_twist(W x_k, W x_k1, W x_km, W a) {
  constexpr DcmtShape shape = dcmt_shape(P);
  const W y = (x_k & shape.upper_mask) | (x_k1 & shape.lower_mask);
  return x_km ^ (y >> 1) ^ WordTraits<W>::if_odd(y, a);
}

}  // namespace rivulet

namespace rivulet::detail {

/// Returns k modulo n, 0 <= k < 2 n.
template <int n>
KOKKOS_FORCEINLINE_FUNCTION int ring_index(int k) {
  return k < n ? k : k - n;
}

/// The term of a generator whose numbers depend only on the recurrence's words.
struct NoTerm {};

/// The type of x(j): an integer, or a vector of integers.
template <class X>
using WordFrom = std::remove_cvref_t<std::invoke_result_t<const X&, Place<0>>>;

/// Result of a step backwards: the significant bits of a state's oldest word, and the other bits of
/// the word after it.
struct WordBefore {
  std::uint32_t upper;
  std::uint32_t lower;
};
/// Inverts a twist, where z is the new word XOR word m. The highest bit of a must be set.
template <std::uint32_t upper_mask>
KOKKOS_FORCEINLINE_FUNCTION WordBefore untwisted(std::uint32_t z, std::uint32_t a) {
  const std::uint32_t odd = z >> 31;
  const std::uint32_t mixed = (z ^ odd * a) << 1 | odd;
  return {mixed & upper_mask, mixed & ~upper_mask};
}

/// Consecutive words, for step_back().
struct ContiguousWords {
  std::uint32_t* word;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int k) const { return word[k]; }
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint32_t value) const { word[k] = value; }
};

/// Computes words 0, -1 .. -count of a state, from words 1 .. n-1 and the significant bits of word
/// 0. Only the significant bits of word -count are known. x(k) returns word k, and x.put(k, word)
/// replaces word k, k <= 0.
template <class Recurrence, class X>
KOKKOS_FUNCTION void step_back(const Recurrence& recurrence, X&& x, int count) {
  constexpr std::uint32_t upper = Recurrence::shape.upper_mask;
  const auto before = recurrence.backwards();
  for (int k = -1; k >= -count; --k) {
    const WordBefore found = before([&x, k](int j) { return x(k + j); });
    x.put(k + 1, (x(k + 1) & upper) | found.lower);
    x.put(k, found.upper);
  }
}

/// A dynamically created twister. A word of type W holds one parameter for each of lanes<W> sets.
template <int P, class W = std::uint32_t>
struct DcmtRecurrence {
  using Integer = std::uint32_t;
  using Term = NoTerm;
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int n = shape.n;
  /// Number of consecutive new words that do not depend on each other.
  static constexpr int independent = n - shape.m;
  static constexpr int bits = 32;

  template <class V>
  using Over = DcmtRecurrence<P, V>;

  DcmtParameters<W> set;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION auto next(const X& x) const {
    using V = WordFrom<X>;
    return dcmt_twist<P, V>(x(place<0>), x(place<1>), x(place<shape.m>), V(set.a));
  }
  /// Tempers the word as Matsumoto & Nishimura do (ACM TOMACS 8 (1998) 3), with the set's masks.
  template <class V, class X>
  KOKKOS_FORCEINLINE_FUNCTION V number(V word, const X&, Term) const {
    word ^= word >> dcmt_shift_0;
    word ^= (word << dcmt_shift_b) & V(set.b);
    word ^= (word << dcmt_shift_c) & V(set.c);
    return word ^ word >> dcmt_shift_1;
  }
  KOKKOS_FORCEINLINE_FUNCTION auto backwards() const {
    return [a = set.a](const auto& x) { return untwisted<shape.upper_mask>(x(n) ^ x(shape.m), a); };
  }
};

struct Mt19937Words {
  using Integer = std::uint32_t;
  using Term = NoTerm;
  static constexpr DcmtShape shape = Mt19937Recurrence::shape;
  static constexpr int n = Mt19937Recurrence::n;
  static constexpr int independent = n - Mt19937Recurrence::m;
  static constexpr int bits = 32;
  template <class>
  using Over = Mt19937Words;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION auto next(const X& x) const {
    using V = WordFrom<X>;
    return Mt19937Recurrence::twist<V>(x(place<0>), x(place<1>), x(place<shape.m>));
  }
  template <class V, class X>
  KOKKOS_FORCEINLINE_FUNCTION V number(const V& word, const X&, Term) const {
    return Mt19937Recurrence::temper<V>(word);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto backwards() const {
    return [](const auto& x) {
      return untwisted<shape.upper_mask>(x(n) ^ x(shape.m), Mt19937Recurrence::a);
    };
  }
};

/// The inverse of MTGP's step.
class MtgpBackwards {
 public:
  using Recurrence = Mtgp11213Recurrence;

  KOKKOS_FUNCTION explicit MtgpBackwards(const MtgpSet& set) : set_(set), table_(set.table) {
    for (std::uint32_t low = 0; low < MtgpEntries::size; ++low) {
      const std::uint32_t low_after = (low ^ table_(low)) % MtgpEntries::size;
      low_before_ |= std::uint64_t{low} << 4 * low_after;
    }
  }

  template <class X>
  KOKKOS_FUNCTION WordBefore operator()(const X& x) const {
    const std::uint32_t word = x(Recurrence::n);
    const auto low = static_cast<std::uint32_t>(low_before_ >> 4 * (word % MtgpEntries::size)) %
                     MtgpEntries::size;
    std::uint32_t sum = word ^ table_(low) ^ (x(set_.pos) >> set_.sh2);
    // The inverse of 1 + S, where S is a shift, is (1 + S) (1 + S^2) (1 + S^4) ...
    for (int shift = set_.sh1; shift < 32; shift *= 2) sum ^= sum << shift;
    return {(sum ^ x(1)) & Recurrence::upper_mask, sum & ~Recurrence::upper_mask};
  }

 private:
  MtgpSet set_;
  MtgpSums table_;
  /// 16 entries of 4 bits. If a word's lowest 4 bits are i after the addition of the word's table
  /// entry, they were entry i before it.
  std::uint64_t low_before_ = 0;
};

/// An MTGP. A number depends on the new word and on word pos - 1. Tables provides a stream's
/// parameter set and table entries.
template <class Tables>
struct MtgpRecurrence {
  using Integer = std::uint32_t;
  using Term = NoTerm;
  struct Shape {
    int p;
    std::uint32_t upper_mask;
  };
  static constexpr Shape shape{Mtgp11213Recurrence::p, Mtgp11213Recurrence::upper_mask};
  static constexpr int n = Mtgp11213Recurrence::n;
  static constexpr int independent = Mtgp11213Recurrence::team_numbers;
  static constexpr int bits = 32;
  template <class>
  using Over = MtgpRecurrence;

  Tables tables;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION auto next(const X& x) const {
    const MtgpSet& set = tables.set();
    return Mtgp11213Recurrence::step<WordFrom<X>>(set, x(place<0>), x(place<1>), x(set.pos),
                                                  tables.table());
  }
  template <class V, class X>
  KOKKOS_FORCEINLINE_FUNCTION V number(const V& word, const X& x, Term) const {
    static_assert(Mtgp11213Recurrence::least_pos >= 2);  // x(0) is overwritten
    return Mtgp11213Recurrence::temper<V>(word, x(tables.set().pos - 1), tables.temper());
  }
  KOKKOS_FORCEINLINE_FUNCTION MtgpBackwards backwards() const {
    return MtgpBackwards(tables.set());
  }
};

struct MtgpTablesInMemory {
  const MtgpTables* all;
  KOKKOS_FORCEINLINE_FUNCTION const MtgpSet& set() const { return all->set; }
  KOKKOS_FORCEINLINE_FUNCTION MtgpEntries table() const { return all->table(); }
  KOKKOS_FORCEINLINE_FUNCTION MtgpEntries temper() const { return all->temper(); }
};
using MtgpWords = MtgpRecurrence<MtgpTablesInMemory>;

/// RANMAR: a lagged Fibonacci sequence minus an arithmetic sequence.
template <class Variant>
struct RanmarRecurrence {
  using Integer = typename Variant::Integer;
  struct Term {
    Integer c;
  };
  static constexpr int n = ranmar_words;
  static constexpr int independent = ranmar_lag;
  static constexpr int bits = Variant::bits;
  static constexpr Integer term_modulus = Variant::c_modulus;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const X& x) const {
    return x(place<0>) - x(place<ranmar_words - ranmar_lag>);
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer number(Integer word, const X&, Term term) const {
    return ranmar_number<Variant>(word, term.c);
  }
  /// Returns the term after `numbers` more numbers, at most 2^16.
  KOKKOS_FORCEINLINE_FUNCTION static Term after(Term term, int numbers) {
    return {ranmar_lower<Variant>(term.c, ranmar_stride<Variant>(numbers))};
  }
};

/// True if numbers depend on a term besides the word.
template <class Recurrence>
inline constexpr bool has_term = requires(const Recurrence& recurrence) {
  recurrence.after(typename Recurrence::Term{}, 1);
};

}  // namespace rivulet::detail
