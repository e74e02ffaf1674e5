// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace rivulet::io {

// Names beside FILE. File systems and MPI would not take a long name with more after it, so these
// begin with its first bytes and a digest instead.

/// .FILE.lock, which the run that writes FILE holds.
std::string lock_of(const std::string& path);

/// FILE.DIGITS.part, with 16 random hexadecimal digits that no other run has.
std::string temporary_of(const std::string& path);
/// Whether a name (without folder) is one of these.
bool is_temporary_of(const std::string& name, const std::string& path);

/// FILE.DIGITS.unfinished: the new name of a temporary file once a checkpoint needs it. No run
/// removes files of such names.
std::string unfinished_of(const std::string& temporary);
/// FILE, or a name that has the same lock, of either.
std::string output_of(const std::string& temporary);

}  // namespace rivulet::io
