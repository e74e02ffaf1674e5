// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

/// An input file, and the texts of its error messages.
struct Input {
  std::string path;
  std::string problem;            ///< "cannot read 'sets.h5'"
  std::string remedy_if_missing;  ///< "Check its name."
  bool may_be_a_pipe = false;     ///< true to accept a pipe, such as /dev/stdin
};

/// Opens an input for reading. Throws Error, with the operating system's reason, if the file cannot
/// be opened or is not a regular file. Accepts a pipe, too, if may_be_a_pipe is true.
FileDescriptor open_input(const Input& input);

/// Returns the contents of an input, without the byte order mark that editors and spreadsheets add
/// to UTF-8 texts. Throws Error in the same cases as open_input(). Also throws Error if the input
/// is longer than `max_bytes`, does not fit into memory or cannot be read to its end.
std::string read_input(const Input& input, std::uint64_t max_bytes);

/// Quotes a text as one word of a POSIX shell.
std::string shell_quoted(const std::string& text);

/// Returns the extension of a file's name, with its dot, in lower case.
std::string ending_of(const std::string& path);

/// Throws the Error for an input whose contents, raw or converted, do not fit into memory.
[[noreturn]] void throw_no_memory(const Input& input);

}  // namespace rivulet::io
