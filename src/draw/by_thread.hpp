// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "generators/generator_type.hpp"
#include "launching/for_each_stream.hpp"
#include "rng/word.hpp"

// The lane mapping on a GPU: a thread draws one stream. If the consumer writes rows and the
// registers can hold the states, a thread draws as many streams as fill 16 bytes of a row.

namespace rivulet {

/// A consumer that can write the items of several streams as adjacent elements of a row.
template <class C>
concept WritesRows = requires {
  C::item_bytes;
  typename C::RowLocal;
};

template <class Streams, class C>
constexpr int streams_of_thread() {
  if constexpr (WritesRows<C>) {
    return std::min(Streams::max_streams_per_thread, 16 / C::item_bytes);
  } else {
    return 1;
  }
}

/// The word types and launch bounds of a thread with `width` streams.
template <class Streams, int width>
struct ThreadStreams {
  using Group = detail::Vec<std::uint32_t, width>;
  using Number = Group;
  using Bounds = typename Streams::MultiStreamBounds;
};
template <class Streams>
struct ThreadStreams<Streams, 1> {
  using Group = Word;
  using Number = typename Streams::Integer;
  using Bounds = typename Streams::Bounds;
};

/// Passes each item to the consumer as soon as its numbers are drawn. A round's words are not
/// collected first, because other warps hide the latency and a long state leaves no registers for
/// words. Stores the states at the last period boundary within the work.
template <class Streams, class C>
struct DrawByThread {
  static constexpr int width = streams_of_thread<Streams, C>();
  using Thread = ThreadStreams<Streams, width>;
  using Engine = typename Streams::template EngineOf<typename Thread::Group>;
  using Bounds = typename Thread::Bounds;
  using Integer = typename C::Integer;
  /// A vector with one number per stream of the thread.
  using Wide = std::conditional_t<width == 1, Integer, typename Thread::Number>;
  static constexpr int numbers = C::shape.numbers;
  static constexpr int round_numbers =
      C::shape.is_raw ? int{Streams::round_numbers} : int{Streams::round_words};
  static constexpr ItemPeriod period = ItemPeriod::of(C::shape, round_numbers, 1);

  Streams streams;
  Work work;
  C consumer;
  bool by_rows;  ///< true if a thread passes the items of its streams as rows

  DrawByThread(const Streams& all_streams, const Work& all_work, const C& item_consumer)
      : streams(all_streams), work(all_work), consumer(item_consumer), by_rows(true) {
    if constexpr (width > 1) by_rows = item_consumer.takes_rows(width);
  }

  std::uint64_t threads() const { return (work.size + width - 1) / width; }

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    draw_streams(thread * width, consumer.begin(thread * width));
  }

  /// Draws the streams of a thread. `first` is the index of the first stream, `local` its Local.
  template <class Local>
  KOKKOS_FORCEINLINE_FUNCTION void draw_streams(std::uint64_t first, Local local) const {
    Engine engine = streams.template load<typename Thread::Group>(work.first + first);
    const std::uint64_t count = work.count(first);
    int skip = static_cast<int>(work.start(first) % period.items);
    std::uint64_t remaining = count > 0 ? count + static_cast<std::uint64_t>(skip) : 0;
    const bool has_rows = by_rows && first + width <= work.size;
    std::uint64_t done = 0;
    for (bool more = true; more;) {
      if (has_rows && skip == 0)
        draw_periods(engine, local, remaining, done, item_deficit(first, width - 1));
      more = remaining >= period.items;
      if (!more) streams.store(work.first + first, engine);
      if (remaining > 0) draw_part(engine, local, first, done, skip, remaining);
      done += period.items - static_cast<std::uint64_t>(skip);
      remaining -= more ? period.items : 0;
      skip = 0;
    }
    consumer.end(local, first);
  }

