// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "draw/stream_source.hpp"
#if RIVULET_DEVICE_BUILD
#include "generators/with_generator.hpp"
#endif

namespace rivulet {

/// Draws a work's items and passes them to a consumer (consumer.hpp). `work` must have at most
/// Work::max_items items per stream. The call is blocking on a CPU and asynchronous on a GPU.
#if RIVULET_DEVICE_BUILD
/// draw_on_device.hpp defines this function, which is compiled with the generator G.
template <class G, class C>
void draw_on_device(StreamSource& source, const Work& work, const C& consumer);

template <class C>
void draw(StreamSource& source, const Work& work, const C& consumer) {
  with_generator(source.plan(), [&](auto type, const auto&) {
    draw_on_device<typename decltype(type)::type>(source, work, consumer);
  });
}
#else
template <class C>
void draw(StreamSource& source, const Work& work, const C& consumer) {
  source.draw(work, host_consumer(consumer));
}
#endif

}  // namespace rivulet
