// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/deleted_because.hpp"
#include "rivulet/detail/generators/own_generator.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"

namespace rivulet {

/// One field of a stream's key: an integer or enumeration value in 0 .. 2^bits - 1. A larger value
/// ends the program in builds with assertions; other builds use its lowest bits.
template <int bits_>
struct KeyField {
  static_assert(bits_ >= 1 && bits_ <= 64, "a field of a stream's key has 1 to 64 bits");
  static constexpr int bits = bits_;
  std::uint64_t value = 0;

  KeyField() = default;
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)           //
      KOKKOS_FORCEINLINE_FUNCTION constexpr KeyField(T of)  // implicit conversion
      : value(static_cast<std::uint64_t>(of)) {}
};

/// The usual key of a stream: a purpose, the time step, the particle, and an index for particles
/// with several streams.
/// \code
/// Stream<Philox4x32> rng(seed, StreamKey{.purpose = 1, .step = step, .particle = i});
/// \endcode
/// A custom key is a struct of one to eight KeyFields. Philox4x64 and Threefry4x64 accept at most
/// 192 bits, and keep 2^64 blocks per stream. Philox4x32 accepts at most 128 bits, and counts a
/// stream's blocks of four numbers in the remaining bits (StreamKey: 2^32 blocks). A key of w > 96
/// bits therefore leaves fewer than 2^34 numbers per stream. To accept this, add a member `static
/// constexpr int log2_numbers = 130 - w;` (or a smaller value) to the struct.
struct StreamKey {
  KeyField<8> purpose = {};
  KeyField<40> step = {};
  KeyField<40> particle = {};
  KeyField<8> index = {};
};

