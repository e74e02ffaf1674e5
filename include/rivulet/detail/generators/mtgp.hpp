// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/detail/twister_jump.hpp"

namespace rivulet::detail {

/// Stream s has the authors' parameter set s % 200, and starts with index s / 200 on its cycle.
/// States are made on the host: a device's threads have no room for them.
template <>
struct Family<Mtgp11213> : RingFamily<MtgpWords> {
  static constexpr const char* name = "mtgp11213";
  using Memory = TwisterMemory<Recurrence>;
  static constexpr IrregularStarts starts = mtgp_starts;
  static constexpr std::uint64_t sets = mtgp_set_count;

  /// What tells the streams apart.
  template <class Mem>
  struct Shared {
    Kokkos::View<MtgpTables*, Mem> tables;

    Shared() = default;
    template <class Exec>
    Shared(const Exec& exec, const StreamsOptions&)
        : tables(uploaded<Mem>(exec, "rivulet::mtgp_sets", all_tables())) {}

    KOKKOS_FORCEINLINE_FUNCTION Recurrence recurrence(std::uint64_t id) const {
      return {tables.data() + id % sets};
    }
  };

  static void require(const StreamsOptions& options) {
    require_no_sets(options, name);
    end_of(options);
  }

  /// Of the sets that streams number `from` or later have: the polynomials that make(set)
  /// gives, in some 10 ms each.
  template <class Exec, class Make>
  static JumpBits polynomials(const Exec& exec, const StreamsOptions& options, std::uint64_t from,
                              unsigned count, const Make& make) {
    JumpBits jumps(sets, Recurrence::shape.p, count);
    if (count == 0) return jumps;
    const auto used = static_cast<std::size_t>(std::min(sets, options.count));
    for_each_on_host(host_instance(exec), "rivulet::jump_polynomials", used, [&](std::size_t j) {
      const std::uint64_t last = options.first + j + (options.count - 1 - j) / sets * sets;
      if (last < from) return;
      const std::uint64_t set = last % sets;
      const std::vector<Gf2Polynomial> made = make(set);
      for (unsigned r = 0; r < count; ++r) jumps.put(r, set, made[r]);
    });
    return jumps;
  }
  static JumpColumn polynomial(const JumpBits& jumps, unsigned r, std::uint64_t id) {
    return {jumps.bits.data() + r * static_cast<std::size_t>(jumps.words) * sets + id % sets, sets};
  }
  /// Of the first word only the upper bits count; the others are 0.
  static void move(const Recurrence& recurrence, const JumpColumn& g, Slot<Word> from,
                   Slot<Word> to) {
    Memory::move(recurrence, g, from, to);
    to[0] &= Recurrence::shape.upper_mask;
  }

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared&,
                    const StreamsOptions& options) {
    if (options.count == 0) return;
    const std::uint64_t most = (end_of(options) - 1) / sets;
    const auto bits = static_cast<unsigned>(std::bit_width(most));
    const JumpBits jumps = polynomials(exec, options, sets, bits, [most](std::uint64_t set) {
      return mtgp_jumps(set, most)->of_bits();
    });
    const std::vector<MtgpTables> tables = all_tables();
    const StartOrder order{options.first, sets};
    const auto from_seed = [&](Slot<Word> to, std::uint64_t id) {
      native_mtgp_start(to, mtgp_sets[id % sets], id % sets, options.seed);
      to[RingMemory<Recurrence>::place] = 0;
      for (unsigned r = 0; r < bits; ++r) {
        if ((id / sets >> r & 1) == 0) continue;
        move({&tables[id % sets]}, polynomial(jumps, r, id), to, to);
      }
    };
    // Parents come before their children: their lowest set bit is a higher one.
    for (int bit = -1, left = static_cast<int>(bits); left >= 0; bit = --left) {
      const Before before = bit < 0 ? Before::unwritten : Before::states;
      store.change_on_host(exec, before, [&, bit](const auto& slots, std::uint64_t stream) {
        const std::uint64_t distance = order.distance(stream);
        const std::uint64_t id = order.first + stream;
        if (bit < 0) {
          if (distance == 0) from_seed(slots(stream), id);
        } else if (distance == sets << bit) {
          move({&tables[id % sets]}, polynomial(jumps, static_cast<unsigned>(bit), id),
               slots(stream - distance), slots(stream));
        }
      });
    }
    store.change_on_host(exec, [&](const auto& slots, std::uint64_t stream) {
      Family::scatter({&tables[(order.first + stream) % sets]}, slots(stream), order.index(stream));
    });
  }

  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared&,
                   const StreamsOptions& options, Uint128 numbers) {
    require_jump(numbers, starts.log2_distance() - 1, name);
    const JumpBits jumps = polynomials(exec, options, 0, 1, [numbers](std::uint64_t set) {
      return doubling_powers_of_t(numbers, 1, mtgp_polynomial_of(set));
    });
    const std::vector<MtgpTables> tables = all_tables();
    store.change_on_host(exec, [&](const auto& slots, std::uint64_t stream) {
      const std::uint64_t id = options.first + stream;
      move({&tables[id % sets]}, polynomial(jumps, 0, id), slots(stream), slots(stream));
    });
  }

  template <class Shared>
  static Certificate certificate(const Shared&, const StreamsOptions& options) {
    return MtgpPlan(request_of(options, starts.log2_distance())).certificate();
  }

 private:
  static std::vector<MtgpTables> all_tables() {
    std::vector<MtgpTables> all;
    for (const MtgpSet& set : mtgp_sets) all.push_back(mtgp_tables(set));
    return all;
  }
};

}  // namespace rivulet::detail
