// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace rivulet {

// What decks, rivulet.h and the Fortran module start from: declared once, read by all.

/// Streams are disjoint by proof, and fast on every machine.
inline constexpr std::string_view default_generator = "dcmt521";

/// Of native seeding.
inline constexpr std::uint64_t default_seed = 20261120;

/// RANMAR's published pair of stream 0: the pair whose numbers its authors print (Marsaglia, Zaman
/// & Tsang, Stat. Probab. Lett. 9 (1990) 35), and CORSIKA's default.
inline constexpr std::uint64_t default_ij = 1802;
inline constexpr std::uint64_t default_kl = 9373;

/// The least distance of twisters on one set, as a power of two: more words than any job draws, and
/// than any position of the library's sequences is away from the first.
inline constexpr std::uint64_t default_log2_jump = 128;

}  // namespace rivulet
