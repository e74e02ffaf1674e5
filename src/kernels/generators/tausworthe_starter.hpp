// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/generators/jump_distances.hpp"
#include "kernels/generators/tausworthe_streams.hpp"
#include "rivulet/detail/streams/tausworthe_jump.hpp"

namespace rivulet {
namespace detail {

template <class Kind>
using TauswortheJumps = Kokkos::View<TauswortheJump<Kind>*, Space>;

/// (Kokkos 3.4 lets only the thread that started it make initialised views.)
template <class Kind>
TauswortheJumps<Kind> upload_jumps(const std::vector<TauswortheJump<Kind>>& host) {
  const TauswortheJumps<Kind> jumps(
      Kokkos::view_alloc("rivulet::tausworthe_jumps", Kokkos::WithoutInitializing), host.size());
  copy_to_device(jumps.data(), host.data(), host.size() * sizeof(TauswortheJump<Kind>));
  return jumps;
}
/// In the order of `steps`.
template <class Kind>
TauswortheJumps<Kind> upload_jumps(const std::vector<Uint128>& steps) {
  std::vector<TauswortheJump<Kind>> host;
  for (const Uint128 step : steps) host.push_back(tausworthe_jump<Kind>(step));
  return upload_jumps<Kind>(host);
}

/// What each bit of an index adds, for indices up to `last`.
inline std::vector<Uint128> steps_of_bits(IrregularStarts starts, std::uint64_t last) {
  std::vector<Uint128> steps;
  for (unsigned r = 0; last >> r != 0; ++r) steps.push_back(starts.jump(r));
  return steps;
}

/// The states of a group of streams by the jumps of the bits of a number each, number(lane), which
/// has so many bits.
template <class Kind, class Number>
KOKKOS_FUNCTION void jump_by_bits(typename Tausworthe<Kind, Word>::State& state,
                                  const TauswortheJumps<Kind>& jumps, unsigned bits,
                                  const Number& number) {
  for (unsigned i = 0; i < bits; ++i) {
    const Word jumping = WordTraits<Word>::generate(
        [&](int l) { return 0u - static_cast<std::uint32_t>(number(l) >> i & 1); });
    auto moved = state;
    jumps(i)(moved.z);
    for (int k = 0; k < Kind::words; ++k) state.z[k] ^= (state.z[k] ^ moved.z[k]) & jumping;
  }
}

/// The states of a group of streams from `first` on by the hashed parts of their starts, lane after
/// lane, as each has jumps of its own.
template <class Kind>
KOKKOS_FUNCTION void jump_by_hash(typename Tausworthe<Kind, Word>::State& state,
                                  const TauswortheJumps<Kind>& powers, std::uint64_t first) {
  using Traits = WordTraits<Word>;
  std::uint32_t z[lanes<Word>][Kind::words];
  for (int l = 0; l < lanes<Word>; ++l) {
    for (int k = 0; k < Kind::words; ++k) z[l][k] = Traits::lane(state.z[k], l);
    hashed_jump(powers, first + static_cast<std::uint64_t>(l), z[l]);
  }
  for (int k = 0; k < Kind::words; ++k) {
    state.z[k] = Traits::generate([&](int l) { return z[l][k]; });
  }
}

/// Streams by native seeding: stream s is the base moved by the jumps of the bits of s and of its
/// hash.
template <class Kind>
struct StartTausworthe {
  TauswortheStreams<Kind> streams;
  TauswortheJumps<Kind> jumps;   ///< number i is what bit i of an id adds
  TauswortheJumps<Kind> powers;  ///< number e is that of 2^e steps
  typename Tausworthe<Kind>::State base;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const std::uint64_t id = streams.range().first + first;
    typename Tausworthe<Kind, Word>::State state;
    for (int k = 0; k < Kind::words; ++k) state.z[k] = Word(base.z[k]);
    jump_by_bits<Kind>(state, jumps, static_cast<unsigned>(jumps.extent(0)),
                       [id](int l) { return id + static_cast<std::uint64_t>(l); });
    jump_by_hash<Kind>(state, powers, id);
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

/// Some streams by the same jump.
template <class Kind>
struct AdvanceTausworthe {
  TauswortheStreams<Kind> streams;
  TauswortheJumps<Kind> jump;
  StreamRange some;