namespace detail {

/// Converts to any KeyField. Aggregate initialization with such values counts the fields of a
/// struct.
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

/// Returns a tag computed from the fields' widths. start_of() combines the tag with the generator's
/// key. Tags are even (Sobol's tag is odd).
template <int... bits>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t layout_tag() {
  std::uint64_t tag = 0;
  ((tag = splitmix64_mix(tag + splitmix64_increment + std::uint64_t{bits})), ...);
  return tag & ~std::uint64_t{1};
}

/// Ends the host program. Each field has its own message, because devices cannot format numbers.
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

/// Stores the lowest `bits` bits of the value in the words, starting at bit `from`.
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

/// log2 of the minimum length of a stream with this key, in numbers.
template <class Key>
inline constexpr int least_log2_numbers = 34;
template <class Key>
requires requires { Key::log2_numbers; }
inline constexpr int least_log2_numbers<Key> = Key::log2_numbers;

/// Returns the start of the stream that a key names. The fields fill the counter from its highest
/// bit down, the first field first.
template <CounterBased G, class Key, int... bits>
KOKKOS_FORCEINLINE_FUNCTION CounterStart<G> start_of(std::uint64_t seed,
                                                     const KeyField<bits>&... fields) {
  constexpr int blocks = counter_bits<G> - (bits + ...);
  static_assert(
      blocks >= 0 && (sizeof(typename G::Word) == 4 || blocks >= 64),
      "the fields of a stream's key have more bits than the generator has room for: 128 "
      "(Philox4x32) or 192 (Philox4x64, Threefry4x64) in all. Use narrower fields, or Philox4x64");
  constexpr int log2_numbers = log2_stream_numbers<G> - (blocks < 64 ? 64 - blocks : 0);
  static_assert(blocks < 0 || log2_numbers >= least_log2_numbers<Key>,
                "with fields this wide a stream repeats itself after fewer than 2^34 numbers (or "
                "2^log2_numbers, if the key has that member). Use fewer bits, or Philox4x64; or "
                "accept 2^(130 - w) numbers for fields of w bits in all: add static constexpr int "
                "log2_numbers = 130 - w; to the key");
  CounterStart<G> start(seed, 0);
  start.key.combine(layout_tag<bits...>());
  if constexpr (blocks < 64) start.last_block = (std::uint64_t{1} << blocks) - 1;
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

/// A saved stream of a counter-based generator: little-endian, without padding.
template <CounterBased G>
struct StreamRecord {
  char magic[8] = {};  ///< saved_stream_magic
  std::uint64_t version = 1;
  std::uint64_t generator = 0;              ///< checksum of the name
  typename G::Word key[G::key_words] = {};  ///< the lowest word first
  typename G::Word counter[G::words] = {};  ///< counter of block 0, the lowest word first
  std::uint64_t last = 0;                   ///< last block of the stream
  std::uint64_t block = 0;                  ///< block of the next number
  std::uint64_t number = 0;                 ///< index of the next number in its block
  std::uint64_t checksum = 0;               ///< checksum of all members above
};

static_assert(std::endian::native == std::endian::little, "saved streams are little-endian");

template <CounterBased G>
using StreamBytes = std::array<std::byte, sizeof(StreamRecord<G>)>;

template <CounterBased G>
std::uint64_t record_checksum(const StreamRecord<G>& record) {
  return checksum_of(
      std::as_bytes(std::span(&record, 1)).first(offsetof(StreamRecord<G>, checksum)));
}
template <CounterBased G>
std::uint64_t name_checksum() {
  return checksum_of(std::as_bytes(std::span(G::name)));
}

template <CounterBased G>
StreamBytes<G> stream_bytes(const CounterEngine<G>& engine) {
  static_assert(std::has_unique_object_representations_v<StreamRecord<G>>,
                "StreamRecord has no padding");
  StreamRecord<G> record;
  saved_stream_magic.copy(record.magic, sizeof record.magic);
  record.generator = name_checksum<G>();
  std::memcpy(record.key, engine.start().key.words, sizeof record.key);
  std::memcpy(record.counter, engine.start().counter, sizeof record.counter);
  record.last = engine.start().last_block;
  record.block = engine.place().block;
  record.number = engine.place().number;
  record.checksum = record_checksum(record);
  StreamBytes<G> bytes;
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

template <CounterBased G>
CounterEngine<G> stream_of_bytes(std::span<const std::byte> bytes) {
  const auto refuse = [](const char* why) {
    throw Error("the bytes are not a stream of " + std::string(G::name), why,
                "Give bytes that to_bytes() returned for a Stream of this generator.");
  };
  StreamRecord<G> record;
  if (bytes.size() < sizeof record.magic ||
      std::memcmp(bytes.data(), saved_stream_magic.data(), sizeof record.magic) != 0) {
    refuse("they do not begin as a saved stream does");
  }
  const std::size_t most = bytes.size() < sizeof record ? bytes.size() : sizeof record;
  std::memcpy(&record, bytes.data(), most);
  if (most >= offsetof(StreamRecord<G>, key)) {
    if (record.version != 1) refuse("they have another format version");
    if (record.generator != name_checksum<G>()) refuse("they are of another generator");
  }
  if (bytes.size() != sizeof record || record.checksum != record_checksum(record)) {
    refuse("they are cut short or altered");
  }
  CounterStart<G> start(0, 0);
  std::memcpy(start.key.words, record.key, sizeof record.key);
  std::memcpy(start.counter, record.counter, sizeof record.counter);
  start.last_block = record.last;
  std::uint64_t low = 0;  // the counter's bits that count blocks
  std::memcpy(&low, record.counter, sizeof low);
  if (record.number >= block_numbers<G> || record.block > record.last ||
      (((record.last + 1) | low) & record.last) != 0) {
    refuse("their position or length is invalid");
  }
  return CounterEngine<G>(start, CounterPlace{record.block, record.number});
}

/// The engine of a generator whose streams need neither set-up nor memory.
template <class G>
struct MadeInPlace {
  static_assert(sizeof(G) == 0,
                "rivulet::Stream takes a counter-based generator, such as Philox4x32, or your own: "
                "streams of the others need set-up. Use rivulet::Streams");
  using Engine = CounterEngine<Philox4x32>;
};

template <CounterBased G>
struct MadeInPlace<G> {
  using Engine = CounterEngine<G>;
  KOKKOS_FORCEINLINE_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t id) {
    return Engine(seed, id);
  }
};

template <OwnGenerator G>
struct MadeInPlace<G> {
  using Engine = typename G::Engine;
  KOKKOS_FORCEINLINE_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t id) {
    return G::engine(seed, id);
  }
};

}  // namespace detail

