// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <future>
#include <thread>

#include "kernels/battery/counting.hpp"
#include "kernels/battery/histogram.hpp"

namespace rivulet {
namespace {

/// The words of Lempel and Ziv's parse of so many bits, s of each word: the shortest ones that have
/// not come before. An unfinished last one counts if a word begins with it.
std::uint64_t parsed_words(const std::uint32_t* word, std::uint64_t bits, int r, int s) {
  // Of each word that has come, the two that are a bit longer; 0 is none, and the empty one.
  std::vector<std::array<std::uint32_t, 2>> longer{{0, 0}};
  std::uint32_t at = 0;
  std::uint64_t words = 0;
  for (std::uint64_t i = 0; i < bits;) {
    const std::uint32_t some = detail::strip_bits(*word++, r, s);
    for (int e = s - 1; e >= 0 && i < bits; --e, ++i) {
      std::uint32_t& next = longer[at][some >> e & 1];
      at = next;
      if (at != 0) continue;
      ++words;
      next = static_cast<std::uint32_t>(longer.size());
      longer.push_back({0, 0});
    }
  }
  return words + (at != 0 && longer[at] != std::array<std::uint32_t, 2>{0, 0} ? 1 : 0);
}

}  // namespace

std::vector<TestCounts> count_parsed_words(WordTiles& tiles, std::uint64_t position,
                                           std::uint64_t replications, int r, int s, int bits) {
  using Read = Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Copy =
      Kokkos::View<std::uint32_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::uint64_t length = std::uint64_t{1} << bits;
  const auto each = static_cast<std::uint64_t>(s);
  const std::uint64_t words = (length + each - 1) / each;
  // A parse is sequential, so several run side by side, on all cores of the host.
  const std::uint64_t threads =
      std::min<std::uint64_t>(replications, std::max(std::thread::hardware_concurrency(), 1U));
  std::vector<TestCounts> found(replications);
  std::vector<std::uint32_t> copies(threads * words);
  for (std::uint64_t first = 0; first < replications; first += threads) {
    const std::uint64_t count = std::min(threads, replications - first);
    for (std::uint64_t done = 0; done < count * words; done += tiles.most()) {
      const std::uint64_t some = std::min(tiles.most(), count * words - done);
      const std::uint32_t* const read = tiles.read(position + first * words + done, some);
      Kokkos::deep_copy(tiles.space(), Copy(copies.data() + done, some), Read(read, some));
      tiles.space().fence();
    }
    std::vector<std::future<std::uint64_t>> parses;
    for (std::uint64_t k = 0; k < count; ++k) {
      parses.push_back(
          std::async([&, k] { return parsed_words(copies.data() + k * words, length, r, s); }));
    }
    for (std::uint64_t k = 0; k < count; ++k) found[first + k] = {{parses[k].get()}, words};
  }
  return found;
}

}  // namespace rivulet
