// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet::detail {

/// Stream s has the authors' parameter set s % 200, and starts with index s / 200 on its cycle.
template <>
struct Family<Mtgp11213> : RingFamily<Mtgp11213, MtgpWords, TwisterStarts> {
  static constexpr const char* name = "mtgp11213";

  /// What tells the streams apart.
  template <class Mem>
  struct Shared {
    Kokkos::View<MtgpTables*, Mem> tables;

    Shared() = default;
    template <class Exec>
    Shared(const Exec& exec, const StreamsOptions&)
        : tables(uploaded<Mem>(exec, "rivulet::mtgp_sets", all_mtgp_tables())) {}

    KOKKOS_FORCEINLINE_FUNCTION MtgpWords recurrence(std::uint64_t id) const {
      return MtgpWords{tables.data() + id % mtgp_set_count};
    }
  };

  template <class Shared>
  static MtgpPlan plan(const Shared&, const StreamsOptions& options) {
    return MtgpPlan(request_of(options, mtgp_starts.log2_distance()));
  }
};

}  // namespace rivulet::detail
