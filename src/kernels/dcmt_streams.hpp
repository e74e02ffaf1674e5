// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/for_each_stream.hpp"
#include "parameters/dcmt_set.hpp"
#include "rng/dcmt.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// The dcmt streams of one rank in device memory: n words each, at a block boundary, and the
/// parameter sets they share. Copies share the memory, as Kokkos views do. Streams have local
/// indices 0 .. count-1.
template <int P>
class DcmtStreams {
 public:
  using Engine = Dcmt<P, Word>;
  static constexpr DcmtShape shape = dcmt_shape(P);
  /// Words of state a stream.
  static constexpr int words = shape.n;
  static constexpr int block_words = shape.n;
  /// Team scratch words that a block of output needs: the state before and the new block.
  static constexpr int team_block_words = shape.n;

  /// Allocates and uploads the sets; the states are for seed_streams() to fill.
  DcmtStreams(const DcmtSets& sets, StreamBlock block)
      : states_("rivulet::dcmt_states", static_cast<std::size_t>(words), padded(block.count)),
        sets_(Kokkos::view_alloc("rivulet::dcmt_sets", Kokkos::WithoutInitializing),
              sets.sets.size()),
        block_(block) {
    const auto host = Kokkos::create_mirror_view(sets_);
    for (std::size_t j = 0; j < sets.sets.size(); ++j) {
      host(j, 0) = sets.sets[j].a;
      host(j, 1) = sets.sets[j].b;
      host(j, 2) = sets.sets[j].c;
    }
    Kokkos::deep_copy(sets_, host);
  }

  KOKKOS_FUNCTION std::uint64_t count() const { return block_.count; }
  KOKKOS_FUNCTION StreamBlock block() const { return block_; }
  KOKKOS_FUNCTION std::uint64_t sets() const { return sets_.extent(0); }

  /// Parameter set that a local stream index draws from.
  KOKKOS_FUNCTION std::uint64_t set_of(std::uint64_t stream) const {
    return (block_.first + stream) % sets_.extent(0);
  }

  KOKKOS_FUNCTION DcmtParameters<std::uint32_t> parameters(std::uint64_t stream) const {
    const std::uint64_t set = set_of(stream);
    return {sets_(set, 0), sets_(set, 1), sets_(set, 2)};
  }

  /// Word k of a stream's state; the padding up to whole tiles may be read and written.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& word(int k, std::uint64_t stream) const {
    return states_(static_cast<std::size_t>(k), stream);
  }

  /// A stream's state, on the host.
  std::vector<std::uint32_t> copy_state(std::uint64_t stream) const {
    const auto column = Kokkos::subview(states_, Kokkos::ALL, stream);
    const Kokkos::View<std::uint32_t*, Space> packed("rivulet::state", words);
    Kokkos::deep_copy(packed, column);
    const auto host = Kokkos::create_mirror_view(packed);
    Kokkos::deep_copy(host, packed);
    return {host.data(), host.data() + words};
  }

  /// The engine of streams first .. first + lanes<Word> - 1.
  KOKKOS_FUNCTION Engine load(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    const auto column = [&](int what) {
      return Traits::generate([&](int l) {
        return sets_(set_of(first + static_cast<std::uint64_t>(l)), static_cast<std::size_t>(what));
      });
    };
    typename Engine::State state;
    for (int k = 0; k < words; ++k) state.x[k] = Traits::load(&word(k, first));
    return Engine({column(0), column(1), column(2)}, state);
  }

  /// Puts back what load() gave, after whole blocks.
  KOKKOS_FUNCTION void store(std::uint64_t first, const Engine& engine) const {
    for (int k = 0; k < words; ++k) WordTraits<Word>::store(engine.state().x[k], &word(k, first));
  }

  /// Makes the next block of a stream's raw words out of the last one, the team together: new words
  /// go to to[0..n-1], from[0..n-1] are the n before. Each half depends on what precedes it only.
  template <class Words>
  KOKKOS_FUNCTION static void team_block(const StreamTeam& team, const Words& from, const Words& to,
                                         std::uint32_t a) {
    constexpr int n = shape.n;
    constexpr int m = shape.m;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n - m), [&](int k) {
      to(k) = dcmt_twist<P>(from(k), from(k + 1), from(k + m), a);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n - m, n), [&](int k) {
      to(k) = dcmt_twist<P>(from(k), k + 1 < n ? from(k + 1) : to(0), to(k + m - n), a);
    });
    team.team_barrier();
  }

  /// Output of a raw word.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t temper(
      std::uint32_t raw, const DcmtParameters<std::uint32_t>& parameters) {
    return dcmt_temper(raw, parameters.b, parameters.c);
  }

  std::uint64_t state_bytes() const { return states_.span() * sizeof(std::uint32_t); }

 private:
  static std::uint64_t padded(std::uint64_t count) {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return (count + tile - 1) / tile * tile;
  }

  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> states_;
  Kokkos::View<std::uint32_t* [3], Kokkos::LayoutRight, Space> sets_;
  StreamBlock block_;
};

}  // namespace rivulet
