// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/alias/alias_buckets.hpp"
#include "kernels/alias/alias_sections.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// How an alias table's streams meet hardware. Samples do not depend on it.
struct AliasMapping {
  StreamMapping streams = StreamMapping::lane;
  int streams_per_team = 0;  ///< with the team mapping, 1 .. 16 that share a Kokkos team; 0 chooses
  /// Of tables of one level by lanes; where it is empty, draws are put in order if that pays.
  std::optional<AliasSectionShape> sections{};
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
  /// On a CPU, of tables of one level by lanes: cells from which on counts lie beside the buckets.
  std::uint64_t buckets_from = cells_worth_buckets;
};

}  // namespace rivulet
