// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace rivulet::detail {

/// What saved states begin with, 8 bytes that tell the formats apart; a version of 32 bits follows.
inline constexpr std::string_view saved_streams_magic = "RVLT-STR";  ///< Streams of the C++ library
inline constexpr std::string_view saved_sequence_magic = "RVLT-SEQ";  ///< C and Fortran
/// Of both, up to version 2.
inline constexpr std::string_view older_saved_magic = "RIVULETS";

}  // namespace rivulet::detail
