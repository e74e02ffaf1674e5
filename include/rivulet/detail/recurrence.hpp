// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/mtgp.hpp"
#include "rivulet/detail/rng/ranmar.hpp"

// Generators whose next word follows from the last n, in one form. Words are counted from the
// oldest one: next() makes the word that follows x(0) .. x(n - 1), and number() the number of that
// word; x(0) is gone by then.

namespace rivulet::detail {

/// The place of one of those words that is the same for all streams: an int that is a constant also
/// to who takes it as an argument. (std::integral_constant's conversion is a host's function to
/// nvcc, and garbage on a device.)
template <int j>
struct Place {
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator int() const { return j; }
};
template <int j>
inline constexpr Place<j> place{};

/// A generator whose numbers are functions of the recurrence's words alone.
struct NoTerm {};

/// A dynamically created twister.
template <int P>
struct DcmtRecurrence {
  using Integer = std::uint32_t;
  using Term = NoTerm;
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int n = shape.n;
  /// New words that do not depend on each other.
  static constexpr int independent = n - shape.m;
  static constexpr int bits = 32;

  DcmtParameters<std::uint32_t> set;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const X& x) const {
    return dcmt_twist<P>(x(place<0>), x(place<1>), x(place<shape.m>), set.a);
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer number(Integer word, const X&, Term) const {
    return dcmt_temper(word, set.b, set.c);
  }
};

struct Mt19937Words {
  using Integer = std::uint32_t;
  using Term = NoTerm;
  static constexpr DcmtShape shape = Mt19937Recurrence::shape;
  static constexpr int n = Mt19937Recurrence::n;
  static constexpr int independent = n - Mt19937Recurrence::m;
  static constexpr int bits = 32;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const X& x) const {
    return Mt19937Recurrence::twist(x(place<0>), x(place<1>), x(place<Mt19937Recurrence::m>));
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer number(Integer word, const X&, Term) const {
    return Mt19937Recurrence::temper(word);
  }
};

/// An MTGP: numbers are made of a word before the new one, too.
struct MtgpWords {
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

  const MtgpTables* tables;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const X& x) const {
    return Mtgp11213Recurrence::step<Integer>(tables->set, x(place<0>), x(place<1>),
                                              x(tables->set.pos), tables->table());
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer number(Integer word, const X& x, Term) const {
    static_assert(Mtgp11213Recurrence::least_pos >= 2);  // x(0) is gone
    return Mtgp11213Recurrence::temper<Integer>(word, x(tables->set.pos - 1), tables->temper());
  }
};

/// RANMAR: a lagged Fibonacci sequence, less the terms of an arithmetic one.
template <class Variant>
struct RanmarRecurrence {
  using Integer = typename Variant::Integer;
  struct Term {
    Integer c;
  };
  static constexpr int n = ranmar_words;
  static constexpr int independent = ranmar_lag;
  static constexpr int bits = Variant::bits;

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer next(const X& x) const {
    return x(place<0>) - x(place<ranmar_words - ranmar_lag>);
  }
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION Integer number(Integer word, const X&, Term term) const {
    return ranmar_number<Variant>(word, term.c);
  }
  /// The term so many numbers after one, numbers <= 2^16.
  KOKKOS_FORCEINLINE_FUNCTION static Term after(Term term, int numbers) {
    return {ranmar_lower<Variant>(term.c, ranmar_stride<Variant>(numbers))};
  }
};

/// Whether numbers need a term beside the word.
template <class Recurrence>
inline constexpr bool has_term = requires {
  Recurrence::after(typename Recurrence::Term{}, 1);
};

}  // namespace rivulet::detail
