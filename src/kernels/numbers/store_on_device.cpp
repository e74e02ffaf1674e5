// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/store_numbers.hpp"

#if RIVULET_DEVICE_BUILD

#include <limits>

#include "generators/with_generator.hpp"
#include "kernels/numbers/store_rows_on_device.hpp"

namespace rivulet {

template <class G>
void store_numbers_of(const NumberStore& all);

void store_numbers(const NumberStore& all) {
  with_generator(all.source.plan(), [&](auto type, const auto&) {
    store_numbers_of<typename decltype(type)::type>(all);
  });
}

std::uint64_t most_side_by_side(const Space& space, const StreamPlan& plan) {
  return with_generator(plan, [&](auto type, const auto&) {
    using Streams = typename decltype(type)::type::Streams;
    using Consumer = StoreFormat<NumberFormat<Streams::bits, std::uint32_t, Interval::closed_open>>;
    if constexpr (rows_fit<Streams, Consumer>) {
      return StoreRowsByTeam<Streams, Consumer>::at_once(space);
    }
    return std::numeric_limits<std::uint64_t>::max();
  });
}

}  // namespace rivulet

#endif
