// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_histogram.hpp"

#include <algorithm>

#include "launching/host_launch.hpp"
#include "machine/views.hpp"

namespace rivulet {
namespace {

struct Sum {
  CountView counts;
  CountView total;
  std::uint64_t copies;
  std::uint64_t cells;
  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    std::uint64_t sum = 0;
    for (std::uint64_t c = 0; c < copies; ++c) sum += counts(c * cells + cell);
    total(cell) = sum;
  }
};

}  // namespace

AliasHistogram::AliasHistogram(const Space& space, std::uint64_t cells) : cells_(cells) {
  constexpr std::uint64_t bytes_per_thread = std::uint64_t{256} << 10;
  constexpr std::uint64_t bytes_per_device = std::uint64_t{64} << 20;
  const auto threads = static_cast<std::uint64_t>(space.concurrency());
  const std::uint64_t bytes = std::max<std::uint64_t>(cells, 1) * sizeof(std::uint64_t);
  if (device_build) {
    copies_ = std::clamp<std::uint64_t>(bytes_per_device / bytes, 1, 1024);
  } else if (threads > 1 && bytes <= bytes_per_thread) {
    copies_ = threads;
  }
  shared_ = device_build || (threads > 1 && copies_ == 1);
  ways_per_copy_ = ways * bytes <= bytes_per_thread ? ways : 1;
  counts_ = large_view<CountView>("rivulet::counts",
                                  cells * copies_ * static_cast<std::uint64_t>(ways_per_copy_));
  clear(space);
}

void AliasHistogram::clear(const Space& space) const {
  Kokkos::deep_copy(space, counts_, std::uint64_t{0});
}

CountView AliasHistogram::sum(const Space& space) const {
  const CountView total("rivulet::histogram", cells_);
  Kokkos::parallel_for(
      "rivulet::histogram", IndexRange(space, 0, cells_),
      Sum{counts_, total, copies_ * static_cast<std::uint64_t>(ways_per_copy_), cells_});
  space.fence();
  return total;
}

}  // namespace rivulet
