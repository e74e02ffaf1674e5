// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/rng/dcmt_set.hpp"

// Parameter sets of dynamically created twisters, for StreamsOptions::sets. Unlike the other
// headers this one needs the library (Rivulet::rivulet), which has the mathematics and reads HDF5.

namespace rivulet {

/// New sets of exponent p (521, 607, 1279 or 2203), with the ids first_id .. first_id + count - 1,
/// at most 65535. Each is a function of p, its id and the seed alone, is proved to have the period
/// 2^p - 1, and has no short linear relation. Takes the host's threads, through Kokkos, up to some
/// seconds a set. Throws Error.
DcmtSets create_dcmt_sets(int p, std::uint64_t first_id, std::uint64_t count, std::uint64_t seed);

/// The sets of a parameter file that `rivulet create` wrote, proved again, by the host's threads.
/// Throws Error. Reads HDF5, which need not be made for threads: one call at a time.
DcmtSets read_dcmt_sets(const std::string& file);

/// The 32 sets of p = 521, ids 0..31, printed in List 6.17 of the OpenCL Mersenne Twister program.
/// Their id is the low 6 bits of the twist coefficient only.
const DcmtSets& published_dcmt521();

}  // namespace rivulet
