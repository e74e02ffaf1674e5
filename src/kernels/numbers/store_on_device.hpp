// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if RIVULET_DEVICE_BUILD

#include <cstdint>

#include "draw/draw_on_device.hpp"
#include "kernels/numbers/number_writer.hpp"
#include "kernels/numbers/store_format.hpp"
#include "kernels/numbers/store_numbers.hpp"
#include "kernels/numbers/store_rows_on_device.hpp"

// Kernels that store a generator's numbers on a GPU. Each integer type has one kernel. Each
// floating-point type has three kernels: for the default interval, for the other intervals, and for
// nonuniform distributions (Law).

namespace rivulet {
namespace detail {

template <int bits, class Use>
void with_device_format(const NumberRequest& request, const Use& use) {
  constexpr Interval usual = Interval::closed_open;
  with_number_type(request.type, [&](auto zero) {
    using Number = decltype(zero);
    if constexpr (std::is_floating_point_v<Number>) {
      if (!request.law.is_uniform()) return use(LawFormat<bits, Number>(request.law));
      if (request.interval != usual) return use(AnyIntervalFormat<bits, Number>(request.interval));
    }
    return use(NumberFormat<bits, Number, usual>{});
  });
}

/// Returns the mapping for drawing the numbers. If each stream's numbers are contiguous and many,
/// the team mapping is used even if the lane mapping was requested, because a warp fills complete
/// cache lines and a thread does not.
template <class Streams>
StreamMapping mapping_of(const NumberStore& args) {
  constexpr std::uint64_t worth_a_warp = 256;  // numbers per stream
  const NumberLayout& layout = args.places.layout;
  const bool apart = layout.stream_stride > 1 || args.places.segment_stride > 1;
  const bool by_warp = StreamsByTeam<Streams> && layout.number_stride == 1 && apart &&
                       args.work.end_item - args.work.first_item >= worth_a_warp;
  return by_warp ? StreamMapping::team : args.source.mapping_of(args.work);
}

}  // namespace detail

template <class G>
void store_numbers_of(const NumberStore& args) {
  using Streams = typename G::Streams;
  detail::with_device_format<Streams::bits>(args.request, [&](const auto& format) {
    using Consumer = StoreFormat<std::decay_t<decltype(format)>>;
    const Consumer consumer(format, args.places, static_cast<typename Consumer::Out*>(args.to));
    const StreamMapping mapping = detail::mapping_of<Streams>(args);
    if constexpr (rows_fit<Streams, Consumer>) {
      if (mapping == StreamMapping::team && args.places.layout.number_stride > 1) {
        return store_rows_on_device<G>(args, consumer);
      }
    }
    draw_on_device<G>(args.source, args.work, consumer, mapping);
  });
}

}  // namespace rivulet

#endif
