// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// Source of candidates for the twist coefficient. `hashed` uses a separate stream for each (seed,
/// p, id). `dc062` uses one MT19937 for all ids in turn, as the Dynamic Creator 0.6.2 does.
enum class Candidates { hashed, dc062 };

std::string to_string(Candidates candidates);

inline constexpr std::uint32_t dcmt_id_limit = 0x10000;  ///< ids are 16 bits
inline constexpr std::uint32_t dcmt_id_mask = 0xffff;    ///< the bits of `a` that hold the id

/// Returns the shape for exponent p. Throws Error unless 2^p - 1 is one of the offered periods.
DcmtShape offered_dcmt_shape(int p);

/// Returns the set for (seed, p, id), which depends on these alone. Its polynomial is proved
/// irreducible, its linear relations are not short, and find_tempering chooses its masks. Throws
/// Error if p is not offered, if id >= dcmt_id_limit, or if all candidates fail.
DcmtSet create_dcmt_set(int p, std::uint32_t id, std::uint64_t seed);

/// Performs the search of get_mt_parameters_st(32, p, first_id, last_id, seed) in the Dynamic
/// Creator 0.6.2, one set per call of next(). Between calls the caller can show progress. The
/// caller can choose the masks in parallel, because tempering consumes no candidates.
class Dc062Search {
 public:
  Dc062Search(int p, std::uint32_t first_id, std::uint32_t seed);

  /// Returns the next id and its irreducible twist coefficient, with zero masks. Throws Error if
  /// the ids are used up or, which is vanishingly unlikely, if no coefficient is found.
  DcmtSet next();

 private:
  DcmtShape shape_;
  std::uint32_t id_;
  std::mt19937 source_;
};

/// Throws Error, naming the set, if the set's characteristic polynomial is reducible or if a &
/// id_mask is not the set's id. The message begins with `place`.
void prove(const DcmtShape& shape, const DcmtSet& set, std::uint32_t id_mask = dcmt_id_mask,
           const std::string& place = "");

/// Returns the SHA-256, in 64 hexadecimal digits, of the sets as little-endian integers: p and the
/// number of sets in 64 bits each, then each set's id, a, b and c in 32 bits each.
std::string digest(const DcmtSets& sets);

}  // namespace rivulet
