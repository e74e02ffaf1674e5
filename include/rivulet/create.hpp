// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/rng/dcmt_set.hpp"

// Parameter sets of dynamically created twisters, for StreamsOptions::sets. This header needs the
// library Rivulet::rivulet, which searches for sets, proves them and reads HDF5.

namespace rivulet {

/// Creates `count` sets for exponent p (521, 607, 1279 or 2203). The ids are first_id, first_id +
/// 1, ..., up to at most 65535. Each set depends only on p, its id and the seed, has the proved
/// period 2^p - 1, and has no short linear relation. A set takes up to a few seconds; Kokkos' host
/// threads share the work. Throws Error for arguments out of range, and if no set is found.
/// Example: `create_dcmt_sets(521, 600, 4, 7)`.
DcmtSets create_dcmt_sets(int p, std::uint64_t first_id, std::uint64_t count, std::uint64_t seed);

/// Reads the sets of a parameter file that `rivulet create` wrote, and proves them again on the
/// host's threads. Not thread-safe, because HDF5 may not be. Throws Error if the file cannot be
/// used or a proof fails. Example: `read_dcmt_sets("sets.h5")`.
DcmtSets read_dcmt_sets(const std::string& file);

/// Returns the 32 sets of p = 521, ids 0..31, printed in List 6.17 of the OpenCL Mersenne Twister
/// program. These ids are the low 6 bits of the twist coefficients; other ids are the low 16 bits.
const DcmtSets& published_dcmt521();

}  // namespace rivulet
