// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "library_words.hpp"
#include "power_of_t.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"
#include "word_table.hpp"

// Known good words and known bad streams, which test the independence tests. The library's own
// starts are not used.
namespace rivulet::independence {

/// A stateless function of (stream, number): two rounds of SplitMix64's finaliser.
inline std::uint32_t hashed_word(std::uint64_t stream, std::uint64_t number) {
  const std::uint64_t key = splitmix64_mix((stream + 1) * splitmix64_increment);
  return static_cast<std::uint32_t>(splitmix64_mix(key + number * splitmix64_increment) >> 32);
}

/// Returns a function that draws stream `id` with the engine make_engine(id).
template <class MakeEngine>
TableFunction table_of_engines(MakeEngine make_engine) {
  return [make_engine = std::move(make_engine)](std::span<const std::uint64_t> ids,
                                                std::uint64_t numbers) {
    WordTable table(ids.size(), numbers);
    for (std::size_t s = 0; s < ids.size(); ++s) {
      auto engine = make_engine(ids[s]);
      for (std::uint32_t& word : table.stream(s)) word = static_cast<std::uint32_t>(engine());
    }
    return table;
  };
}

/// A Tausworthe state of hashed words.
template <class Kind>
typename Tausworthe<Kind>::State hashed_tausworthe(std::uint64_t id) {
  typename Tausworthe<Kind>::State state{};
  for (int k = 0; k < Kind::words; ++k) {
    state.z[k] = hashed_word(id, static_cast<std::uint64_t>(k));
  }
  Kind::make_valid(state.z);
  return state;
}

/// Streams with random states: as independent as the generator allows.
template <class Kind>
TableFunction tausworthe_of_random_states() {
  return table_of_engines(
      [](std::uint64_t id) { return Tausworthe<Kind>(hashed_tausworthe<Kind>(id)); });
}

/// Streams that start from one state, jumped by steps(bit) steps for each set bit of their ids.
template <class Kind>
TableFunction tausworthe_by_bits(const std::function<Uint128(unsigned)>& steps) {
  std::vector<TauswortheJump<Kind>> jumps;
  for (unsigned r = 0; r < 40; ++r) jumps.push_back(tausworthe_jump<Kind>(steps(r)));
  return table_of_engines([jumps](std::uint64_t id) {
    auto state = hashed_tausworthe<Kind>(0);
    for (std::size_t r = 0; r < jumps.size(); ++r) {
      if ((id >> r & 1) != 0) jumps[r](state.z);
    }
    return Tausworthe<Kind>(state);
  });
}

/// Bad: streams that start 2^64 steps apart. For the components of degree 31, 29, 28 and 25 this is
/// 4, 64, 256 and 16384 steps; the congruential part makes none. Ids must be below 2^40.
template <class Kind>
TableFunction tausworthe_in_progression() {
  return tausworthe_by_bits<Kind>([](unsigned r) { return Uint128{1} << (64 + r); });
}

/// Bad: irregular starts E(s) without the hashed part. Additive starts make blocks of streams
/// linearly dependent. Ids must be below 2^40.
template <class Kind>
TableFunction tausworthe_of_additive_starts() {
  return tausworthe_by_bits<Kind>([](unsigned r) { return IrregularStarts(64).jump(r); });
}

/// A twister's state of hashed words.
template <int P>
DcmtState<P, std::uint32_t> hashed_state(std::uint64_t stream) {
  DcmtState<P, std::uint32_t> state{};
  for (int k = 0; k < state.words; ++k) {
    state.x[k] = hashed_word(stream, static_cast<std::uint64_t>(k));
  }
  return state;
}

/// Returns g(A) x, the sum of the states that follow x by i steps, over all i for which coefficient
/// i of g is nonzero.
template <int P>
DcmtState<P, std::uint32_t> jumped(DcmtState<P, std::uint32_t> x, std::uint32_t a,
                                   const Gf2Polynomial& g) {
  constexpr int n = DcmtState<P, std::uint32_t>::words;
  DcmtState<P, std::uint32_t> sum{};
  for (int i = 0; i < P; ++i) {
    const std::uint32_t mask = g.coefficient(i) ? 0xffffffff : 0;
    for (int j = 0; j < n; ++j) sum.x[j] ^= mask & x.x[(i + j) % n];
    x.x[i % n] = dcmt_twist<P>(x.x[i % n], x.x[(i + 1) % n], x.x[(i + dcmt_shape(P).m) % n], a);
  }
  return sum;
}

/// Streams with one parameter set that start from one state, jumped by jumps[r] for each set bit r
/// of their ids.
template <int P>
TableFunction twister_by_bits(DcmtSet set, std::vector<Gf2Polynomial> jumps) {
  return table_of_engines([set, jumps = std::move(jumps)](std::uint64_t id) {
    auto state = hashed_state<P>(0);
    for (std::size_t r = 0; r < jumps.size(); ++r) {
      if ((id >> r & 1) != 0) state = jumped<P>(state, set.a, jumps[r]);
    }
    return Dcmt<P>({set.a, set.b, set.c}, state);
  });
}

/// Bad: streams 2^200 steps apart with one parameter set. This jump is a power of the Frobenius
/// map, so the words of successive streams satisfy the set's characteristic polynomial. Ids must be
/// below 2^20.
template <int P>
TableFunction twister_in_progression(DcmtSet set) {
  const auto phi = dcmt_characteristic_polynomial(dcmt_shape(P), set.a);
  std::vector<Gf2Polynomial> jumps;
  for (unsigned r = 0; r < 20; ++r) jumps.push_back(power_of_t(1, 200 + r, phi));
  return twister_by_bits<P>(set, std::move(jumps));
}

/// Bad: irregular starts without the hashed part, with one parameter set. Ids must be below 2^20.
template <int P>
TableFunction twister_of_additive_starts(DcmtSet set) {
  const JumpPolynomials of_starts(dcmt_characteristic_polynomial(dcmt_shape(P), set.a),
                                  IrregularStarts(128), (1u << 20) - 1);
  return twister_by_bits<P>(set, of_starts.bit_jumps());
}

/// Twisters with random states, which use the parameter sets in turn: as independent as possible.
/// Bad if compared with twisters of the same states and other sets.
template <int P>
TableFunction twisters_of_random_states(DcmtSets sets) {
  return table_of_engines([sets = std::move(sets.sets)](std::uint64_t id) {
    const DcmtSet& set = sets[id % sets.size()];
    return Dcmt<P>({set.a, set.b, set.c}, hashed_state<P>(id));
  });
}

/// RANMAR with random starts: as independent as possible. Bad if compared with another variant with
/// the same starts.
template <class Variant>
TableFunction ranmar_of_random_starts() {
  return table_of_engines([](std::uint64_t id) {
    RanmarState<Variant> start{};
    for (int k = 0; k < ranmar_words; ++k) {
      const std::uint64_t high = hashed_word(id, static_cast<std::uint64_t>(2 * k));
      const std::uint64_t low = hashed_word(id, static_cast<std::uint64_t>(2 * k + 1));
      start.x[k] =
          static_cast<typename Variant::Integer>((high << 32 | low) >> (64 - Variant::bits));
    }
    return [engine = Ranmar<Variant>(start)]() mutable { return engine() >> (Variant::bits - 32); };
  });
}

}  // namespace rivulet::independence
