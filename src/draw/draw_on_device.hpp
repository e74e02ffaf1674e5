// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "draw/draw.hpp"
#include "draw/stream_source_of.hpp"

#if RIVULET_DEVICE_BUILD
#include "draw/by_thread.hpp"
#include "draw/by_warp.hpp"

namespace rivulet {

template <class G, class C>
void draw_on_device(StreamSource& source, const Work& work, const C& consumer) {
  auto& own = static_cast<StreamSourceOf<G>&>(source);
  own.draw_with(work, C::shape, [&](const auto& streams, StreamMapping one) {
    with_mapping<typename G::Streams>(one, [&](auto mapping) {
      using Streams = typename decltype(mapping)::Streams;
      if constexpr (mapping() == StreamMapping::lane) {
        draw_by_thread<Streams>(own.space(), streams, work, consumer);
      } else {
        draw_by_warp<Streams>(own.space(), streams, work, consumer, source.options());
      }
    });
  });
}

}  // namespace rivulet
#endif
