// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/generators/dcmt_streams.hpp"
#include "kernels/generators/scatter_streams.hpp"
#include "kernels/generators/sets_starter.hpp"
#include "rivulet/detail/rng/dcmt_seeding.hpp"
#include "rivulet/detail/rng/mt_init.hpp"

namespace rivulet {

namespace detail {

/// The state of one stream seen as an array, for the initialisers.
template <int P>
struct StateWords {
  const DcmtStreams<P>& streams;
  std::uint64_t stream;
  KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return streams.word(k, stream); }
};

/// Gives streams the seeded state of their set, from local index `first` on.
template <int P>
struct SeedTwisters {
  DcmtStreams<P> streams;
  std::uint64_t first;
  bool published;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const std::uint64_t stream = first + offset;
    const StateWords<P> x{streams, stream};
    const std::uint64_t id = streams.set_of(stream);
    if (published) {
      init_genrand(x, DcmtStreams<P>::words,
                   published_seed_factor * static_cast<std::uint32_t>(id));
      return;
    }
    const auto key = dcmt_key(seed, id, P, streams.parameters(stream));
    init_by_array(x, DcmtStreams<P>::words, key.words, DcmtKey::length);
  }
};

/// A jump by the polynomial of each stream's set, column stream % columns of bits (JumpTable's), of
/// a segment that of its stream.
template <int P>
struct JumpKernel {
  using Bits = Kokkos::View<const std::uint32_t*, Space>;
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int n = shape.n;
  /// The longest state whose words and sums a CPU's 32 vector registers about hold.
  static constexpr int most_unrolled = 20;

  DcmtStreams<P> streams;
  Bits bits;
  std::uint64_t columns;
  JumpRange range;

  /// The streams of a group's lanes, and their columns of bits.
  struct Group {
    bool has[lanes<Word>];
    std::uint64_t stream[lanes<Word>];  ///< where there is none, another one that there is
    std::uint64_t column[lanes<Word>];
  };

  /// y_j = sum over i of g_i x_{i+j}, j = 0..n-1: the state g(A) x, read off the sequence itself
  /// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
  /// bits of x_0 reach only the dead bits of y_0.
  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    Group group;
    if (!find(group, first)) return;
    Sum sum;
    sum.a = Traits::generate([&](int l) { return streams.parameters(group.stream[l]).a; });
    for (int k = 0; k < n; ++k) {
      sum.x[k] = Traits::generate(
          [&](int l) { return streams.word(k, group.stream[l] - range.distance); });
      sum.y[k] = Word(0u);
    }
    // The polynomial has no coefficients from P on.
    static_assert((P + n - 1) / n * n <= 32 * n);
    if constexpr (device_build || n <= most_unrolled) {
      for (int i = 0; i < P; i += n) add(sum, i, group, std::make_integer_sequence<int, n>{});
    } else {
      for (int i = 0; i < P; ++i) add_any(sum, i, group);
    }
    for (int k = 0; k < n; ++k) put(k, group, sum.y[k]);
  }

  /// Whether there is any stream.
  KOKKOS_FUNCTION bool find(Group& group, std::uint64_t first) const {
    int one = lanes<Word>;
    for (int l = 0; l < lanes<Word>; ++l) {
      group.stream[l] = range.stream(first + static_cast<std::uint64_t>(l));
      group.has[l] = range.has(group.stream[l]);
      if (group.has[l]) one = l;
    }
    if (one == lanes<Word>) return false;
    for (int l = 0; l < lanes<Word>; ++l) {
      if (!group.has[l]) group.stream[l] = group.stream[one];
      group.column[l] = streams.stream(group.stream[l]) % columns;
    }
    return true;
  }

  /// What the jump keeps in registers: n words of the sequence in a ring, and the sums so far.
  struct Sum {
    Word a;
    Word x[n];
    Word y[n];
  };

  /// Adds g_i x_{i+j} for the next n values of i.
  template <int... step>
  KOKKOS_FORCEINLINE_FUNCTION void add(Sum& sum, int i, const Group& group,
                                       std::integer_sequence<int, step...>) const {
    (add_one<step>(sum, i + step, group), ...);
  }
  /// Adds g_i x_{i+j} where x_i is in place k of the ring, and replaces that by x_{i+n}.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_one(Sum& sum, int i, const Group& group) const {
    const Word mask = Word(0u) - coefficient(i, group);
    for (int j = 0; j < n; ++j) sum.y[j] ^= mask & sum.x[(k + j) % n];
    sum.x[k] = dcmt_twist<P>(sum.x[k], sum.x[(k + 1) % n], sum.x[(k + shape.m) % n], sum.a);
  }

  /// The same in loops: for states that no registers of a CPU hold, unrolling gains nothing.
  KOKKOS_FUNCTION void add_any(Sum& sum, int i, const Group& group) const {
    const Word mask = Word(0u) - coefficient(i, group);
    const int k = i % n;
    for (int j = 0; j < n - k; ++j) sum.y[j] ^= mask & sum.x[k + j];
    for (int j = n - k; j < n; ++j) sum.y[j] ^= mask & sum.x[k + j - n];
    sum.x[k] = dcmt_twist<P>(sum.x[k], sum.x[(k + 1) % n], sum.x[(k + shape.m) % n], sum.a);
  }
  /// g_i of every lane.
  KOKKOS_FORCEINLINE_FUNCTION Word coefficient(int i, const Group& group) const {
    return WordTraits<Word>::generate([&](int l) {
      return bits(static_cast<std::size_t>(i / 32) * columns + group.column[l]) >> (i % 32) & 1u;
    });
  }

  KOKKOS_FUNCTION void put(int k, const Group& group, Word value) const {
    for (int l = 0; l < lanes<Word>; ++l) {
      if (group.has[l]) streams.word(k, group.stream[l]) = WordTraits<Word>::lane(value, l);
    }
  }
};

template <int P>
void apply_jump(const Space& space, const DcmtStreams<P>& streams, const JumpTable& table,
                const JumpRange& range) {
  const Kokkos::View<std::uint32_t*, Space> bits(
      Kokkos::view_alloc("rivulet::jump_polynomials", Kokkos::WithoutInitializing),
      table.bits.size());
  copy_to_device(bits.data(), table.bits.data(), table.bits.size() * sizeof(std::uint32_t));
  const JumpKernel<P> kernel{streams, bits, table.sets, range};
  for_each_stream_lane(space, "rivulet::jump", range.count(), kernel);
}

}  // namespace detail

template <int P>
struct DcmtKernels {
  static void seed(const Space& space, const DcmtStreams<P>& streams, const DcmtPlan& plan,
                   std::uint64_t first, std::uint64_t count) {
    const bool published = plan.request().seeding == Seeding::published;
    for_each_stream(space, "rivulet::seed_streams", count,
                    detail::SeedTwisters<P>{streams, first, published, plan.request().seed});
  }
  static void jump(const Space& space, const DcmtStreams<P>& streams, const JumpTable& table,
                   const detail::JumpRange& range) {
    detail::apply_jump(space, streams, table, range);
  }
  static void scatter(const Space& space, const DcmtStreams<P>& streams,
                      const detail::StreamIndices& indices) {
    for_each_stream_lane(space, "rivulet::scatter_streams", streams.count(),
                         detail::ScatterByLane<DcmtStreams<P>>{streams, indices});
  }
};

template <int P>
using DcmtStarter = SetsStarter<DcmtStreams<P>, DcmtKernels<P>>;

}  // namespace rivulet
