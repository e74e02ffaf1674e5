// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_buckets.hpp"

#include "machine/views.hpp"

namespace rivulet::detail {
namespace {

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

struct FillBuckets {
  EntryView entries;
  CountedBucket* buckets;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const { buckets[i] = {entries(i), {0, 0}}; }
};

struct ClearBuckets {
  CountedBucket* buckets;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    buckets[i].drawn[0] = buckets[i].drawn[1] = 0;
  }
};

/// Settles some buckets a call: aliases lie anywhere, and are prefetched before they are counted.
/// (In the order of buckets they are almost consecutive, as they were assigned in order.)
struct SettleBuckets {
  static constexpr std::uint64_t run = device_build ? 1 : 64;

  CountedBucket* buckets;
  std::uint64_t cells;
  std::uint64_t* counts;
  bool shared;  ///< counts are shared by threads

  KOKKOS_FUNCTION void operator()(std::uint64_t number) const {
    const std::uint64_t begin = number * run;
    const std::uint64_t end = begin + run < cells ? begin + run : cells;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (buckets[i].drawn[1] != 0) prefetch<true>(counts + buckets[i].entry.alias);
    }
    for (std::uint64_t i = begin; i < end; ++i) {
      CountedBucket& bucket = buckets[i];
      add(i, bucket.drawn[0]);
      add(bucket.entry.alias, bucket.drawn[1]);
      bucket.drawn[0] = bucket.drawn[1] = 0;
    }
  }
  KOKKOS_FUNCTION void add(std::uint64_t cell, std::uint32_t drawn) const {
    if (drawn == 0) return;
    if (shared) {
      Kokkos::atomic_add(counts + cell, std::uint64_t{drawn});
    } else {
      counts[cell] += drawn;
    }
  }
};

}  // namespace

AliasBuckets::AliasBuckets(const Space& space, const EntryView& entries)
    : buckets_(large_view<Kokkos::View<CountedBucket*, Space>>("rivulet::alias_buckets",
                                                               entries.extent(0))) {
  Kokkos::parallel_for("rivulet::alias_buckets", Range(space, 0, entries.extent(0)),
                       FillBuckets{entries, buckets_.data()});
}

void AliasBuckets::expect(const Space& space, const AliasHistogram& histogram,
                          std::uint64_t draws) {
  if (draws > most_draws - unsettled_) settle(space, histogram);
  unsettled_ += draws;
}

void AliasBuckets::settle(const Space& space, const AliasHistogram& histogram) {
  if (unsettled_ == 0) return;
  unsettled_ = 0;
  const std::uint64_t cells = buckets_.extent(0);
  constexpr std::uint64_t run = SettleBuckets::run;
  Kokkos::parallel_for(
      "rivulet::alias_settle", Range(space, 0, (cells + run - 1) / run),
      SettleBuckets{buckets_.data(), cells, histogram.copy(0), space.concurrency() > 1});
  space.fence();
}

void AliasBuckets::clear(const Space& space) {
  if (unsettled_ == 0) return;
  unsettled_ = 0;
  Kokkos::parallel_for("rivulet::alias_clear", Range(space, 0, buckets_.extent(0)),
                       ClearBuckets{buckets_.data()});
}

}  // namespace rivulet::detail
