// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "generators/generator_type.hpp"
#include "host_copy.hpp"
#if RIVULET_DEVICE_BUILD
#include "draw/by_thread.hpp"
#include "draw/by_warp.hpp"
#include "kernels/numbers/store_format.hpp"
#else
#include "draw/by_lane.hpp"
#include "draw/by_team.hpp"
#include "kernels/numbers/number_stores.hpp"
#endif

namespace rivulet {

template <class Out>
constexpr NumberType number_type() {
  if (std::is_same_v<Out, std::uint32_t>) return NumberType::uint32;
  if (std::is_same_v<Out, std::uint64_t>) return NumberType::uint64;
  return std::is_same_v<Out, float> ? NumberType::float32 : NumberType::float64;
}

/// Draws `work` from these streams of a 32-bit generator. The numbers of a stream are contiguous.
template <class Out, class S>
void draw_work(const S& streams, StreamMapping mapping, const Work& work, std::uint64_t count,
               Out* to) {
  const NumberPlaces places{{count, 1}};
#if RIVULET_DEVICE_BUILD
  const StoreFormat consumer(NumberFormat<32, Out, Interval::closed_open>{}, places, to);
#else
  using Store = StoreNumbers<std::uint32_t>;
  const auto writer = detail::number_writer<32>(number_type<Out>(), Interval::closed_open);
  const Store store(writer, work, places, to, Store::Mode::columns, false);
  const auto consumer = store.host();
#endif
  with_mapping<S>(mapping, [&](auto one) {
    using Own = typename decltype(one)::Streams;
    if constexpr (one() == StreamMapping::team) {
#if RIVULET_DEVICE_BUILD
      draw_by_warp<Own>(Space(), streams, work, consumer, 2);
#else
      draw_by_team<std::uint32_t>(Space(), streams, work, consumer);
#endif
    } else {
#if RIVULET_DEVICE_BUILD
      draw_by_thread<Own>(Space(), streams, work, consumer);
#else
      draw_by_lane<NativeNumbers<Own>>(Space(), streams, work, consumer);
#endif
    }
  });
}

/// Draws `count` numbers of each stream from number `begin` on. Returns a row per stream. The first
/// row begins `offset` numbers after the start of the allocation.
template <class Out, class S>
std::vector<std::vector<Out>> draw(const S& streams, StreamMapping mapping, std::uint64_t begin,
                                   std::uint64_t count, std::uint64_t offset = 0) {
  const Kokkos::View<Out*, Space> to("rivulet::test", streams.count() * count + offset);
  const std::uint64_t end = begin + count;
  const ItemRange range{StreamShare::each(end), begin, end, {0, streams.count()}};
  draw_work(streams, mapping, Work::uncut(range, 0), count, to.data() + offset);
  const auto host = host_copy(to);
  std::vector<std::vector<Out>> rows;
  for (std::uint64_t s = 0; s < streams.count(); ++s) {
    rows.emplace_back(host.data() + offset + s * count, host.data() + offset + (s + 1) * count);
  }
  return rows;
}

}  // namespace rivulet
