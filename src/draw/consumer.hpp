// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "kokkos_compat.hpp"
#include "machine/streaming_store.hpp"
#include "rng/word.hpp"

// A consumer is a job's code that takes random numbers. An item takes `shape.numbers` consecutive
// numbers of a stream.
//
// Every consumer has
// - label: the name of its kernels; Integer: the type of the numbers;
// - shape: the numbers of an item, a constant for GPUs.
//
// On a CPU, a driver calls a consumer by pointer for about 256 numbers of each lane at a time. A
// consumer is thus compiled once for all generators:
// - by_lanes(draw): takes the items of lanes<Word> streams side by side;
// - by_stream(draw): takes the items of one stream.
//
// On a GPU, a consumer is a template parameter of the kernel, and its calls are inlined:
// - Local: the data of a thread;
// - begin(i): returns the Local of index i of the work;
// - item(local, k, numbers): takes item k of the index, counted from Work::from;
// - end(local, i): called last. A warp's lanes share an index, so end() must add up the results of
//   several threads.
//
// Consumers that share a team's scratch memory have more functions (by_shared_team.hpp).

namespace rivulet {

/// Most numbers of an item: three words of each level of an alias table with four levels.
inline constexpr int most_item_numbers = 12;

/// The numbers of an item.
struct ItemShape {
  int numbers = 1;  ///< consecutive numbers of a stream
  /// True for a generator's own numbers, false for 32-bit words made from these.
  bool is_raw = false;
};

/// The least number of items that takes whole rounds. Streams can rest in memory between periods
/// only.
struct ItemPeriod {
  std::uint64_t items = 1;
  std::uint64_t rounds = 1;

  /// The period of items of `shape`, if a draw of `rounds` rounds gives `numbers` numbers.
  static constexpr ItemPeriod of(ItemShape shape, int numbers, int rounds) {
    const int common = std::gcd(numbers, shape.numbers);
    return {static_cast<std::uint64_t>(numbers / common),
            static_cast<std::uint64_t>(shape.numbers / common * rounds)};
  }
};

/// The place of a work's items in a stream, counted in draws from the last resting place before the
/// items.
struct ItemSpan {
  std::uint64_t skip = 0;     ///< items between the resting place and the work
  std::uint64_t resting = 0;  ///< draws up to the last resting place within the work, or 0
  std::uint64_t end = 0;      ///< draws up to the work's end

  /// `count` items of `numbers` numbers from item `start` on, in draws of `drawn` numbers.
  ItemSpan(std::uint64_t start, std::uint64_t count, int numbers, int drawn) {
    if (count == 0) return;
    const ItemPeriod period = ItemPeriod::of({numbers}, drawn, 1);
    skip = start % period.items;
    const std::uint64_t items = skip + count;
    resting = items / period.items * period.rounds;
    const std::uint64_t rest = items % period.items * static_cast<std::uint64_t>(numbers);
    const auto draw = static_cast<std::uint64_t>(drawn);
    end = resting + (rest + draw - 1) / draw;
  }
};

/// A piece of the numbers of some streams, side by side.
template <class Integer>
struct DrawnItems {
  /// Number n of item i of lane l of group g is
  /// numbers[g * apart + (i * shape.numbers + n) * lanes + l].
  const Integer* numbers = nullptr;
  int apart = 0;
  int items = 0;  ///< items of each lane
  /// Items that belong to each lane, group after group: `items` or fewer.
  const int* left = nullptr;
  bool is_full = false;  ///< true if every lane is a stream that has all items
};

/// Destination of rows, which bypass the caches. A row has a number of each lane: a word, or a
/// float 0 <= x < 1.
struct StreamedRows {
  std::byte* to;         ///< aligned to the lanes' part of a row
  std::uint64_t stride;  ///< between rows, in numbers
  bool as_floats;
};

/// Source of items for a consumer: of groups of lanes<Word> streams, or of one stream.
template <class Integer>
class HostDraw {
 public:
  HostDraw(std::uint64_t first_index, int live_lanes) : first(first_index), live(live_lanes) {}
  HostDraw(const HostDraw&) = delete;
  HostDraw& operator=(const HostDraw&) = delete;

  /// Draws the next items. Returns false after the last ones.
  virtual bool next(DrawnItems<Integer>& drawn) = 0;
  /// If the next items are whole draws, and each item is one word, streams them to memory. Returns
  /// the number of items per lane; 0 if the items were not streamed.
  virtual std::uint64_t stream_rows(const StreamedRows&) { return 0; }

  const std::uint64_t first;  ///< index of the first lane's stream
  const int live;             ///< lanes that are streams

 protected:
  ~HostDraw() = default;
};

/// A consumer for drivers on a CPU, with its type erased.
template <class Integer>
struct HostConsumer {
  const void* self;
  const char* label;
  ItemShape shape;
  int at_once;  ///< approximate numbers of a lane per draw
  int groups;   ///< groups per by_lanes(): a power of two up to groups_of_lines
  void (*by_lanes)(const void* self, HostDraw<Integer>& draw);
  void (*by_stream)(const void* self, HostDraw<Integer>& draw);
};

/// Groups of lanes<Word> streams whose 4-byte numbers fill a unit of memory access.
inline constexpr int groups_of_lines =
    std::max(static_cast<int>(streamed_run / (lanes<Word> * sizeof(std::uint32_t))), 1);

/// Numbers of a lane at a time. 256 words of 16 lanes take 16 KiB: they stay in the first-level
/// cache, and make the cost of a call negligible.
inline constexpr int numbers_at_once = 256;

template <class C>
HostConsumer<typename C::Integer> host_consumer(const C& consumer, int at_once = numbers_at_once,
                                                int groups = 1) {
  using Draw = HostDraw<typename C::Integer>;
  if (consumer.shape.numbers > most_item_numbers) {
    throw std::logic_error("an item of more numbers than most_item_numbers");
  }
  return {&consumer,
          C::label,
          consumer.shape,
          at_once,
          groups,
          [](const void* self, Draw& draw) { static_cast<const C*>(self)->by_lanes(draw); },
          [](const void* self, Draw& draw) { static_cast<const C*>(self)->by_stream(draw); }};
}

}  // namespace rivulet
