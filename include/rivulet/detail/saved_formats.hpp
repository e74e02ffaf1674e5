// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace rivulet::detail {

/// The first 8 bytes of saved states distinguish the formats; a version of 32 bits follows.
inline constexpr std::string_view saved_streams_magic = "RVLT-STR";  ///< Streams of the C++ library
inline constexpr std::string_view saved_stream_magic = "RVLT-ONE";   ///< a Stream
inline constexpr std::string_view saved_sequence_magic = "RVLT-SEQ";  ///< C and Fortran
/// The magic of both up to version 2.
inline constexpr std::string_view older_saved_magic = "RIVULETS";

}  // namespace rivulet::detail
