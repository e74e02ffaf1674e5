// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/dcmt_streams.hpp"
#include "rng/mt_init.hpp"
#include "streams/jump_table.hpp"

namespace rivulet {

/// Seeds of the published program: 0x33ff times the stream id (List 6.16, genrand).
inline constexpr std::uint32_t published_seed_factor = 0x33ff;

namespace impl {

/// The state of one stream seen as an array, for the initialisers.
template <int P>
struct StateWords {
  const DcmtStreams<P>& streams;
  std::uint64_t stream;
  KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return streams.word(k, stream); }
};

/// Gives local streams 0 .. base-1, the padding included, the seeded state of their set.
template <int P>
void seed_base(const Space& space, const DcmtStreams<P>& streams, const StreamRequest& request,
               std::uint64_t base) {
  const bool published = request.seeding == Seeding::published;
  const std::uint64_t seed = request.seed;
  Kokkos::parallel_for(
      "rivulet::seed_streams",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, base),
      KOKKOS_LAMBDA(const std::uint64_t stream) {
        const StateWords<P> x{streams, stream};
        const std::uint64_t id = streams.set_of(stream);
        if (published) {
          init_genrand(x, DcmtStreams<P>::words,
                       published_seed_factor * static_cast<std::uint32_t>(id));
          return;
        }
        const std::uint32_t key[4] = {
            static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
            static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32)};
        init_by_array(x, DcmtStreams<P>::words, key, 4);
      });
}

/// A jump: streams first .. last-1 get the state of stream - distance moved by the polynomial of
/// their set, column stream % columns of bits.
template <int P>
struct JumpKernel {
  using Bits = Kokkos::View<const std::uint32_t**, Kokkos::LayoutRight, Space>;
  static constexpr DcmtShape shape = dcmt_shape(P);

  DcmtStreams<P> streams;
  Bits bits;
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t distance;

  /// y_j = sum over i of g_i x_{i+j}, j = 0..n-1: the state g(A) x, read off the sequence itself
  /// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
  /// bits of x_0 reach only the dead bits of y_0.
  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    using Traits = WordTraits<Word>;
    constexpr int n = shape.n;
    const std::uint64_t stream = first + offset;
    const Word a = Traits::generate(
        [&](int l) { return streams.parameters(stream + static_cast<std::uint64_t>(l)).a; });
    Word x[P + n];
    for (int k = 0; k < n; ++k) {
      x[k] = Traits::generate([&](int l) { return source(k, stream, l); });
    }
    for (int i = 0; i + n < P + n; ++i) x[i + n] = dcmt_twist<P>(x[i], x[i + 1], x[i + shape.m], a);
    Word y[n];
    for (int j = 0; j < n; ++j) y[j] = Word(0u);
    for (int row = 0; row * 32 < P; ++row) {
      Word coefficients = Traits::generate([&](int l) { return coefficient_word(row, stream, l); });
      for (int i = row * 32; i < P && i < row * 32 + 32; ++i) {
        const Word mask = Word(0u) - (coefficients & 1u);
        for (int j = 0; j < n; ++j) y[j] ^= mask & x[i + j];
        coefficients = coefficients >> 1;
      }
    }
    for (int k = 0; k < n; ++k) put(k, stream, y[k]);
  }

  /// Lanes past the last stream repeat it.
  KOKKOS_FUNCTION std::uint64_t lane_stream(std::uint64_t stream, int l) const {
    const std::uint64_t id = stream + static_cast<std::uint64_t>(l);
    return id < last ? id : last - 1;
  }
  KOKKOS_FUNCTION std::uint32_t source(int k, std::uint64_t stream, int l) const {
    return streams.word(k, lane_stream(stream, l) - distance);
  }
  KOKKOS_FUNCTION std::uint32_t coefficient_word(int row, std::uint64_t stream, int l) const {
    return bits(static_cast<std::size_t>(row), lane_stream(stream, l) % bits.extent(1));
  }
  KOKKOS_FUNCTION void put(int k, std::uint64_t stream, Word value) const {
    for (int l = 0; l < lanes<Word>; ++l) {
      const std::uint64_t id = stream + static_cast<std::uint64_t>(l);
      if (id < last) streams.word(k, id) = WordTraits<Word>::lane(value, l);
    }
  }
};

template <int P>
void apply_jump(const Space& space, const DcmtStreams<P>& streams, const JumpTable& table,
                std::uint64_t first, std::uint64_t last, std::uint64_t distance) {
  using HostBits = Kokkos::View<const std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                Kokkos::MemoryUnmanaged>;
  const HostBits host(table.bits.data(), table.bits.size() / table.sets, table.sets);
  const Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> bits(
      Kokkos::view_alloc("rivulet::jump_polynomials", Kokkos::WithoutInitializing), host.extent(0),
      host.extent(1));
  Kokkos::deep_copy(bits, host);
  const JumpKernel<P> kernel{streams, bits, first, last, distance};
  for_each_stream_lane(space, "rivulet::jump", last - first, kernel);
}

}  // namespace impl

/// Gives every stream of a rank its start state. Collective over nothing: each rank alone.
template <int P>
void seed_streams(const Space& space, const DcmtStreams<P>& streams, const StreamPlan& plan,
                  const BlockJumps& jumps) {
  if (streams.count() == 0) return;
  impl::seed_base(space, streams, plan.request(), jumps.base);
  if (!jumps.start.bits.empty()) impl::apply_jump(space, streams, jumps.start, 0, jumps.base, 0);
  std::uint64_t distance = plan.sets();
  for (const JumpTable& doubling : jumps.doublings) {
    const std::uint64_t last = std::min(streams.count(), 2 * distance);
    impl::apply_jump(space, streams, doubling, distance, last, distance);
    distance *= 2;
  }
  space.fence();
}

}  // namespace rivulet