  /// Groups are whole ones, counted from the one that has the first stream.
  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
    const std::uint64_t first = some.first / width * width + offset;
    const Word moves = WordTraits<Word>::generate([&](int l) {
      // Wraps where the stream is before the first one.
      return first + static_cast<std::uint64_t>(l) - some.first < some.count ? ~0u : 0u;
    });
    auto state = streams.load(first).state();
    auto moved = state;
    jump(0)(moved.z);
    for (int k = 0; k < Kind::words; ++k) state.z[k] ^= (state.z[k] ^ moved.z[k]) & moves;
    streams.put(first, state);
  }
};

/// Segments from the states of their streams, by the jumps of the bits of their numbers.
template <class Kind>
struct PlaceTausworthe {
  TauswortheStreams<Kind> from;
  TauswortheStreams<Kind> to;
  TauswortheJumps<Kind> jumps;
  Segments cut;
  unsigned bits;  ///< of the numbers

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const auto index = [first](int l) { return first + static_cast<std::uint64_t>(l); };
    typename Tausworthe<Kind, Word>::State state;
    for (int k = 0; k < Kind::words; ++k) {
      state.z[k] =
          WordTraits<Word>::generate([&](int l) { return from.word(k, cut.stream(index(l))); });
    }
    jump_by_bits<Kind>(state, jumps, bits, [&](int l) { return cut.number(index(l)); });
    to.put(first, state);
  }
};

}  // namespace detail

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
        const detail::StartTausworthe<Kind> kernel{
            streams,
            detail::upload_jumps<Kind>(detail::steps_of_bits(TausworthePlan::starts(), last)),
            detail::upload_jumps<Kind>(tausworthe_powers<Kind>()),
            native_tausworthe_start<Kind>(plan_.request().seed)};
        for_each_stream_lane(space, "rivulet::start_tausworthe", range_.count, kernel);
        space.fence();
        return;
      }
    }
    for_each_stream(space, "rivulet::seed_tausworthe", padded_streams(range_.count),
                    detail::PublishedTausworthe<Kind>{streams});
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const TauswortheStreams<Kind>& streams, Uint128 rounds) const {
    if (range_.count == 0 || rounds == 0) return;
    if constexpr (Kind::components > 0) {
      advance(space, streams, rounds, {0, range_.count});
    } else {
      // No algebra leads ahead of the listing, whose circles are short: a host's work.
      space.fence();
      const Uint128 steps = rounds * round_numbers;
      streams.states().change_on_host([steps](const auto& words, std::uint64_t stream) {
        words(0, stream) = Kind::advanced(words(0, stream), steps);
      });
    }
  }
  /// The same of some streams, given by local indices.
  void advance(const Space& space, const TauswortheStreams<Kind>& streams, Uint128 rounds,
               StreamRange some) const requires(Kind::components > 0) {
    if (some.count == 0 || rounds == 0) return;
    const auto jump = detail::upload_jumps<Kind>(std::vector<Uint128>{rounds * round_numbers});
    const std::uint64_t before = some.first % static_cast<std::uint64_t>(lanes<Word>);
    for_each_stream_lane(space, "rivulet::advance_tausworthe", before + some.count,
                         detail::AdvanceTausworthe<Kind>{streams, jump, some});
    space.fence();
  }

  /// The segments of streams to their starts, from where the streams are.
  void place(const Space& space, const TauswortheStreams<Kind>& from,
             const TauswortheStreams<Kind>& to,
             const Segments& cut) requires(Kind::components > 0) {
    const auto& jumps = distances_.of(cut, [&](unsigned count) {
      std::vector<Uint128> steps;
      for (unsigned r = 0; r < count; ++r) {
        steps.push_back((Uint128{cut.rounds} << r) * round_numbers);
      }
      return detail::upload_jumps<Kind>(steps);
    });
    for_each_stream_lane(space, "rivulet::place_tausworthe", cut.total(),
                         detail::PlaceTausworthe<Kind>{from, to, jumps, cut, doublings_of(cut)});
    space.fence();
  }

 private:
  static constexpr int round_numbers = TauswortheStreams<Kind>::round_numbers;
  /// Of the listing, which has none, any.
  using Jumps = std::conditional_t<(Kind::components > 0), detail::TauswortheJumps<Kind>, int>;

  const TausworthePlan& plan_;
  StreamRange range_;
  JumpDistances<Jumps> distances_;
};

}  // namespace rivulet
