// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// The first part of an input's Errors, and the advice if there is no such file.
struct Input {
  std::string path;
  std::string problem;            ///< "cannot read 'sets.h5'"
  std::string remedy_if_missing;  ///< "Check its name."
  bool may_be_a_pipe = false;     ///< such as /dev/stdin
};

/// Throws Error, with the operating system's reason, unless the path leads to a file that can be
/// opened and is a regular one: no folder, device, socket or (unless it may be one) pipe.
FileDescriptor open_input(const Input& input);

/// Reads an input of at most this number of bytes, without the byte order mark that editors and
/// spreadsheets put before a text in UTF-8. Throws Error as above, for one that is longer, for one
/// that the memory cannot take, and for one whose reading fails half-way.
std::string read_input(const Input& input, std::uint64_t most_bytes);

/// As one word of a POSIX shell.
std::string shell_quoted(const std::string& text);

/// The ending of a file's name with its dot, in lower case.
std::string ending_of(const std::string& path);

/// The Error for an input whose contents, as they are or as they are kept, find no memory.
[[noreturn]] void throw_no_memory(const Input& input);

}  // namespace rivulet::io
