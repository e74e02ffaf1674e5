// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sequences/sequence_options.hpp"
#include "sequences/sequence_source.hpp"

namespace rivulet {

/// A saved sequence. `states` are the streams' states at `position` or at an earlier position.
struct SavedSequence {
  SequenceOptions options;
  std::string parameters_digest;
  Uint128 position = 0;
  SequenceStates states;
};

/// Returns the bytes of a file, in little-endian order: saved_sequence_magic, format version (32
/// bits), total size (64 bits), the struct's members, and the SHA-256 of all earlier bytes in 64
/// hexadecimal digits.
std::vector<std::byte> to_bytes(const SavedSequence& saved);

/// The inverse of to_bytes(). Throws SequenceError, with not_a_state for foreign, truncated or
/// altered bytes, and with wrong_version for another format version.
SavedSequence from_bytes(std::span<const std::byte> bytes);

}  // namespace rivulet
