// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rivulet::io {

/// Opens /dev/null in place of a closed standard input, output or error. Otherwise, a file opened
/// later would get that descriptor, and prints would go into the file. Reads and writes fail, as
/// they would on a closed descriptor. Must be called before anything is opened.
void open_standard_streams();

/// Writes to standard output, flushes it, and records a failure for require_printed().
void print(const std::string& text);

/// Redirects later standard output to standard error, where lost output is not an error. If the
/// redirection fails, returns false and sets errno.
bool print_to_standard_error();

/// Writes a message (anything but results) for the user, by default to standard error. Failures are
/// ignored, because a log's disk may be full, or its reader may be gone.
void write_message(std::string_view text, int descriptor = STDERR_FILENO) noexcept;

/// Reports a problem that does not end the run.
void warn(const std::string& what);

/// True if standard input is a pipe, socket or file with bytes to read. Reads no bytes.
bool has_input() noexcept;

/// Throws Error if any earlier print failed.
void require_printed();

/// Standard output for raw bytes only. From construction to the end of the process, other prints to
/// standard output (such as the warnings of old Kokkos versions) go to standard error. If the
/// reader is gone, write() returns false, and no signal ends the process.
class RawOutput {
 public:
  /// Throws Error if standard output is a terminal or closed. Also throws Error for a regular file
  /// if `is_finite` is false, because endless output would fill the disk.
  explicit RawOutput(bool is_finite);
  ~RawOutput();
  RawOutput(const RawOutput&) = delete;
  RawOutput& operator=(const RawOutput&) = delete;

  /// Writes all bytes. Returns false if the reader is gone; throws Error on any other failure.
  bool write(std::span<const std::byte> bytes);
  /// Closes the output. Throws Error on failure: network file systems may report a full disk only
  /// here.
  void close();

 private:
  int descriptor_ = -1;
};

}  // namespace rivulet::io
