// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "error.hpp"
#include "host_parallel.hpp"
#include "kokkos_compat.hpp"

namespace rivulet {

/// States of streams in device memory: row k holds word k of every stream, padded to whole tiles.
/// Copies share the memory.
template <class Integer>
class StreamMemory {
 public:
  /// Zeros. (Kokkos 3.4 lets only the thread that started it make initialised views.)
  StreamMemory(const std::string& label, int words, std::uint64_t padded_streams)
      : words_(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
               static_cast<std::size_t>(words), padded_streams) {
    Kokkos::deep_copy(words_, Integer{0});
  }

  KOKKOS_FORCEINLINE_FUNCTION Integer& operator()(std::size_t k, std::uint64_t stream) const {
    return words_(k, stream);
  }
  std::uint64_t bytes() const { return words_.span() * sizeof(Integer); }

  /// A stream's words, on the host.
  std::vector<Integer> copy_of(std::uint64_t stream) const {
    const Kokkos::View<Integer*, Space> packed(
        Kokkos::view_alloc("rivulet::state", Kokkos::WithoutInitializing), words_.extent(0));
    Kokkos::deep_copy(packed, Kokkos::subview(words_, Kokkos::ALL, stream));
    const auto host = Kokkos::create_mirror_view(packed);
    Kokkos::deep_copy(host, packed);
    return {host.data(), host.data() + host.extent(0)};
  }

  /// Calls change(words, stream) for every stream, the padding included, with words(k, stream) on
  /// the host, and puts the words back.
  template <class Change>
  void change_on_host(const Change& change) const {
    const auto host = Kokkos::create_mirror_view(words_);
    Kokkos::deep_copy(host, words_);
    for_each_on_host("rivulet::change_states", host.extent(1),
                     [&](std::size_t stream) { change(host, stream); });
    Kokkos::deep_copy(words_, host);
  }

  /// All words, as they lie.
  std::vector<std::byte> save() const {
    const auto host = Kokkos::create_mirror_view(words_);
    Kokkos::deep_copy(host, words_);
    std::vector<std::byte> copy(bytes());
    std::memcpy(copy.data(), host.data(), copy.size());
    return copy;
  }
  /// The inverse. Throws Error if the number of bytes is another.
  void restore(std::span<const std::byte> saved) const {
    if (saved.size() != bytes()) {
      throw Error("saved streams do not fit",
                  std::to_string(saved.size()) + " B instead of " + std::to_string(bytes()) + " B",
                  "Restore into the same number of streams of the same generator and backend.");
    }
    const auto host = Kokkos::create_mirror_view(words_);
    std::memcpy(host.data(), saved.data(), saved.size());
    Kokkos::deep_copy(words_, host);
  }

 private:
  Kokkos::View<Integer**, Kokkos::LayoutRight, Space> words_;
};

}  // namespace rivulet
