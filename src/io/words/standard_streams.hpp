// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rivulet::io {

/// Puts something in the place of standard input, output and error where they are closed: files
/// that are opened later would get their numbers, and what is printed would go there. Writing to it
/// fails, as it would have. To be called first of all.
void open_standard_streams();

/// Writes to standard output at once, and remembers if that fails.
void print(const std::string& text);

/// Redirects all later output to standard error, where it may be lost. Returns false if that fails,
/// with errno.
bool print_to_standard_error();

/// Writes to standard error, as all do that have something to tell a user besides the results. What
/// cannot be written is lost, and changes nothing: the disk of a log may be full, its reader gone.
void tell(std::string_view text, int descriptor = STDERR_FILENO) noexcept;

/// Tells of something that does not end the run.
void warn(const std::string& what);

/// True if standard input is a pipe, socket or file with bytes to read; reads none.
bool has_input() noexcept;

/// Throws Error if something of what was printed did not arrive.
void require_printed();

/// Standard output for bytes alone. From the making of this object to the end of the process, what
/// anything else prints there (old Kokkos prints warnings) goes to standard error, and a reader's
/// end ends write(), not the process.
class RawOutput {
 public:
  /// Throws Error if standard output is a terminal, or closed; or, for bytes without end, a regular
  /// file, which would grow until its disk is full.
  explicit RawOutput(bool ends);
  ~RawOutput();
  RawOutput(const RawOutput&) = delete;
  RawOutput& operator=(const RawOutput&) = delete;

  /// Writes all of it; false if nobody reads any more. Throws Error for anything else that stops
  /// it.
  bool write(std::span<const std::byte> bytes);
  /// Network file systems may tell of a full disk only then. Throws Error.
  void close();

 private:
  int descriptor_ = -1;
};

}  // namespace rivulet::io
