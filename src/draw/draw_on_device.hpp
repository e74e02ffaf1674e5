// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "draw/draw.hpp"
#include "draw/stream_source_of.hpp"

#if RIVULET_DEVICE_BUILD
#include <stdexcept>

#include "draw/by_shared_team.hpp"
#include "draw/by_thread.hpp"
#include "draw/by_warp.hpp"

namespace rivulet {
namespace detail {

template <class Streams, class C>
void draw_lanes(const Space& space, const Streams& streams, const Work& work, const C& consumer) {
  if constexpr (SharesScratch<C>) {
    draw_by_threads(space, streams, work, consumer);
  } else if constexpr (!TeamConsumer<C>) {
    draw_by_thread(space, streams, work, consumer);
  } else if constexpr (can_draw_for_team<Streams, C>) {
    draw_for_team(space, streams, work, consumer);
  } else {
    throw std::logic_error("the periods of these streams are too long to be taken together");
  }
}

template <class Streams, class C>
void draw_warps(const Space& space, const Streams& streams, const Work& work, const C& consumer,
                int per_team) {
  if constexpr (SharesScratch<C>) {
    draw_by_warps(space, streams, work, consumer);
  } else if constexpr (!TeamConsumer<C>) {
    draw_by_warp(space, streams, work, consumer, per_team);
  } else {
    throw std::logic_error("warps take no items together");
  }
}

}  // namespace detail

/// Draws with the given mapping, which may differ from the work's: periods are the same in all
/// mappings.
template <class G, class C>
void draw_on_device(StreamSource& source, const Work& work, const C& consumer,
                    StreamMapping mapping) {
  auto& typed_source = static_cast<StreamSourceOf<G>&>(source);
  typed_source.draw_with(work, C::shape, [&](const auto& streams, StreamMapping) {
    with_mapping<typename G::Streams>(mapping, [&](auto constant_mapping) {
      using Streams = typename decltype(constant_mapping)::Streams;
      if constexpr (constant_mapping() == StreamMapping::lane) {
        detail::draw_lanes<Streams>(typed_source.space(), streams, work, consumer);
      } else {
        detail::draw_warps<Streams>(typed_source.space(), streams, work, consumer,
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
