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

/// A saved sequence. `states` are from the position or before.
struct SavedSequence {
  SequenceOptions options;
  std::string parameters_digest;
  Uint128 position = 0;
  SequenceStates states;
};

/// The bytes of a file, little-endian: saved_sequence_magic, format version (32 bits), total size
/// (64 bits), the struct's members, and 64 hexadecimal digits of SHA-256 over all before them.
std::vector<std::byte> to_bytes(const SavedSequence& saved);

/// The inverse. Throws SequenceError: not_a_state for bytes of another kind, truncated or altered;
/// wrong_version for another format version.
SavedSequence from_bytes(std::span<const std::byte> bytes);

}  // namespace rivulet
