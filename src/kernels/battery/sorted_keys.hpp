// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kokkos_compat.hpp"

namespace rivulet::detail {

/// Integers of 64 bits in memory that the space reaches, to be sorted there.
class SortedKeys {
 public:
  /// Throws Error if there is no memory.
  SortedKeys(const Space& space, std::uint64_t count);
  /// Bytes of memory for so many.
  static std::uint64_t bytes(std::uint64_t count) { return 2 * count * sizeof(std::uint64_t); }

  std::uint64_t* data() const { return keys_.data(); }
  /// Sorts; the keys are below 2^bits.
  void sort(int bits);
  /// Puts in place of sorted keys below `cells` (0 for 2^64) the distances to the next one, from
  /// the last one to the first around the end.
  void to_spacings(std::uint64_t cells);
  /// Bits of the largest key.
  int bits() const;
  /// Sorted keys that equal the one before.
  std::uint64_t repeated() const;
  std::vector<std::uint64_t> on_host() const;

 private:
  using Keys = Kokkos::View<std::uint64_t*, Space>;

  Space space_;
  std::uint64_t lanes_;
  Keys keys_;
  Keys other_;
  Keys places_;  ///< of each digit, for each lane
};

}  // namespace rivulet::detail