/// Stream number `id` of a seed, constructed where it is used, in a kernel or on the host, without
/// set-up or memory. rng() returns the next number, in min() .. max(). The numbers are the same as
/// those of stream `id` of Streams. The generator is counter-based (by default Philox4x32) or an
/// OwnGenerator.
/// \code
/// Stream<Philox4x32> rng(seed, id);
/// const double x = Uniform<double>()(rng);
/// \endcode
/// A copy starts at the same position and repeats the same numbers; pass a stream by reference to
/// continue it.
///
/// A stream of a counter-based generator has 2^66 numbers (2^67 for generators with 64-bit words).
/// With a key of w > 64 bits, a stream of Philox4x32 or Philox4x32x7 has 2^(130 - w) numbers. After
/// its last number, a stream starts over. discard(n) skips n numbers in constant time.
template <class Generator = Philox4x32>
class Stream : public detail::MadeInPlace<Generator>::Engine {
 public:
  using Engine = typename detail::MadeInPlace<Generator>::Engine;

  /// Creates stream `id`, 0 .. 2^64 - 1, at its first number.
  KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed, std::uint64_t id)
      : Engine(detail::MadeInPlace<Generator>::engine(seed, id)) {}

  /// Creates the stream that `key` names, at its first number. `key` is a StreamKey or your own
  /// struct of KeyFields. Different keys of the same struct share no counter block. Numbered
  /// streams, and structs with other field widths, use other keys of the generator.
  template <detail::KeyOfFields Key>
  requires detail::CounterBased<Generator>  //
      KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed, const Key& key)
      : Engine(detail::keyed_start<Generator>(seed, key)) {}
  KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed,
                                     const StreamKey& key) requires detail::CounterBased<Generator>
      : Engine(detail::keyed_start<Generator>(seed, key)) {}

  // clang-format off
  Stream() requires(detail::deleted_because("a stream has no default constructor, because its seed and number name it. Write rng(seed, number) where you draw. For streams in a View use rivulet::Streams, or structs with a member Stream<G> rng{0, 0}")) = delete;
  explicit Stream(std::uint64_t) requires(detail::deleted_because("a stream needs a number, because a seed has 2^64 streams. Write rng(seed, number), such as rng(42, 0)")) = delete;
  template <detail::NoKey Key>
  Stream(std::uint64_t, const Key&) requires(detail::deleted_because("this struct is not a key: a key has 1 to 8 rivulet::KeyField<bits> and nothing else, because their widths place them in the counter. Replace int step by rivulet::KeyField<32> step, with values 0 to 2^32 - 1")) = delete;
  template <std::floating_point Real>
  Stream(std::uint64_t, Real) requires(detail::deleted_because("a stream's number is a whole number, 0 to 2^64 - 1. Convert it: rng(seed, static_cast<std::uint64_t>(number))")) = delete;
  using Engine::operator();
  void operator()() const requires(detail::deleted_because("a const stream cannot draw, because drawing changes its position. Lambdas capture constant copies, so create the stream inside the kernel: rng(seed, i)")) = delete;
  // clang-format on

  /// Returns child n of this stream, at its first number, for secondaries, banks and tasks. The
  /// child depends on this stream and n, not on the position, and can have children itself. Use
  /// each n only once: `Stream secondary = rng.child(n);`.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Stream
  child(std::uint64_t n) const requires detail::CounterBased<Generator> {
    return Stream(Engine(this->start().child(n)));
  }

  /// Returns the stream and its position as bytes. Host only. In little-endian order:
  /// - "RVLT-ONE", the version (1), the checksum of the generator's name;
  /// - the key and the counter of block 0, in the generator's words, the lowest first;
  /// - the last block, the block of the next number, and the number's index in that block;
  /// - the checksum of all preceding bytes.
  ///
  /// Entries other than key and counter have 8 bytes each; the total is 80 bytes for Philox4x32,
  /// 104 for Philox4x64, and 120 for Threefry4x64. The checksum c of b bytes starts as c = b. For
  /// each group x of 8 bytes, c becomes mix(c + 0x9e3779b97f4a7c15) ^ x. The result is mix(c),
  /// where mix is SplitMix64's finaliser.
  [[nodiscard]] auto to_bytes() const requires detail::CounterBased<Generator> {
    return detail::stream_bytes<Generator>(*this);
  }
  /// Returns the stream that to_bytes() saved on any machine. Host only. Throws Error if the bytes
  /// are damaged or not a stream of this generator.
  static Stream from_bytes(
      std::span<const std::byte> bytes) requires detail::CounterBased<Generator> {
    return Stream(detail::stream_of_bytes<Generator>(bytes));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION explicit Stream(const Engine& engine) : Engine(engine) {}
};

}  // namespace rivulet
