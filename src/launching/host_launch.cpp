// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launching/host_launch.hpp"

#include "machine/default_arithmetic.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/detail/this_thread.hpp"

namespace rivulet::detail {

#if !RIVULET_DEVICE_BUILD

void launch_on_host(const Space& space, const std::string& label, std::uint64_t end,
                    std::uint64_t step, const HostBody& body) {
  if (ThisThreadOnly::active()) {
    for (std::uint64_t i = 0; i < end; i += step) body.call(body.body, i);
    return;
  }
  Kokkos::parallel_for(
      label, IndexRange(space, 0, ceil_divide(end, step)), [body, step](std::uint64_t i) {
        const DefaultArithmetic default_arithmetic;  // the calling program may own the thread
        body.call(body.body, i * step);
      });
  space.fence();
}

#endif

}  // namespace rivulet::detail
