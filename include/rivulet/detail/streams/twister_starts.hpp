// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rivulet/detail/rng/dcmt_seeding.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/detail/streams/twister_jump.hpp"

// The starts of twisters, in kernels that a Launch launches, the program's or the C++ library's:
// - Word, on_device;
// - each(label, count, body): body(i) for 0 <= i < count; groups(label, count, body): body(first)
//   for the first of each lanes<Word> of them;
// - teams(label, count, body): body(team, i, scratch) by the threads of a device's team;
// - uploaded(label, values): a view.

namespace rivulet::detail {

/// Moves streams, each by the polynomial of its set. Asynchronous on devices.
template <class Launch, class States>
void jump_streams(const Launch& launch, const States& states, const JumpTable& table,
                  const JumpRange& range) {
  if (range.count() == 0) return;
  using Word = typename Launch::Word;
  const auto bits = launch.uploaded("rivulet::jump_polynomials", table.bits);
  using Columns = JumpColumns<std::remove_const_t<decltype(bits)>>;
  const Columns columns{bits, table.sets};
  constexpr bool is_short = States::Step::n < 100;
  constexpr bool side_by_side = Launch::on_device || lanes<Word> != 1;
  constexpr const char* label = "rivulet::jump";
  if constexpr (is_short && side_by_side) {
    launch.groups(label, range.count(),
                  JumpInRegisters<States, Columns, Word>{states, columns, range});
  } else if constexpr (Launch::on_device) {
    launch.teams(label, range.count(), JumpByBlock<States, Columns>{states, columns, range});
  } else {
    launch.each(label, range.count(), JumpByThread<States, Columns, Word>{states, columns, range});
  }
}

/// Streams from local index `first` on, to the seeded states of their sets.
template <class States>
struct SeedStreams {
  States states;
  std::uint64_t first;
  std::uint64_t first_id;
  std::uint64_t sets;
  bool published;
  std::uint64_t seed;

  /// A state seen as an array, for the initialisers.
  struct Words {
    const States& states;
    std::uint64_t stream;
    KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return states.rest(k, stream); }
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const std::uint64_t stream = first + offset;
    const Words x{states, stream};
    fill(x, (first_id + stream) % sets, states.step(stream));
    states.put(0, stream, x[0]);
  }
  template <int P>
  KOKKOS_FUNCTION void fill(const Words& x, std::uint64_t number, const DcmtStep<P>& step) const {
    if (published) {
      init_genrand(x, step.n, published_seed_factor * static_cast<std::uint32_t>(number));
      return;
    }
    const auto key = dcmt_key(seed, number, P, step.set);
    init_by_array(x, step.n, key.words, DcmtKey::length);
  }
  KOKKOS_FUNCTION void fill(const Words& x, std::uint64_t number, const MtgpStep& step) const {
    if (published) {
      mtgp_init_state(x, step.set, published_mtgp_seed(seed, number));
    } else {
      native_mtgp_start(x, step.set, number, seed);
    }
  }
};
template <class Launch, class States>
void seed_streams(const Launch& launch, const SetsPlan& plan, StreamRange range,
                  const States& states, StreamRange some) {
  const StreamRequest& request = plan.request();
  launch.each("rivulet::seed_streams", some.count,
              SeedStreams<States>{states, some.first, range.first, plan.sets(),
                                  request.seeding == Seeding::published, request.seed});
}

/// MT19937's streams to the one state: word i % n of stream i / n.
template <class States, class View>
struct SeedMt19937 {
  States states;
  std::uint64_t first;
  View state;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    constexpr auto n = static_cast<std::uint64_t>(Mt19937Recurrence::n);
    states.put(static_cast<int>(i % n), first + i / n, state(i % n));
  }
};
template <class Launch, class States>
void seed_streams(const Launch& launch, const Mt19937Plan& plan, StreamRange, const States& states,
                  StreamRange some) {
  const auto words = plan.first_state();
  const auto state = launch.uploaded("rivulet::mt19937_state",
                                     std::vector<std::uint32_t>(words.begin(), words.end()));
  launch.each("rivulet::seed_streams", some.count * words.size(),
              SeedMt19937<States, decltype(state)>{states, some.first, state});
}

/// Streams of a range to E(i), i being the index on their cycle (IrregularStarts). Asynchronous on
/// devices.
template <class Launch, class Plan, class States>
void start_streams(const Launch& launch, const Plan& plan, StreamRange range,
                   const RangeJumps& jumps, const States& states) {
  for (const auto& part : jumps.from_seeds) {
    const std::uint64_t first = part.first - range.first;
    const std::uint64_t last = part.last - range.first;
    seed_streams(launch, plan, range, states, {first, last - first});
    if (!part.jump.bits.empty()) {
      jump_streams(launch, states, part.jump, JumpRange::all_of(first, last));
    }
  }
  // Streams are made from those of fewer bits: the index's higher ones.
  for (auto r = static_cast<unsigned>(jumps.of_bits.size()); r-- > 0;) {
    jump_streams(launch, states, jumps.of_bits[r],
                 JumpRange::of_bit(r, plan.sets(), range.first, range.count));
  }
}

}  // namespace rivulet::detail
