// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "rivulet/detail/generators/own.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/saved_streams.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/stream_key.hpp"

namespace rivulet::detail {

/// A stream of a counter-based generator in memory and in files, little-endian, without gaps.
template <CounterBased G>
struct StreamRecord {
  char magic[8] = {};  ///< saved_stream_magic
  std::uint64_t version = 1;
  std::uint64_t generator = 0;              ///< checksum of the name
  typename G::Word key[G::key_words] = {};  ///< the lowest word first
  typename G::Word counter[G::words] = {};  ///< of block 0, the lowest word first
  std::uint64_t last = 0;                   ///< block of the stream
  std::uint64_t block = 0;                  ///< of the next number
  std::uint64_t number = 0;                 ///< of that block
  std::uint64_t checksum = 0;               ///< of all before
};

static_assert(std::endian::native == std::endian::little, "bytes are those of memory");

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
  static_assert(std::has_unique_object_representations_v<StreamRecord<G>>, "it has no gaps");
  StreamRecord<G> record;
  saved_stream_magic.copy(record.magic, sizeof record.magic);
  record.generator = name_checksum<G>();
  std::memcpy(record.key, engine.start().key.words, sizeof record.key);
  std::memcpy(record.counter, engine.start().counter, sizeof record.counter);
  record.last = engine.start().last;
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
                "Take what to_bytes() gave for a Stream of this generator.");
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
    if (record.generator != name_checksum<G>()) refuse("they are another generator's");
  }
  if (bytes.size() != sizeof record || record.checksum != record_checksum(record)) {
    refuse("they are cut short or altered");
  }
  CounterStart<G> start(0, 0);
  std::memcpy(start.key.words, record.key, sizeof record.key);
  std::memcpy(start.counter, record.counter, sizeof record.counter);
  start.last = record.last;
  std::uint64_t low = 0;  // of the counter, where blocks count
  std::memcpy(&low, record.counter, sizeof low);
  if (record.number >= block_numbers<G> || record.block > record.last ||
      (((record.last + 1) | low) & record.last) != 0) {
    refuse("their place or length is none");
  }
  return CounterEngine<G>(start, CounterPlace{record.block, record.number});
}

}  // namespace rivulet::detail

namespace rivulet {
namespace detail {

/// The engine of generators whose streams need neither set-up nor memory.
template <class G>
struct MadeInPlace {
  static_assert(
      sizeof(G) == 0,
      "rivulet::Stream is of a counter-based generator, such as Philox4x32, or of your own: the "
      "others' streams need set-up. Take rivulet::Streams");
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

/// Stream number `id` of a seed, made where it is used, in a kernel or on the host, without set-up
/// or memory: for counter-based generators and OwnGenerators. It has the numbers of stream `id` of
/// Streams. A copy is at the same position and gives the same numbers: pass by reference to go on.
///
/// Counter-based generators have 2^66 numbers a stream (words of 64 bits: 2^67), or 2^(130 - w) if
/// a key of w > 64 bits names a stream of Philox4x32 or Philox4x32x7. After its last number a
/// stream begins again with its first. discard(n) leaves n numbers out, at once.
template <class Generator>
class Stream : public detail::MadeInPlace<Generator>::Engine {
 public:
  using Engine = typename detail::MadeInPlace<Generator>::Engine;

  /// Stream `id`, any of 0 .. 2^64 - 1, at its first number.
  KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed, std::uint64_t id)
      : Engine(detail::MadeInPlace<Generator>::engine(seed, id)) {}

  /// The stream of a key, StreamKey or a struct of your own of KeyFields, of a counter-based
  /// generator. Two keys of one struct share no counter block. Numbered streams and structs of
  /// other widths use another key of the generator.
  template <detail::KeyOfFields Key>
  requires detail::CounterBased<Generator>  //
      KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed, const Key& key)
      : Engine(detail::keyed_start<Generator>(seed, key)) {}
  KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed,
                                     const StreamKey& key) requires detail::CounterBased<Generator>
      : Engine(detail::keyed_start<Generator>(seed, key)) {}

  Stream() = delete;  // has no stream: Stream rng(seed, id), such as rng{0, 0}
  explicit Stream(std::uint64_t) = delete;  // a seed has 2^64 streams: Stream rng(seed, id)
  template <detail::NoKey Key>
  Stream(std::uint64_t, const Key&) = delete;  // a key has 1 to 8 rivulet::KeyField<bits> alone

  /// Child n of this stream, for secondaries, banks and tasks: a stream of its own, at its first
  /// number, which has children itself. It depends on this stream and on n, not on the position.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Stream
  child(std::uint64_t n) const requires detail::CounterBased<Generator> {
    return Stream(Engine(this->start().child(n)));
  }

  /// The stream and its position, as little-endian words: "RVLT-ONE", version (1), checksum of the
  /// generator's name, key, counter of block 0, last block, block and place in it of the next
  /// number, checksum of all that. Key and counter have the generator's words, the lowest first;
  /// the rest has 8 bytes each: 80 bytes for Philox4x32, 104 for Philox4x64, 120 for Threefry4x64.
  /// The checksum of b bytes starts from b; for each 8 bytes x it becomes
  /// mix(checksum + 0x9e3779b97f4a7c15) ^ x, and at the end mix(checksum), mix being SplitMix64's.
  /// On the host.
  [[nodiscard]] auto to_bytes() const requires detail::CounterBased<Generator> {
    return detail::stream_bytes<Generator>(*this);
  }
  /// The stream of to_bytes(), on any machine. Throws Error if they are not a stream of this
  /// generator. On the host.
  static Stream from_bytes(
      std::span<const std::byte> bytes) requires detail::CounterBased<Generator> {
    return Stream(detail::stream_of_bytes<Generator>(bytes));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION explicit Stream(const Engine& engine) : Engine(engine) {}
};

}  // namespace rivulet
