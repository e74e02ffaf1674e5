// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rivulet/detail/generators/own.hpp"
#include "rivulet/detail/stream_bytes.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/stream_key.hpp"

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
