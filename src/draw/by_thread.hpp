// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/generators/generator_type.hpp"
#include "kernels/launching/for_each_stream.hpp"

// The lane mapping on a GPU: a stream to each thread.

namespace rivulet {

/// Draws the items of a stream and hands each to the consumer as soon as its numbers are drawn:
/// other warps fill the waits, and all words of a long state's round would not fit in registers
/// beside it. The stream is stored at the last period within the work.
template <class Streams, class C>
struct DrawByThread {
  using Engine = typename Streams::Engine;
  using Integer = typename C::Integer;
  using Bounds = typename Streams::Bounds;
  static constexpr int numbers = C::shape.numbers;
  static constexpr int round_numbers =
      C::shape.is_raw ? int{Streams::round_numbers} : int{Streams::round_words};
  static constexpr ItemPeriod period = ItemPeriod::of(C::shape, round_numbers, 1);

  Streams streams;
  Work work;
  C consumer;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    Engine engine = streams.load(work.first + i);
    auto local = consumer.begin(i);
    std::uint64_t left = work.count(i);
    std::uint64_t skip = work.start(i) % period.items;
    if (left > 0) left += skip;
    if (skip > 0 && left >= period.items) {
      draw_part(engine, local, static_cast<int>(skip), static_cast<int>(period.items));
      left -= period.items;
      skip = 0;
    }
    for (; left >= period.items; left -= period.items) {
      draw(engine, [this, &local](int, const Integer(&item)[numbers])
                       RIVULET_INLINE_LAMBDA { consumer.item(local, item); });
    }
    streams.store(work.first + i, engine);
    if (left > 0) draw_part(engine, local, static_cast<int>(skip), static_cast<int>(left));
    consumer.end(local, i);
  }

 private:
  /// Items from .. upto - 1 of a period.
  template <class Local>
  KOKKOS_FORCEINLINE_FUNCTION void draw_part(Engine& engine, Local& local, int from,
                                             int upto) const {
    draw(engine,
         [this, &local, from, upto](int k, const Integer(&item)[numbers]) RIVULET_INLINE_LAMBDA {
           if (k >= from && k < upto) consumer.item(local, item);
         });
  }

  /// A period's items, each to use(index, its numbers).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(Engine& engine, const Use& use) {
    Integer item[numbers];
    draw_rounds(engine, item, use,
                std::make_integer_sequence<int, static_cast<int>(period.rounds)>{});
  }
  template <class Use, int... round>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_rounds(Engine& engine, Integer (&item)[numbers],
                                                      const Use& use,
                                                      std::integer_sequence<int, round...>) {
    (draw_round<round>(engine, item, use), ...);
  }
  template <int round, class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round(Engine& engine, Integer (&item)[numbers],
                                                     const Use& use) {
    const auto take = [&item, &use](int k, Integer number) RIVULET_INLINE_LAMBDA {
      const int index = round * round_numbers + k;
      item[index % numbers] = number;
      if ((index + 1) % numbers == 0) use(index / numbers, item);
    };
    if constexpr (C::shape.is_raw) {
      engine.draw_each(take);
    } else {
      engine.draw_words(take);
    }
  }
};

template <class Streams, class C>
void draw_by_thread(const Space& space, const Streams& streams, const Work& work,
                    const C& consumer) {
  for_each_stream_lane(space, C::label, work.size,
                       DrawByThread<Streams, C>{streams, work, consumer});
}

}  // namespace rivulet
