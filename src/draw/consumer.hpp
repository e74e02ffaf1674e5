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

// A consumer is a job's code that uses random numbers, item by item. An item is `shape.numbers`
// consecutive numbers of a stream.
//
// Every consumer has
// - label: name of its kernels;
// - Integer: type of the numbers;
// - shape: the ItemShape; on GPUs a compile-time constant.
//
// On a CPU, a driver passes a HostDraw to a consumer through a function pointer, and the consumer
// fetches about 256 numbers per lane with each next(). A consumer is thus compiled once for all
// generators:
// - by_lanes(draw): processes the items of one or more groups of lanes<Word> streams;
// - by_stream(draw): processes the items of one stream.
//
// On a GPU, a consumer is a template parameter of the kernel, and its calls are inlined:
// - Local: a thread's data;
// - begin(i): returns the Local for index i of the work;
// - item(local, k, numbers): processes item k of this index, counted from Work::first_item;
// - end(local, i): called last. If lanes of a warp share an index, each lane calls end(), which
//   must add up the lanes' results.
//
// Consumers that share a team's scratch memory have more functions (by_shared_team.hpp).

namespace rivulet {

/// Maximum numbers per item: three words per level of an alias table with four levels.
inline constexpr int most_item_numbers = 12;

/// The numbers that make up an item.
struct ItemShape {
  int numbers = 1;  ///< consecutive numbers of a stream
  /// True for the generator's native numbers, false for 32-bit words made from them.
  bool is_raw = false;
};

/// The smallest number of items whose numbers fill complete rounds. Stream states can be stored
/// only at period boundaries.
struct ItemPeriod {
  std::uint64_t items = 1;
  std::uint64_t rounds = 1;

  /// Returns the period for items of `shape` if one draw yields `numbers` numbers in `rounds`
  /// rounds.
  static constexpr ItemPeriod of(ItemShape shape, int numbers, int rounds) {
    const int common = std::gcd(numbers, shape.numbers);
    return {static_cast<std::uint64_t>(numbers / common),
            static_cast<std::uint64_t>(shape.numbers / common * rounds)};
  }
};

/// The items of a Work within a stream. Positions are counted from the last period boundary at or
/// before the first item.
struct ItemSpan {
  std::uint64_t skip = 0;      ///< items between that boundary and the work
  std::uint64_t store_at = 0;  ///< draws up to the last period boundary within the work, or 0
  std::uint64_t end = 0;       ///< draws up to the work's end

  /// Spans `count` items of `numbers` numbers each, beginning with item `start`. A draw yields
  /// `drawn` numbers.
  ItemSpan(std::uint64_t start, std::uint64_t count, int numbers, int drawn) {
    if (count == 0) return;
    const ItemPeriod period = ItemPeriod::of({numbers}, drawn, 1);
    skip = start % period.items;
    const std::uint64_t items = skip + count;
    store_at = items / period.items * period.rounds;
    const std::uint64_t tail_numbers = items % period.items * static_cast<std::uint64_t>(numbers);
    const auto draw = static_cast<std::uint64_t>(drawn);
    end = store_at + (tail_numbers + draw - 1) / draw;
  }
};

/// The next items of some streams, with the numbers interleaved by lane.
template <class Integer>
struct DrawnItems {
  /// Number n of item i of lane l of group g is
  /// numbers[g * group_stride + (i * shape.numbers + n) * lanes + l].
  const Integer* numbers = nullptr;
  int group_stride = 0;
  int items = 0;  ///< items per lane
  /// Number of valid items of each lane, at most `items`. The lanes are listed group by group.
  const int* valid_items = nullptr;
  bool is_full = false;  ///< true if every lane has a stream and all items are valid
};

/// Destination of rows that non-temporal stores write. A row has one number per lane: a word, or a
/// float 0 <= x < 1.
struct StreamedRows {
  std::byte* to;         ///< aligned to the size of these lanes' part of a row
  std::uint64_t stride;  ///< between rows, in numbers
  bool as_floats;
};

/// Supplies a consumer with the items of groups of lanes<Word> streams, or of one stream.
template <class Integer>
class HostDraw {
 public:
  HostDraw(std::uint64_t first_index, int live_lanes) : first(first_index), live(live_lanes) {}
  HostDraw(const HostDraw&) = delete;
  HostDraw& operator=(const HostDraw&) = delete;

  /// Draws the next items. Returns false if none are left.
  virtual bool next(DrawnItems<Integer>& drawn) = 0;
  /// Writes the next items with non-temporal stores if each item is one word and the items fill
  /// complete draws. Returns the number of items per lane that were written, or 0.
  virtual std::uint64_t stream_rows(const StreamedRows&) { return 0; }

  const std::uint64_t first;  ///< index of the first lane's stream
  const int live;             ///< number of lanes that have a stream

 protected:
  ~HostDraw() = default;
};

/// A type-erased consumer for CPU drivers.
template <class Integer>
struct HostConsumer {
  const void* self;
  const char* label;
  ItemShape shape;
  int at_once;  ///< approximate numbers per lane that a next() call draws
  int groups;   ///< groups per by_lanes() call: a power of two up to groups_of_lines
  void (*by_lanes)(const void* self, HostDraw<Integer>& draw);
  void (*by_stream)(const void* self, HostDraw<Integer>& draw);
};

/// Number of groups of lanes<Word> streams whose 4-byte numbers fill streamed_run_bytes bytes.
inline constexpr int groups_of_lines =
    std::max(static_cast<int>(streamed_run_bytes / (lanes<Word> * sizeof(std::uint32_t))), 1);

/// Numbers per lane that a next() call draws. With 16 lanes, 256 words per lane take 16 KiB: they
/// stay in the L1 cache, and the cost of a call is negligible.
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
