// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "draw/draw.hpp"
#include "draw/stream_source_of.hpp"

#if RIVULET_DEVICE_BUILD
#include "draw/by_thread.hpp"
#include "draw/by_warp.hpp"

namespace rivulet {

/// With the mapping of the work, or another that the streams have: periods are the same.
template <class G, class C>
void draw_on_device(StreamSource& source, const Work& work, const C& consumer,
                    StreamMapping mapping) {
  auto& own = static_cast<StreamSourceOf<G>&>(source);
  own.draw_with(work, C::shape, [&](const auto& streams, StreamMapping) {
    with_mapping<typename G::Streams>(mapping, [&](auto one) {
      using Streams = typename decltype(one)::Streams;
      if constexpr (one() == StreamMapping::lane) {
        draw_by_thread<Streams>(own.space(), streams, work, consumer);
      } else {
        draw_by_warp<Streams>(own.space(), streams, work, consumer,
                              source.options().streams_per_team);
      }
    });
  });
}

template <class G, class C>
void draw_on_device(StreamSource& source, const Work& work, const C& consumer) {
  draw_on_device<G>(source, work, consumer, source.mapping_of(work));
}

}  // namespace rivulet
#endif
