// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <numeric>

#include "kokkos_compat.hpp"
#include "rng/word.hpp"

// A consumer is what a job does with random numbers. It makes items of `shape.numbers` consecutive
// numbers of a stream each.
//
// On a CPU a consumer is called by pointer for some thousand numbers at a time, so that it is
// compiled once for all generators:
// - label: of its kernels; Integer: of the numbers; shape: what items are made of;
// - by_lanes(draw): takes the items of lanes<Word> streams side by side;
// - by_stream(draw): takes the items of one stream.
//
// On a GPU a consumer is a template parameter of the kernel, and its calls are inlined:
// - shape, a constant; Local: what a thread keeps;
// - begin(i): the Local of index i of the work; item(local, numbers): takes the next item;
//   end(local, i): called last.

namespace rivulet {

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

/// Numbers of some streams side by side, one piece after the other.
template <class Integer>
struct DrawnItems {
  /// Number n of item i of lane l is numbers[(i * shape.numbers + n) * lanes + l].
  const Integer* numbers = nullptr;
  int items = 0;              ///< of each lane
  const int* left = nullptr;  ///< items that belong to lane l: `items`, or fewer
  bool is_full = false;       ///< all items belong to their lanes, and all lanes are streams
};

/// The items of a group of lanes<Word> streams, or of one stream, on their way to a consumer.
template <class Integer>
class HostDraw {
 public:
  HostDraw(std::uint64_t first_index, int live_lanes) : first(first_index), live(live_lanes) {}
  HostDraw(const HostDraw&) = delete;
  HostDraw& operator=(const HostDraw&) = delete;

  /// Draws the next items; false after the last of them.
  virtual bool next(DrawnItems<Integer>& drawn) = 0;

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
  void (*by_lanes)(const void* self, HostDraw<Integer>& draw);
  void (*by_stream)(const void* self, HostDraw<Integer>& draw);
};

/// Numbers of a lane at a time. In 256 words of 16 lanes, 16 KiB, a call takes no part of the time
/// that shows, and they stay in a core's first cache.
inline constexpr int numbers_at_once = 256;

template <class C>
HostConsumer<typename C::Integer> host_consumer(const C& consumer, int at_once = numbers_at_once) {
  using Draw = HostDraw<typename C::Integer>;
  return {&consumer,
          C::label,
          consumer.shape,
          at_once,
          [](const void* self, Draw& draw) { static_cast<const C*>(self)->by_lanes(draw); },
          [](const void* self, Draw& draw) { static_cast<const C*>(self)->by_stream(draw); }};
}

}  // namespace rivulet
