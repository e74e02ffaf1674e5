// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "kernels/battery/counting.hpp"
#include "kernels/battery/histogram.hpp"
#include "rivulet/detail/algebra/berlekamp_massey.hpp"

namespace rivulet {

TestCounts count_complexity_jumps(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                                  int s, std::uint64_t largest) {
  using Read = Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const auto each = static_cast<std::uint64_t>(s);
  const std::uint64_t words = n / each;
  detail::Gf2Words bits(words * each / 64 + 1, 0);
  for (std::uint64_t done = 0; done < words; done += tiles.most()) {
    const std::uint64_t some = std::min(tiles.most(), words - done);
    const auto on_host = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Read(tiles.read(position + done, some), some));
    for (std::uint64_t i = 0; i < some * each; ++i) {
      const std::uint32_t bit = on_host(i / each) << r << i % each >> 31;
      const std::uint64_t to = done * each + i;
      bits[to / 64] |= std::uint64_t{bit} << to % 64;
    }
  }
  TestCounts found{std::vector<std::uint64_t>(largest + 1), words};
  const detail::BerlekampMassey profile(bits, words * each, [&](std::uint64_t size) {
    ++found.counts[0];
    ++found.counts[std::min(size, largest)];
  });
  return found;
}

}  // namespace rivulet
