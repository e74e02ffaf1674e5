// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/rng/counter_based.hpp"

namespace rivulet {

/// A field of a stream's key: an integer, or a value of an enumeration, in 0 .. 2^bits - 1. Of a
/// larger value builds without assertions take the lowest bits.
template <int bits_>
struct KeyField {
  static_assert(bits_ >= 1 && bits_ <= 64, "a field of a stream's key has 1 to 64 bits");
  static constexpr int bits = bits_;
  std::uint64_t value = 0;

  KeyField() = default;
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)           //
      KOKKOS_FORCEINLINE_FUNCTION constexpr KeyField(T of)  // converts, as integers do
      : value(static_cast<std::uint64_t>(of)) {}
};

/// The usual key: what for, when, for whom, and which one of several. A key of your own is a struct
/// of one to eight KeyFields; Philox4x32 has room for 128 bits, of which the stream's blocks of
/// four numbers count in those that are left (here 2^32 blocks), Philox4x64 and Threefry4x64 for
/// 192 beside 2^64 blocks. A key of more than 96 bits for Philox4x32 accepts its shorter streams:
/// with w bits it has a member `static constexpr int log2_numbers = 130 - w;`, or a smaller one.
struct StreamKey {
  KeyField<8> purpose = {};
  KeyField<40> step = {};
  KeyField<40> particle = {};
  KeyField<8> index = {};
};

namespace detail {

/// Becomes any KeyField, where a compiler counts a struct's fields.
struct AnyKeyField {
  template <int bits>
  operator KeyField<bits>() const;
};

/// Calls f(field, ...) with the fields of a key.
template <class Key, class F>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto with_fields(const Key& key, const F& f) {
  using Any = AnyKeyField;
  if constexpr (requires { Key{Any{}, Any{}, Any{}, Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c, d, e, g, h, i] = key;
    return f(a, b, c, d, e, g, h, i);
  } else if constexpr (requires { Key{Any{}, Any{}, Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c, d, e, g, h] = key;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (requires { Key{Any{}, Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c, d, e, g] = key;
    return f(a, b, c, d, e, g);
  } else if constexpr (requires { Key{Any{}, Any{}, Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c, d, e] = key;
    return f(a, b, c, d, e);
  } else if constexpr (requires { Key{Any{}, Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c, d] = key;
    return f(a, b, c, d);
  } else if constexpr (requires { Key{Any{}, Any{}, Any{}}; }) {
    const auto& [a, b, c] = key;
    return f(a, b, c);
  } else if constexpr (requires { Key{Any{}, Any{}}; }) {
    const auto& [a, b] = key;
    return f(a, b);
  } else {
    const auto& [a] = key;
    return f(a);
  }
}

/// A struct of KeyFields.
template <class Key>
concept KeyOfFields = std::is_aggregate_v<Key> && requires {
  Key{AnyKeyField{}};
};
template <class Key>
concept NoKey = std::is_aggregate_v<Key> && !KeyOfFields<Key>;

/// What a key of these widths is, for any seed: another one for other widths, and even.
template <int... bits>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t layout_tag() {
  std::uint64_t tag = 0;
  ((tag = splitmix64_mix(tag + splitmix64_increment + std::uint64_t{bits})), ...);
  return tag & ~std::uint64_t{1};
}

/// Ends the program: devices cannot put a number into a text.
[[noreturn]] KOKKOS_INLINE_FUNCTION void abort_key(int field) {
#define RIVULET_ABORT_KEY(nth)                                          \
  Kokkos::abort("rivulet: the " nth                                     \
                " field of a stream's key has a value that needs more " \
                "bits than the field has. Make the field wider, or its values smaller.\n")
  switch (field) {
    case 0:
      RIVULET_ABORT_KEY("first");
    case 1:
      RIVULET_ABORT_KEY("second");
    case 2:
      RIVULET_ABORT_KEY("third");
    case 3:
      RIVULET_ABORT_KEY("fourth");
    case 4:
      RIVULET_ABORT_KEY("fifth");
    case 5:
      RIVULET_ABORT_KEY("sixth");
    case 6:
      RIVULET_ABORT_KEY("seventh");
    default:
      RIVULET_ABORT_KEY("eighth");
  }
#undef RIVULET_ABORT_KEY
}

/// Puts the lowest bits of a field where `from` is the lowest one's place.
template <int bits, class Word, int words>
KOKKOS_FORCEINLINE_FUNCTION void put_field(std::uint64_t value, int field, int from,
                                           Word (&to)[words]) {
  constexpr int word_bits = 8 * static_cast<int>(sizeof(Word));
  if constexpr (bits < 64) {
    if (has_assertions && value >> bits != 0) abort_key(field);
    value &= (std::uint64_t{1} << bits) - 1;
  }
  for (int k = 0; k < words; ++k) {
    const int shift = from - k * word_bits;
    if (shift >= 0 && shift < word_bits) to[k] |= static_cast<Word>(value << shift);
    if (shift < 0 && shift > -64) to[k] |= static_cast<Word>(value >> -shift);
  }
}

/// The streams of a key must have 2^this numbers.
template <class Key>
inline constexpr int least_log2_numbers = 34;
template <class Key>
requires requires { Key::log2_numbers; }
inline constexpr int least_log2_numbers<Key> = Key::log2_numbers;

/// The start of the stream of a key: fields are the counter's highest bits, the first one the
/// highest.
template <CounterBased G, class Key, int... bits>
KOKKOS_FORCEINLINE_FUNCTION CounterStart<G> start_of(std::uint64_t seed,
                                                     const KeyField<bits>&... fields) {
  constexpr int blocks = counter_bits<G> - (bits + ...);
  static_assert(blocks >= 0 && (sizeof(typename G::Word) == 4 || blocks >= 64),
                "the fields of a stream's key have more bits than the generator has room for: 128 "
                "(Philox4x32) or 192 (Philox4x64, Threefry4x64) in all");
  constexpr int log2_numbers = log2_stream_numbers<G> - (blocks < 64 ? 64 - blocks : 0);
  static_assert(blocks < 0 || log2_numbers >= least_log2_numbers<Key>,
                "a stream of this key repeats itself after fewer numbers than the key's member "
                "log2_numbers says, or than 2^34. Use fewer bits, or Philox4x64, or accept 2^(130 "
                "- w) numbers for fields of w bits: static constexpr int log2_numbers = 130 - w;");
  CounterStart<G> start(seed, 0);
  start.key.combine(layout_tag<bits...>());
  if constexpr (blocks < 64) start.last = (std::uint64_t{1} << blocks) - 1;
  int field = 0;
  int place = counter_bits<G>;
  ((place -= bits, put_field<bits>(fields.value, field++, place, start.counter)), ...);
  return start;
}

template <CounterBased G, KeyOfFields Key>
KOKKOS_FORCEINLINE_FUNCTION CounterStart<G> keyed_start(std::uint64_t seed, const Key& key) {
  return with_fields(key,
                     [seed](const auto&... fields) { return start_of<G, Key>(seed, fields...); });
}

}  // namespace detail
}  // namespace rivulet
