// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "kernels/dcmt_streams.hpp"
#include "rng/mt_init.hpp"
#include "streams/jump_table.hpp"

namespace rivulet {

namespace impl {

/// The state of one stream seen as an array, for the initialisers.
template <int P>
struct StateWords {
  const DcmtStreams<P>& streams;
  std::uint64_t stream;
  KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return streams.word(k, stream); }
};

/// Gives local streams the seeded state of their set.
template <int P>
struct SeedTwisters {
  DcmtStreams<P> streams;
  bool published;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
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
  }
};

/// Streams first .. last-1 jump, from the state of stream - distance.
struct JumpRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t distance = 0;
};

/// A jump by the polynomial of each stream's set, column stream % columns of bits.
template <int P>
struct JumpKernel {
  using Bits = Kokkos::View<const std::uint32_t**, Kokkos::LayoutRight, Space>;
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int n = shape.n;

  DcmtStreams<P> streams;
  Bits bits;
  JumpRange range;

  /// y_j = sum over i of g_i x_{i+j}, j = 0..n-1: the state g(A) x, read off the sequence itself
  /// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
  /// bits of x_0 reach only the dead bits of y_0.
  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    using Traits = WordTraits<Word>;
    const std::uint64_t stream = range.first + offset;
    Sum sum;
    sum.a = Traits::generate(
        [&](int l) { return streams.parameters(stream + static_cast<std::uint64_t>(l)).a; });
    for (int k = 0; k < n; ++k) {
      sum.x[k] = Traits::generate([&](int l) { return source(k, stream, l); });
      sum.y[k] = Word(0u);
    }
    // The polynomial has no coefficients from P on.
    static_assert((P + n - 1) / n * n <= 32 * n);
    for (int i = 0; i < P; i += n) add(sum, i, stream, std::make_integer_sequence<int, n>{});
    for (int k = 0; k < n; ++k) put(k, stream, sum.y[k]);
  }

  /// What the jump keeps in registers: n words of the sequence in a ring, and the sums so far.
  struct Sum {
    Word a;
    Word x[n];
    Word y[n];
  };

  /// Adds g_i x_{i+j} for the next n values of i.
  template <int... step>
  KOKKOS_FORCEINLINE_FUNCTION void add(Sum& sum, int i, std::uint64_t stream,
                                       std::integer_sequence<int, step...>) const {
    (add_one<step>(sum, i + step, stream), ...);
  }
  /// Adds g_i x_{i+j} where x_i is in place k of the ring, and replaces that by x_{i+n}.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_one(Sum& sum, int i, std::uint64_t stream) const {
    const Word g = WordTraits<Word>::generate(
        [&](int l) { return coefficient_word(i / 32, stream, l) >> (i % 32) & 1u; });
    const Word mask = Word(0u) - g;
    for (int j = 0; j < n; ++j) sum.y[j] ^= mask & sum.x[(k + j) % n];
    sum.x[k] = dcmt_twist<P>(sum.x[k], sum.x[(k + 1) % n], sum.x[(k + shape.m) % n], sum.a);
  }

  /// Lanes past the last stream repeat it.
  KOKKOS_FUNCTION std::uint64_t lane_stream(std::uint64_t stream, int l) const {
    const std::uint64_t id = stream + static_cast<std::uint64_t>(l);
    return id < range.last ? id : range.last - 1;
  }
  KOKKOS_FUNCTION std::uint32_t source(int k, std::uint64_t stream, int l) const {
    return streams.word(k, lane_stream(stream, l) - range.distance);
  }
  KOKKOS_FUNCTION std::uint32_t coefficient_word(int row, std::uint64_t stream, int l) const {
    return bits(static_cast<std::size_t>(row), lane_stream(stream, l) % bits.extent(1));
  }
  KOKKOS_FUNCTION void put(int k, std::uint64_t stream, Word value) const {
    for (int l = 0; l < lanes<Word>; ++l) {
      const std::uint64_t id = stream + static_cast<std::uint64_t>(l);
      if (id < range.last) streams.word(k, id) = WordTraits<Word>::lane(value, l);
    }
  }
};

template <int P>
void apply_jump(const Space& space, const DcmtStreams<P>& streams, const JumpTable& table,
                const JumpRange& range) {
  using HostBits = Kokkos::View<const std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace,
                                Kokkos::MemoryUnmanaged>;
  const HostBits host(table.bits.data(), table.bits.size() / table.sets, table.sets);
  const Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Space> bits(
      Kokkos::view_alloc("rivulet::jump_polynomials", Kokkos::WithoutInitializing), host.extent(0),
      host.extent(1));
  Kokkos::deep_copy(bits, host);
  const JumpKernel<P> kernel{streams, bits, range};
  for_each_stream_lane(space, "rivulet::jump", range.last - range.first, kernel);
}

}  // namespace impl

/// Puts the twisters of a rank where they belong. `plan` must outlive it.
template <int P>
class DcmtStarter {
 public:
  DcmtStarter(const DcmtPlan& plan, StreamBlock block) : plan_(plan), block_(block) {}

  /// Every stream to its start. The first time computes the jumps.
  void seed(const Space& space, const DcmtStreams<P>& streams) {
    if (block_.count == 0) return;
    if (!jumps_) jumps_ = block_jumps(plan_, block_);
    const bool published = plan_.request().seeding == Seeding::published;
    Kokkos::parallel_for(
        "rivulet::seed_streams",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, jumps_->base),
        impl::SeedTwisters<P>{streams, published, plan_.request().seed});
    if (!jumps_->start.bits.empty()) {
      impl::apply_jump(space, streams, jumps_->start, {0, jumps_->base, 0});
    }
    std::uint64_t distance = plan_.sets();
    for (const JumpTable& doubling : jumps_->doublings) {
      const std::uint64_t last = std::min(streams.count(), 2 * distance);
      impl::apply_jump(space, streams, doubling, {distance, last, distance});
      distance *= 2;
    }
    space.fence();
  }

  /// Every stream so many blocks on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const DcmtStreams<P>& streams, Uint128 blocks) const {
    if (block_.count == 0 || blocks == 0) return;
    const JumpTable table = common_jump(plan_, block_, blocks * DcmtStreams<P>::block_numbers);
    impl::apply_jump(space, streams, table, {0, streams.count(), 0});
    space.fence();
  }

 private:
  const DcmtPlan& plan_;
  StreamBlock block_;
  std::optional<BlockJumps> jumps_;  // of the first seed(), for the others
};

}  // namespace rivulet
