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

// A consumer is what a job does with random numbers. It makes items of `shape.numbers` consecutive
// numbers of a stream each.
//
// All consumers have
// - label: of their kernels; Integer: of the numbers;
// - shape: what items are made of, a constant where a GPU is to draw.
//
// On a CPU a consumer is called by pointer for some 256 numbers of each lane at a time, so that it
// is compiled once for all generators:
// - by_lanes(draw): takes the items of lanes<Word> streams side by side;
// - by_stream(draw): takes the items of one stream.
//
// On a GPU a consumer is a template parameter of the kernel, and its calls are inlined:
// - Local: what a thread keeps;
// - begin(i): the Local of index i of the work; item(local, k, numbers): takes item k of the index,
//   counted from Work::from on; end(local, i): called last. A warp's lanes share an index, so that
//   end() must add up what several threads found.
// Consumers that share a team's scratch memory have more functions (by_shared_team.hpp).

namespace rivulet {

/// Most numbers of an item: three words of each level of an alias table with four levels.
inline constexpr int most_item_numbers = 12;

/// What an item is made of.
struct ItemShape {
  int numbers = 1;  ///< consecutive ones of a stream
  /// Whether these are a generator's own numbers, or words of 32 bits made of them.
  bool is_raw = false;
};

/// The least number of items that is made of whole rounds. Streams rest in memory between periods.
struct ItemPeriod {
  std::uint64_t items = 1;
  std::uint64_t rounds = 1;

  /// Of items of `shape` where a draw of `rounds` rounds gives `numbers` numbers.
  static constexpr ItemPeriod of(ItemShape shape, int numbers, int rounds) {
    const int common = std::gcd(numbers, shape.numbers);
    return {static_cast<std::uint64_t>(numbers / common),
            static_cast<std::uint64_t>(shape.numbers / common * rounds)};
  }
};

/// How the items of a work lie in a stream, in draws of some numbers from the last resting place
/// before them on.
struct ItemSpan {
  std::uint64_t skip = 0;     ///< items between that place and the work
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

/// Numbers of some streams side by side, one piece after the other.
template <class Integer>
struct DrawnItems {
  /// Number n of item i of lane l of group g is
  /// numbers[g * apart + (i * shape.numbers + n) * lanes + l].
  const Integer* numbers = nullptr;
  int apart = 0;
  int items = 0;  ///< of each lane
  /// Items that belong to each lane, group after group: `items` or fewer.
  const int* left = nullptr;
  bool is_full = false;  ///< all items belong to their lanes, and all lanes are streams
};

/// Rows of numbers, one of each lane, that go to memory past the caches: of words as they are, or
/// made floats of 0 <= x < 1.
struct StreamedRows {
  std::byte* to;         ///< aligned as what the lanes have of a row
  std::uint64_t stride;  ///< between rows, in numbers
  bool as_floats;
};

/// The items of groups of lanes<Word> streams, or of one stream, on their way to a consumer.
template <class Integer>
class HostDraw {
 public:
  HostDraw(std::uint64_t first_index, int live_lanes) : first(first_index), live(live_lanes) {}
  HostDraw(const HostDraw&) = delete;
  HostDraw& operator=(const HostDraw&) = delete;

  /// Draws the next items; false after the last of them.
  virtual bool next(DrawnItems<Integer>& drawn) = 0;
  /// Where the next items are whole draws of numbers that are items each, and words: streams them
  /// to memory. Returns the number of items of each lane.
  virtual std::uint64_t stream_rows(const StreamedRows&) { return 0; }

  const std::uint64_t first;  ///< index of the first lane's stream
  const int live;             ///< lanes that are streams

 protected:
  ~HostDraw() = default;
};

/// A consumer as drivers on a CPU know it.
template <class Integer>
struct HostConsumer {
  const void* self;
  const char* label;
  ItemShape shape;
  int at_once;  ///< numbers of a lane that are drawn at a time, about
  int groups;   ///< that by_lanes() takes at a time: a power of two up to groups_of_lines
  void (*by_lanes)(const void* self, HostDraw<Integer>& draw);
  void (*by_stream)(const void* self, HostDraw<Integer>& draw);
};

/// Groups of lanes<Word> streams whose numbers of 4 bytes fill a unit of memory access.
inline constexpr int groups_of_lines =
    std::max(static_cast<int>(streamed_run / (lanes<Word> * sizeof(std::uint32_t))), 1);

/// Numbers of a lane at a time. In 256 words of 16 lanes, 16 KiB, a call takes no part of the time
/// that shows, and they stay in a core's first cache.
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