  /// Draws a period and passes each item to use(index, numbers).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(Engine& engine, const Use& use) {
    constexpr auto rounds = static_cast<int>(period.rounds);
    if constexpr (rounds <= 2 || rounds * round_numbers <= max_unrolled) {
      Wide item[numbers];
      draw_rounds(engine, item, use, std::make_integer_sequence<int, rounds>{});
    } else {
      draw_by_memory(engine, use);
    }
  }

 private:
  /// A period of at most this many numbers is unrolled, which keeps an item's numbers in registers.
  /// Unrolling longer periods would dominate the compile time of a generator's kernels.
  static constexpr int max_unrolled = 160;

  /// Returns how many more items the thread's first stream has than its stream `other`.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t item_deficit(std::uint64_t first, int other) const {
    if constexpr (width == 1) return 0;
    return work.count(first) - work.count(first + static_cast<std::uint64_t>(other));
  }

  /// Draws the periods that are complete for all streams of the thread. `deficit` is the first
  /// stream's number of items minus the last stream's.
  template <class Local>
  KOKKOS_FORCEINLINE_FUNCTION void draw_periods(Engine& engine, Local& local,
                                                std::uint64_t& remaining, std::uint64_t& done,
                                                std::uint64_t deficit) const {
    if constexpr (WritesRows<C>) {
      auto row = consumer.rows_from(local, done);
      for (; remaining >= period.items + deficit; remaining -= period.items, done += period.items) {
        draw(engine, [this, &row](int, const Wide(&item)[numbers])
                         RIVULET_INLINE_LAMBDA { consumer.row(row, item); });
      }
    } else {
      for (; remaining >= period.items; remaining -= period.items, done += period.items) {
        draw(engine,
             [this, &local, &done](int k, const Wide(&item)[numbers]) RIVULET_INLINE_LAMBDA {
               consumer.item(local, done + static_cast<std::uint64_t>(k), item);
             });
      }
    }
  }

  /// Draws a period. Passes the consumer each stream's items from index `skip` on, up to the
  /// stream's last item. Item `skip` of the period is item `done` of the stream's work. Recomputes
  /// the other streams' counts and Locals, because keeping them would take too many registers.
  template <class Local>
  KOKKOS_FORCEINLINE_FUNCTION void draw_part(Engine& engine, Local& local, std::uint64_t first,
                                             std::uint64_t done, int skip,
                                             std::uint64_t remaining) const {
    int item_end[width];
    Local locals[width];
    for (int l = 0; l < width; ++l) {
      const std::uint64_t index = first + static_cast<std::uint64_t>(l);
      const std::uint64_t deficit = l > 0 && index < work.size ? item_deficit(first, l) : 0;
      const std::uint64_t stream_items = remaining > deficit ? remaining - deficit : 0;
      item_end[l] =
          index >= work.size
              ? 0
              : static_cast<int>(stream_items < period.items ? stream_items : period.items);
      locals[l] = local;
      if constexpr (width > 1) {
        if (l > 0) locals[l] = consumer.begin(index);
      }
    }
    draw(engine, [&, done, skip](int k, const Wide(&item)[numbers]) RIVULET_INLINE_LAMBDA {
      for (int l = 0; l < width; ++l) {
        if (k < skip || k >= item_end[l]) continue;
        Integer numbers_of_lane[numbers];
        for (int n = 0; n < numbers; ++n) numbers_of_lane[n] = WordTraits<Wide>::lane(item[n], l);
        consumer.item(locals[l], done + static_cast<std::uint64_t>(k - skip), numbers_of_lane);
      }
    });
    local = locals[0];
  }

  template <class Use, int... round>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_rounds(Engine& engine, Wide (&item)[numbers],
                                                      const Use& use,
                                                      std::integer_sequence<int, round...>) {
    (draw_round<round>(engine, item, use), ...);
  }
  template <int round, class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round(Engine& engine, Wide (&item)[numbers],
                                                     const Use& use) {
    draw_numbers(engine, [&item, &use](int k, const Wide& number) RIVULET_INLINE_LAMBDA {
      const int index = round * round_numbers + k;
      item[index % numbers] = number;
      if ((index + 1) % numbers == 0) use(index / numbers, item);
    });
  }

  /// Draws a period through local memory. Each round is stored after the remaining numbers of the
  /// previous round. (On an H200, 2026-11-29, a loop over rounds that assembled items in registers
  /// took 4 to 5 times as long for ranmar48's items of 3 and 6 words.)
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_by_memory(Engine& engine, const Use& use) {
    Wide drawn[round_numbers + numbers - 1];
    int buffered = 0;
    for (int k = 0; k < static_cast<int>(period.items);) {
      draw_numbers(engine, [&drawn, buffered](int i, const Wide& number)
                               RIVULET_INLINE_LAMBDA { drawn[buffered + i] = number; });
      buffered += round_numbers;
      int from = 0;
      for (; from + numbers <= buffered; from += numbers) {
        Wide item[numbers];
        for (int n = 0; n < numbers; ++n) item[n] = drawn[from + n];
        use(k++, item);
      }
      buffered -= from;
      for (int n = 0; n < buffered; ++n) drawn[n] = drawn[from + n];
    }
  }

  /// Draws a round and passes each number to use(index, number).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_numbers(Engine& engine, const Use& use) {
    if constexpr (C::shape.is_raw) {
      engine.draw_each(use);
    } else {
      engine.draw_words(use);
    }
  }
};

template <class Streams, class C>
void draw_by_thread(const Space& space, const Streams& streams, const Work& work,
                    const C& consumer) {
  const DrawByThread<Streams, C> body(streams, work, consumer);
  for_each_stream_lane(space, C::label, body.threads(), body);
}

}  // namespace rivulet
