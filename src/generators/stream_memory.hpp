// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/detail/stream_store.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Copies each stream's state to its first segment.
template <class Store>
struct CopyStates {
  Store from;
  Store to;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    for (int k = 0; k < to.words(); ++k) to.word(k, stream) = from.word(k, first + stream);
  }
};

/// Base class of a rank's streams with states in device memory. Streams have local indices 0 ..
/// count-1. The C++ library's starts and jumps use this class as their States. Copies share the
/// memory.
template <class Integer>
class StreamsInMemory {
 public:
  static constexpr std::uint64_t word_bytes = sizeof(Integer);
  /// Number of streams, or of segments if the streams are cut.
  KOKKOS_FUNCTION std::uint64_t count() const { return cut_.total(); }
  KOKKOS_FUNCTION StreamRange range() const { return range_; }
  /// Returns the local stream index of stream or segment `index`.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream(std::uint64_t index) const {
    return cut_.stream(index);
  }

  /// Turns this object into the segments of its streams. The segments get separate states, which
  /// the starter's place() sets.
  void cut_into(const Segments& cut) {
    const bool has_separate_states = cut_.count > 1 && cut_.total() == cut.total();
    if (!has_separate_states) states_ = zeros(states_.words(), cut.total());
    cut_ = cut;
  }
  /// Copies each stream's state to its first segment. Asynchronous.
  void copy_first(const Space& space, const StreamsInMemory& from) const {
    for_each_stream(space, "rivulet::copy_states", cut_.streams,
                    CopyStates<Store>{from.states_, states_, cut_.first});
  }

  /// Returns word k of a stream's state. Streams are padded to complete tiles, and the padding may
  /// be read and written.
  KOKKOS_FORCEINLINE_FUNCTION Integer& word(int k, std::uint64_t stream) const {
    return states_.word(k, stream);
  }
  KOKKOS_FORCEINLINE_FUNCTION Integer& stored_word(int k, std::uint64_t stream) const {
    return word(k, stream);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream, Integer value) const {
    word(k, stream) = value;
  }

  std::uint64_t state_bytes() const { return states_.bytes(); }

  /// Returns the states without the padding: word 0 of all streams, then word 1, and so on.
  std::vector<std::byte> save() const {
    std::vector<Integer> words = states_.download(Space());
    std::vector<std::byte> saved(saved_bytes());
    for_each_word(words, [at = saved.data()](Integer& word) mutable {
      std::memcpy(at, &word, sizeof word);
      at += sizeof word;
    });
    return saved;
  }
  /// Restores states from save(). Throws Error if the size in bytes does not match.
  void restore(std::span<const std::byte> saved) const {
    if (saved.size() != saved_bytes()) {
      throw Error(
          "saved streams do not fit",
          std::to_string(saved.size()) + " B instead of " + std::to_string(saved_bytes()) + " B",
          "Restore into the same number of streams of the same generator.");
    }
    std::vector<Integer> words(states_.bytes() / sizeof(Integer));
    for_each_word(words, [at = saved.data()](Integer& word) mutable {
      std::memcpy(&word, at, sizeof word);
      at += sizeof word;
    });
    states_.upload(Space(), words);
  }

 protected:
  StreamsInMemory(int words, StreamRange range)
      : states_(zeros(words, range.count)), range_(range), cut_{0, range.count, 1, 0} {}

 private:
  using Store = detail::StreamStore<Integer, Space, Space::memory_space, tile_streams>;

  /// Returns states of `words` zero words per stream. Calls fill_with_zeros(), because Kokkos 3.4
  /// allows initialised views only in the thread that started Kokkos.
  static Store zeros(int words, std::uint64_t streams) {
    const typename Store::Memory memory(
        Kokkos::view_alloc("rivulet::streams", Kokkos::WithoutInitializing),
        static_cast<std::uint64_t>(words) * Store::padded(streams));
    const Store store(words, streams, memory);
    fill_with_zeros(memory.data(), store.bytes());
    return store;
  }
  std::size_t saved_bytes() const {
    return static_cast<std::size_t>(states_.words()) * states_.count() * sizeof(Integer);
  }
  template <class Use>
  void for_each_word(std::vector<Integer>& words, Use use) const {
    for (int k = 0; k < states_.words(); ++k) {
      for (std::uint64_t s = 0; s < states_.count(); ++s) use(states_.slot_in(words.data(), s)[k]);
    }
  }

  Store states_;
  StreamRange range_;
  Segments cut_;
};

}  // namespace rivulet
