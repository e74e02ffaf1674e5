// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "kernels/generators/mt19937_engines.hpp"
#include "kernels/generators/sets_starter.hpp"
#include "kernels/generators/stream_memory.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

namespace detail {

/// Streams by lane are for CPUs: 624 words per thread are too many for a GPU's registers.
struct Mt19937ByLane {
  using Engine = Mt19937Lanes<Word>;
};
struct Mt19937NotByLane {};

}  // namespace detail

/// The MT19937 streams of one rank in device memory: 624 words each, the oldest first, of whose
/// first one only the highest bit counts; the others are 0.
class Mt19937Streams
    : public StreamsInMemory<std::uint32_t>,
      public std::conditional_t<device_build, detail::Mt19937NotByLane, detail::Mt19937ByLane> {
 public:
  using Plan = Mt19937Plan;
  using Integer = std::uint32_t;
  using Recurrence = Mt19937Recurrence;
  /// Words of state per stream.
  static constexpr int words = Mt19937Recurrence::n;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that an engine draws of each stream in a round.
  static constexpr int round_numbers = detail::Mt19937Lanes<Word>::round;
  static constexpr int round_words = round_numbers;
  static constexpr int numbers_per_word = 1;
  /// Rounds that a stream draws in the time of a jump, some 10000 sums of states. Measured on a
  /// CPU, estimated for a device.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 14;
  using Bounds = Kokkos::LaunchBounds<>;

  /// Allocates; the states are for Mt19937Starter to fill.
  Mt19937Streams(const Mt19937Plan&, StreamRange range)
      : StreamsInMemory("rivulet::mt19937_states", words, range) {}

  /// Sets it, whatever is in the bits that do not count.
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream,
                                            std::uint32_t value) const {
    word(k, stream) = k == 0 ? value & Mt19937Recurrence::shape.upper_mask : value;
  }
  KOKKOS_FUNCTION static detail::Mt19937Words recurrence(std::uint64_t) { return {}; }

  /// An engine of one stream.
  KOKKOS_FUNCTION detail::Mt19937Scalar scalar(std::uint64_t stream) const {
    return detail::Mt19937Scalar(*this, stream);
  }

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION detail::Mt19937Lanes<W> load(std::uint64_t first) const {
    return detail::Mt19937Lanes<W>(*this, first);
  }
  /// Puts back what load() gave, after whole rounds.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const detail::Mt19937Lanes<W>& engine) const {
    engine.store(*this, first);
    for (int l = 0; l < lanes<W>; ++l) {
      const std::uint64_t stream = first + static_cast<std::uint64_t>(l);
      put_word(0, stream, word(0, stream));
    }
  }

  using TeamEngine = detail::Mt19937Team;
  using BlockEngine = detail::Mt19937Team;
  /// Of a block: a thread for each number of a draw.
  static constexpr int block_warps = Mt19937Recurrence::team_numbers / team_lanes;
#if RIVULET_LANES_HAND_ON
  using WarpEngine = detail::Mt19937Warp;
#endif

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }
};

using Mt19937Starter = SetsStarter<Mt19937Streams>;

/// The Mersenne Twister that everybody compares with.
struct Mt19937Generator {
  using Plan = Mt19937Plan;
  using Streams = Mt19937Streams;
  using Starter = Mt19937Starter;
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published =
        "mt19937 init_genrand(seed), as std::mt19937 and, of seeds but 0, ROOT's TRandom3";
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return detail::mt19937_starts.log2_distance();
    };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
