// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "battery/counting/counting.hpp"
#include "battery/counting/histogram.hpp"

// Products of the weights of words that are some words apart: those of two and of three words (D.
// Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
// Mathematical Software 47 (2021) 36, section 6, look for such dependencies).

namespace rivulet {
namespace {

using detail::LaneRange;

constexpr std::uint64_t pairs = most_lag * (most_lag - 1) / 2;
constexpr std::uint64_t sums = most_lag + pairs;
/// Words of a sum that a lane adds up.
constexpr std::uint64_t words_of_lane = 4096;

/// The ones of each word less 16.
struct Weights {
  const std::uint32_t* words;
  signed char* heights;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    heights[i] = static_cast<signed char>(detail::ones_of(words[i]) - 16);
  }
};

/// A part of a sum: lanes that follow each other have the lags that follow each other.
struct ProductSums {
  const signed char* heights;  ///< from the first word on, most_lag after those before it
  std::uint64_t words;
  Kokkos::View<std::uint64_t*, Space> found;

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    const std::uint64_t which = lane % sums;
    const std::uint64_t from = lane / sums * words_of_lane;
    const std::uint64_t end = from + words_of_lane < words ? from + words_of_lane : words;
    int a = static_cast<int>(which) + 1;
    int b = 0;
    if (which >= most_lag) {
      // Pairs (1, 2), (1, 3), (2, 3), (1, 4), ...
      a = static_cast<int>(which) - most_lag;
      for (b = 2; a >= b - 1; ++b) a -= b - 1;
      ++a;
    }
    const signed char* const own = heights + most_lag;
    int sum = 0;  // each is at most 16^3
    for (std::uint64_t i = from; i < end; ++i) {
      const int product = own[i] * own[static_cast<std::int64_t>(i) - a];
      sum += b == 0 ? product : product * own[static_cast<std::int64_t>(i) - b];
    }
    Kokkos::atomic_add(&found(which), static_cast<std::uint64_t>(std::int64_t{sum}));
  }
};

}  // namespace

TestCounts count_weight_products(const Sample& of) {
  const Space& space = of.space();
  const Kokkos::View<std::uint64_t*, Space> found("rivulet::battery_sums", sums);
  const std::uint64_t at_once = of.tiles.most() - most_lag;
  const Kokkos::View<signed char*, Space> heights("rivulet::battery_weights",
                                                  std::min(at_once + most_lag, of.n));
  for (std::uint64_t done = most_lag; done < of.n; done += at_once) {
    const std::uint64_t some = std::min(at_once, of.n - done);
    const std::uint32_t* const read = of.read(done - most_lag, some + most_lag);
    Kokkos::parallel_for("rivulet::battery_weights", LaneRange(space, 0, some + most_lag),
                         Weights{read, heights.data()});
    const std::uint64_t lanes = (some + words_of_lane - 1) / words_of_lane * sums;
    Kokkos::parallel_for("rivulet::battery_products", LaneRange(space, 0, lanes),
                         ProductSums{heights.data(), some, found});
  }
  space.fence();
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return {{on_host.data(), on_host.data() + sums}, of.n};
}

}  // namespace rivulet
