// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>

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

ParsedWords::ParsedWords(WordTiles& tiles, std::uint64_t position, std::uint64_t replications,
                         int r, int s, int bits) {
  using Read = Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Copy =
      Kokkos::View<std::uint32_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const std::uint64_t length = std::uint64_t{1} << bits;
  const auto each = static_cast<std::uint64_t>(s);
  words_ = (length + each - 1) / each;
  copy_.resize(replications * words_);
  for (std::uint64_t done = 0; done < copy_.size(); done += tiles.most()) {
    const std::uint64_t some = std::min(tiles.most(), copy_.size() - done);
    const std::uint32_t* const read = tiles.read(position + done, some);
    Kokkos::deep_copy(tiles.space(), Copy(copy_.data() + done, some), Read(read, some));
    tiles.space().fence();
  }
  for (std::uint64_t k = 0; k < replications; ++k) {
    const std::uint32_t* const first = copy_.data() + k * words_;
    parses_.push_back(std::async([=] { return parsed_words(first, length, r, s); }));
  }
}

std::vector<TestCounts> ParsedWords::counts() {
  std::vector<TestCounts> all;
  for (std::future<std::uint64_t>& parse : parses_) all.push_back({{parse.get()}, words_});
  return all;
}

}  // namespace rivulet
