// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <type_traits>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/twister_jump.hpp"

namespace rivulet::detail {

/// All streams are on one cycle, stream s starts with index s. States are made on the host: a
/// device's threads have no room for them.
template <>
struct Family<Mt19937> : RingFamily<Mt19937Words> {
  static constexpr const char* name = "mt19937";
  using Memory = TwisterMemory<Recurrence>;
  static constexpr IrregularStarts starts = mt19937_starts;

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  static JumpBits in_bits(const std::vector<Gf2Polynomial>& polynomials) {
    JumpBits jumps(1, Recurrence::shape.p, static_cast<unsigned>(polynomials.size()));
    for (unsigned r = 0; r < polynomials.size(); ++r) jumps.put(r, 0, polynomials[r]);
    return jumps;
  }
  static JumpColumn polynomial(const JumpBits& jumps, unsigned r) {
    return {jumps.bits.data() + r * static_cast<std::size_t>(jumps.words), 1};
  }
  /// Of the first word only the highest bit counts; the others are 0.
  static void move(const JumpColumn& g, Slot<Word> from, Slot<Word> to) {
    Memory::move({}, g, from, to);
    to[0] &= Recurrence::shape.upper_mask;
  }

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&,
                    const StreamsOptions& options) {
    if (options.count == 0) return;
    const std::uint64_t most = end_of(options) - 1;
    const auto bits = static_cast<unsigned>(std::bit_width(most));
    const JumpBits jumps = in_bits(mt19937_jumps(most)->of_bits());
    const StartOrder order{options.first, 1};
    const auto base = native_mt19937_start(options.seed);
    const auto from_seed = [&](Slot<Word> to, std::uint64_t id) {
      for (int k = 0; k < Recurrence::n; ++k) to[k] = base[static_cast<std::size_t>(k)];
      to[RingMemory<Recurrence>::place] = 0;
      for (unsigned r = 0; r < bits; ++r) {
        if ((id >> r & 1) != 0) move(polynomial(jumps, r), to, to);
      }
    };
    // Parents come before their children: their lowest set bit is a higher one.
    for (int bit = -1, left = static_cast<int>(bits); left >= 0; bit = --left) {
      const Before before = bit < 0 ? Before::unwritten : Before::states;
      store.change_on_host(exec, before, [&, bit](const auto& slots, std::uint64_t stream) {
        const std::uint64_t distance = order.distance(stream);
        if (bit < 0) {
          if (distance == 0) from_seed(slots(stream), order.first + stream);
        } else if (distance == std::uint64_t{1} << bit) {
          move(polynomial(jumps, static_cast<unsigned>(bit)), slots(stream - distance),
               slots(stream));
        }
      });
    }
    store.change_on_host(exec, [&](const auto& slots, std::uint64_t stream) {
      Family::scatter({}, slots(stream), order.index(stream));
    });
  }

  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&, const StreamsOptions&,
                   Uint128 numbers) {
    require_jump(numbers, starts.log2_distance() - 1, name);
    const JumpBits jumps = in_bits(doubling_powers_of_t(numbers, 1, mt19937_polynomial()));
    store.change_on_host(exec, [&](const auto& slots, std::uint64_t stream) {
      move(polynomial(jumps, 0), slots(stream), slots(stream));
    });
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions& options) {
    return Mt19937Plan(request_of(options, starts.log2_distance())).certificate();
  }
};

}  // namespace rivulet::detail
