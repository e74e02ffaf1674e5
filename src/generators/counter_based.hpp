// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "generators/generator_type.hpp"
#include "generators/philox_blocks.hpp"
#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"
#include "rivulet/detail/streams/counter_plan.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

template <detail::CounterBased G>
class CounterStarter;

/// The streams of one rank, or the segments of these streams. Holds a key, ids, and one position
/// that all streams share. Streams have local indices 0 .. count-1.
template <detail::CounterBased G>
class CounterStreams : public RoundsOfWords<16> {
 public:
  using Plan = CounterPlan<G>;
  using Integer = std::uint32_t;
  /// Bits of a word. If a word has 64 bits, the 32-bit numbers are its halves.
  static constexpr int bits = 8 * sizeof(typename G::Word);
  /// Cost of a jump in rounds: one addition.
  static constexpr std::uint64_t jump_rounds = 1;
  static constexpr std::uint64_t min_numbers_to_cut = 0;
  template <class W>
  using Blocks = CounterBlocks<G, W>;

  CounterStreams(const Plan& plan, StreamRange range)
      : keys_(plan.request()), range_(range), cut_{0, range.count, 1, 0} {}

  /// Number of streams, or of segments if the streams are cut.
  KOKKOS_FUNCTION std::uint64_t count() const { return cut_.total(); }
  KOKKOS_FUNCTION StreamRange range() const { return range_; }

  /// Turns this object into the segments of its streams.
  void cut_into(const Segments& cut) { cut_ = cut; }

  /// Returns a copy of these streams, advanced by `rounds` rounds.
  CounterStreams at(Uint128 rounds) const {
    CounterStreams moved = *this;
    moved.block_ += static_cast<std::uint64_t>(rounds * round_blocks);
    return moved;
  }

  KOKKOS_FUNCTION detail::CounterEngine<G> scalar(std::uint64_t stream) const {
    return detail::CounterEngine<G>(keys_.start(id(stream)), place(stream));
  }

  /// Draws from a group of lanes<W> streams.
  template <class W>
  class EngineOf : public detail::LaneRounds<EngineOf<W>, W> {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit EngineOf(const Blocks<W>& blocks) : blocks_(blocks) {}

    template <class Use>
    KOKKOS_FORCEINLINE_FUNCTION void round(Use&& use) {
      blocks_.template draw<round_blocks>(use);
    }

   private:
    Blocks<W> blocks_;
  };
  using Engine = EngineOf<Word>;

  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    const auto index = [first](int l) { return first + static_cast<std::uint64_t>(l); };
    const auto half = [&](int l, int shift) {
      return static_cast<std::uint32_t>(id(index(l)) >> shift);
    };
    Blocks<W> blocks(keys_, WordTraits<W>::generate([&half](int l) { return half(l, 0); }),
                     WordTraits<W>::generate([&half](int l) { return half(l, 32); }), place(first));
    // Surplus lanes of the last group repeat the last stream's position.
    const std::uint64_t last = index(lanes<W> - 1) < count() ? index(lanes<W> - 1) : count() - 1;
    // On a device, the condition is the same for all threads, so warps do not diverge.
    const bool positions_differ = device_build ? cut_.count > 1 && cut_.streams % lanes<W> != 0
                                               : cut_.number(first) != cut_.number(last);
    if (positions_differ) {
      blocks.move_lanes_to([&](int l) { return place(index(l) < last ? index(l) : last); });
    }
    return EngineOf<W>(blocks);
  }

  /// A no-op: the kernel's caller keeps track of the streams' position.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t, const EngineOf<W>&) const {}

  /// Returns the bytes of device memory: none.
  static constexpr std::uint64_t state_bytes() { return 0; }

  /// Returns the streams' common position (the index of the next word) as 16 bytes.
  std::vector<std::byte> save() const {
    const Uint128 word = Uint128{block_} * block_numbers;
    std::vector<std::byte> saved(sizeof word);
    std::memcpy(saved.data(), &word, sizeof word);
    return saved;
  }
  /// Restores a position from save(). Throws Error unless it is a valid round boundary.
  void restore(std::span<const std::byte> saved) {
    Uint128 word = 0;
    if (saved.size() == sizeof word) std::memcpy(&word, saved.data(), sizeof word);
    if (saved.size() != sizeof word || word % round_words != 0 ||
        word >> detail::log2_stream_numbers<G> != 0) {
      throw Error(
          "saved streams do not fit",
          fmt::format("their {} B are not a position in streams of {}", saved.size(), G::name),
          "Restore what was saved from the same generator.");
    }
    block_ = static_cast<std::uint64_t>(word / block_numbers);
  }

 private:
  friend class CounterStarter<G>;
  static constexpr int block_numbers = detail::block_numbers<G>;
  static constexpr int round_blocks = round_words / block_numbers;

  /// Returns the stream id of stream or segment `index`.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t id(std::uint64_t index) const {
    return range_.first + cut_.stream(index);
  }
  /// Returns the number of the next block of stream or segment `index`.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t place(std::uint64_t index) const {
    return block_ + cut_.number(index) * cut_.rounds * round_blocks;
  }

  CounterKeys<G> keys_;
  StreamRange range_;
  Segments cut_;
  std::uint64_t block_ = 0;  ///< the next block of every stream; a multiple of round_blocks
};

template <detail::CounterBased G>
class CounterStarter {
 public:
  using Streams = CounterStreams<G>;

  CounterStarter(const CounterPlan<G>&, StreamRange) {}

  void seed(const Space&, Streams& streams) const { streams.block_ = 0; }

  void advance(const Space&, Streams& streams, Uint128 rounds) const {
    streams = streams.at(rounds);
  }
  /// Advances all streams. `some` must contain all of them, because they share one position.
  void advance(const Space& space, Streams& streams, Uint128 rounds, StreamRange some) const {
    if (some.first != 0 || some.count != streams.count()) {
      throw std::logic_error("streams without memory that are not at the same place");
    }
    advance(space, streams, rounds);
  }

  /// Moves the segments to their starts, given the streams' position in `from`.
  void place(const Space&, const Streams& from, Streams& to, const Segments&) const {
    to.block_ = from.block_;
  }
};

template <detail::CounterBased G>
struct CounterGenerator : GeneratorBase<CounterStreams<G>, CounterStarter<G>> {
  using Library = G;

  static Generator facts() {
    static constexpr unsigned log2 = detail::log2_stream_numbers<G>;
    // Never freed, because Generator holds views of these strings.
    static const auto* const period = new std::string(fmt::format("2^{}", log2));
    static const auto* const disjoint =
        new std::string(fmt::format("counters: 2^64 streams of 2^{} numbers each", log2));
    Generator facts;
    facts.name = G::name;
    facts.doc = G::doc;
    facts.period = *period;
    facts.disjoint = *disjoint;
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> { return log2; };
    facts.child = CounterKeys<G>::child;
    return facts;
  }
};

}  // namespace rivulet
