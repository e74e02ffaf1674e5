// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/rng/dcmt_set.hpp"

// Parameter sets of dynamically created twisters, for StreamsOptions::sets. Unlike the other
// headers this one needs the library Rivulet::rivulet, which searches, proves and reads HDF5.

namespace rivulet {

/// Creates `count` sets of exponent p (521, 607, 1279 or 2203), with ids from first_id on, at most
/// 65535. Each set is a function of p, its id and the seed alone, is proved to have the period
/// 2^p - 1, and has no short linear relation. A set takes up to some seconds; Kokkos' host
/// threads share the work. Throws Error.
DcmtSets create_dcmt_sets(int p, std::uint64_t first_id, std::uint64_t count, std::uint64_t seed);

/// Reads the sets of a parameter file that `rivulet create` wrote, and proves them again on the
/// host's threads. HDF5 may not be thread-safe: make one call at a time. Throws Error.
DcmtSets read_dcmt_sets(const std::string& file);

/// The 32 sets of p = 521, ids 0..31, printed in List 6.17 of the OpenCL Mersenne Twister program.
/// Their id is the low 6 bits of the twist coefficient only.
const DcmtSets& published_dcmt521();

}  // namespace rivulet
