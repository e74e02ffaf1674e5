// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "kernels/launching/for_each_stream.hpp"
#include "kernels/launching/segments.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// States of streams in device memory: row k holds word k of every stream, padded to whole tiles.
/// Copies share the memory.
template <class Integer>
class StreamMemory {
 public:
  /// Zeros. (Kokkos 3.4 lets only the thread that started it make initialised views.)
  StreamMemory(const std::string& label, int words, std::uint64_t streams)
      : words_(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
               static_cast<std::size_t>(words) * padded_streams(streams)),
        row_(padded_streams(streams)),
        rows_(words),
        streams_(streams) {
    fill_with_zeros(words_.data(), bytes());
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer& operator()(std::size_t k, std::uint64_t stream) const {
    return words_.data()[k * row_ + stream];
  }
  std::uint64_t bytes() const { return words_.extent(0) * sizeof(Integer); }
  KOKKOS_FUNCTION int rows() const { return rows_; }
  std::string label() const { return words_.label(); }

  /// Word by word of the state, of all streams, without what fills up the last tile.
  std::vector<std::byte> save() const {
    std::vector<Integer> mirror;
    const Integer* const host = to_host(mirror);
    std::vector<std::byte> saved(saved_bytes());
    for (std::size_t k = 0; k * row_bytes() < saved.size(); ++k) {
      std::memcpy(saved.data() + k * row_bytes(), host + k * row_, row_bytes());
    }
    return saved;
  }
  /// The inverse. Throws Error if the number of bytes is another.
  void restore(std::span<const std::byte> saved) const {
    if (saved.size() != saved_bytes()) {
      throw Error(
          "saved streams do not fit",
          std::to_string(saved.size()) + " B instead of " + std::to_string(saved_bytes()) + " B",
          "Restore into the same number of streams of the same generator.");
    }
    std::vector<Integer> mirror;
    Integer* const host = to_host(mirror);
    for (std::size_t k = 0; k * row_bytes() < saved.size(); ++k) {
      std::memcpy(host + k * row_, saved.data() + k * row_bytes(), row_bytes());
    }
    if constexpr (device_build) copy_to_device(words_.data(), host, bytes());
  }

 private:
  std::size_t saved_bytes() const { return static_cast<std::size_t>(rows_) * row_bytes(); }
  std::size_t row_bytes() const { return streams_ * sizeof(Integer); }

  /// The words themselves, where the host sees them, or else a copy in the mirror.
  Integer* to_host(std::vector<Integer>& mirror) const {
    if constexpr (!device_build) return words_.data();
    mirror.resize(words_.extent(0));
    copy_to_host(mirror.data(), words_.data(), bytes());
    return mirror.data();
  }

  Kokkos::View<Integer*, Space> words_;
  std::size_t row_;
  int rows_;
  std::uint64_t streams_;
};

/// Copies the states of streams to the first segments of theirs.
template <class Integer>
struct CopyStates {
  StreamMemory<Integer> from;
  StreamMemory<Integer> to;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    for (int k = 0; k < to.rows(); ++k) {
      to(static_cast<std::size_t>(k), stream) = from(static_cast<std::size_t>(k), first + stream);
    }
  }
};

/// What the streams of a rank that have states in device memory have in common. Streams have local
/// indices 0 .. count-1. Copies share the memory.
template <class Integer>
class StreamsInMemory {
 public:
  using StateWord = Integer;
  /// Streams, or segments of them.
  KOKKOS_FUNCTION std::uint64_t count() const { return cut_.total(); }
  KOKKOS_FUNCTION StreamRange range() const { return range_; }
  /// Local index of the stream that number `index` is, or is a segment of.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream(std::uint64_t index) const {
    return cut_.stream(index);
  }

  /// Makes these the segments of streams, with states of their own, which are yet to be set.
  void become(const Segments& cut) {
    const bool has_own = cut_.count > 1 && cut_.total() == cut.total();
    if (!has_own) states_ = StreamMemory<Integer>(states_.label(), states_.rows(), cut.total());
    cut_ = cut;
  }
  /// Gives the first segments the states of their streams. Asynchronous.
  void copy_first(const Space& space, const StreamsInMemory& from) const {
    for_each_stream(space, "rivulet::copy_states", cut_.streams,
                    CopyStates<Integer>{from.states_, states_, cut_.first});
  }

  /// Word k of a stream's state; the padding up to whole tiles may be read and written.
  KOKKOS_FORCEINLINE_FUNCTION Integer& word(int k, std::uint64_t stream) const {
    return states_(static_cast<std::size_t>(k), stream);
  }

  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream, Integer value) const {
    word(k, stream) = value;
  }

  std::uint64_t state_bytes() const { return states_.bytes(); }
  std::vector<std::byte> save() const { return states_.save(); }
  void restore(std::span<const std::byte> saved) const { states_.restore(saved); }

 protected:
  StreamsInMemory(const std::string& label, int words, StreamRange range)
      : states_(label, words, range.count), range_(range), cut_{0, range.count, 1, 0} {}

 private:
  StreamMemory<Integer> states_;
  StreamRange range_;
  Segments cut_;
};

}  // namespace rivulet
