// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>

namespace rivulet::io {

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
