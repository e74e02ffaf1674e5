// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/generators/tausworthe_streams.hpp"
#include "rivulet/detail/streams/tausworthe_jump.hpp"

namespace rivulet {
namespace impl {

template <class Kind>
using TauswortheJumps = Kokkos::View<TauswortheJump<Kind>*, Space>;

/// In the order of `steps`. (Kokkos 3.4 lets only the thread that started it make initialised
/// views.)
template <class Kind>
TauswortheJumps<Kind> upload_jumps(const std::vector<Uint128>& steps) {
  const TauswortheJumps<Kind> jumps(
      Kokkos::view_alloc("rivulet::tausworthe_jumps", Kokkos::WithoutInitializing), steps.size());
  std::vector<TauswortheJump<Kind>> host;
  for (const Uint128 step : steps) host.push_back(tausworthe_jump<Kind>(step));
  copy_to_device(jumps.data(), host.data(), host.size() * sizeof(TauswortheJump<Kind>));
  return jumps;
}

/// What each bit of an index adds, for indices up to `last`.
inline std::vector<Uint128> steps_of_bits(IrregularStarts starts, std::uint64_t last) {
  std::vector<Uint128> steps;
  for (unsigned r = 0; last >> r != 0; ++r) steps.push_back(starts.jump(r));
  return steps;
}

/// Streams by native seeding: stream s is the base moved by the jumps of the bits of s.
template <class Kind>
struct StartTausworthe {
  using Lanes = Tausworthe<Kind, Word>;

  TauswortheStreams<Kind> streams;
  TauswortheJumps<Kind> jumps;  ///< number i is what bit i of an id adds
  typename Tausworthe<Kind>::State base;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const std::uint64_t id = streams.range().first + first;
    typename Lanes::State state;
    for (int k = 0; k < Kind::words; ++k) state.z[k] = Word(base.z[k]);
    for (std::size_t i = 0; i < jumps.extent(0); ++i) {
      const Word jumping = WordTraits<Word>::generate([id, i](int l) {
        return 0u - static_cast<std::uint32_t>((id + static_cast<std::uint64_t>(l)) >> i & 1);
      });
      typename Lanes::State moved = state;
      jumps(i)(moved.z);
      for (int k = 0; k < Kind::words; ++k) {
        state.z[k] ^= (state.z[k] ^ moved.z[k]) & jumping;
      }
    }
    streams.put(first, state);
  }
};

/// Streams by published seeding, the padding included.
template <class Kind>
struct PublishedTausworthe {
  TauswortheStreams<Kind> streams;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto start = published_tausworthe_start<Kind>(streams.range().first + stream);
    for (int k = 0; k < Kind::words; ++k) streams.word(k, stream) = start.z[k];
  }
};

/// All streams by the same jump.
template <class Kind>
struct AdvanceTausworthe {
  TauswortheStreams<Kind> streams;
  TauswortheJumps<Kind> jump;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    auto state = streams.load(first).state();
    jump(0)(state.z);
    streams.put(first, state);
  }
};

}  // namespace impl

/// Puts the streams of a rank where they belong. `plan` must outlive it.
template <class Kind>
class TauswortheStarter {
 public:
  TauswortheStarter(const TausworthePlan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Every stream to its start.
  void seed(const Space& space, const TauswortheStreams<Kind>& streams) const {
    if (range_.count == 0) return;
    if constexpr (Kind::components > 0) {
      if (plan_.request().seeding == Seeding::native) {
        const std::uint64_t last = range_.first + padded_streams(range_.count) - 1;
        const impl::StartTausworthe<Kind> kernel{
            streams, impl::upload_jumps<Kind>(impl::steps_of_bits(TausworthePlan::starts(), last)),
            native_tausworthe_start<Kind>(plan_.request().seed)};
        for_each_stream_lane(space, "rivulet::start_tausworthe", range_.count, kernel);
        space.fence();
        return;
      }
    }
    for_each_stream(space, "rivulet::seed_tausworthe", padded_streams(range_.count),
                    impl::PublishedTausworthe<Kind>{streams});
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const TauswortheStreams<Kind>& streams, Uint128 rounds) const {
    if (range_.count == 0 || rounds == 0) return;
    const Uint128 steps = rounds * TauswortheStreams<Kind>::round_numbers;
    if constexpr (Kind::components > 0) {
      for_each_stream_lane(
          space, "rivulet::advance_tausworthe", range_.count,
          impl::AdvanceTausworthe<Kind>{streams, impl::upload_jumps<Kind>({steps})});
      space.fence();
    } else {
      // No algebra leads ahead of the listing, whose circles are short: a host's work.
      space.fence();
      streams.states().change_on_host([steps](const auto& words, std::uint64_t stream) {
        words(0, stream) = Kind::advanced(words(0, stream), steps);
      });
    }
  }

 private:
  const TausworthePlan& plan_;
  StreamRange range_;
};

}  // namespace rivulet
