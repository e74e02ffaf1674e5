// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>

#include "rivulet/detail/rng/mtgp.hpp"
#include "rng/word.hpp"

namespace rivulet {

#if RIVULET_VECTOR_WORD && defined(__GNUC__) && !defined(__clang__)
/// MTGP's tables of 16 entries in vector registers: an instruction looks up all lanes where one
/// register holds a table (std::experimental::simd has no such operation). Where it holds the half,
/// the entry of the highest bit is added apart: cheaper than to look into both halves.
class MtgpRegisters {
 public:
  static constexpr int width = lanes<Word>;
  static constexpr bool hold_a_table = 2 * width >= MtgpEntries::size;

  explicit MtgpRegisters(const std::uint32_t* entries)
      : low_(std::bit_cast<Vector>(WordTraits<Word>::load(entries))),
        highest_(Vector{} + entries[MtgpEntries::size / 2]) {}

  /// The compiler takes indices modulo the entries.
  KOKKOS_FORCEINLINE_FUNCTION Word operator()(const Word& index) const {
    const auto places = std::bit_cast<Vector>(index);
    Vector entry = __builtin_shuffle(low_, places);
    if constexpr (width < MtgpEntries::size) {
      constexpr std::uint32_t bit = MtgpEntries::size / 2;
      entry ^= reinterpret_cast<Vector>((places & bit) == bit) & highest_;
    }
    return std::bit_cast<Word>(entry);
  }

 private:
  typedef std::uint32_t Vector __attribute__((vector_size(sizeof(Word))));
  Vector low_;
  Vector highest_;
};
#else
struct MtgpRegisters {
  static constexpr bool hold_a_table = false;
  explicit MtgpRegisters(const std::uint32_t*) {}
};
#endif

/// What looks up entries for Word: of_bit are entries 1, 2, 4 and 8, `entries` all of them.
KOKKOS_FORCEINLINE_FUNCTION auto mtgp_lookup([[maybe_unused]] const std::uint32_t (&of_bit)[4],
                                             [[maybe_unused]] const std::uint32_t* entries) {
  if constexpr (MtgpRegisters::hold_a_table) {
    return MtgpRegisters(entries);
  } else if constexpr (lanes<Word> == 1) {
    return MtgpEntries{entries};
  } else {
    return MtgpSums(of_bit);
  }
}

}  // namespace rivulet
