// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/counting/histogram.hpp"

// The kernels in this file must not be inline functions of the header. nvcc compiles an inline
// function's lambda anew in each source file, but the linker keeps only one copy. Calls from the
// other files then crash.

namespace rivulet::detail {

std::uint64_t Histogram::squares(const Space& space, std::uint64_t each) const {
  join(space);
  const Copies copies = copies_;
  return sum_over(
      space, cells() / each, "rivulet::battery_squares",
      KOKKOS_LAMBDA(const std::uint64_t group, std::uint64_t& all) {
        std::uint64_t count = 0;
        for (std::uint64_t i = 0; i < each; ++i) count += copies(0, group * each + i);
        all += count * count;
      });
}

std::vector<std::uint64_t> Histogram::sums(const Space& space) const {
  join(space);
  return on_host(space, Kokkos::subview(copies_, 0, Kokkos::ALL));
}

void Histogram::join(const Space& space) const {
  const Copies copies = copies_;
  for_each(
      space, cells(), "rivulet::battery_sum_copies", KOKKOS_LAMBDA(const std::uint64_t cell) {
        for (std::uint64_t copy = 1; copy < copies.extent(0); ++copy) {
          copies(0, cell) += copies(copy, cell);
          copies(copy, cell) = 0;
        }
      });
}

}  // namespace rivulet::detail
