// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

// Names beside FILE. File systems and MPI would not take a long name with more after it, so these
// begin with its first bytes and a digest instead.

/// .FILE.lock, which the run that writes FILE holds.
std::string lock_of(const std::string& path);

/// FILE.DIGITS.part, with 16 random hexadecimal digits that no other run has.
std::string temporary_of(const std::string& path);
/// True for the name, without folder, of a temporary file of `path`.
bool is_temporary_of(const std::string& name, const std::string& path);

/// FILE.DIGITS.unfinished: the new name of a temporary file once a checkpoint needs it. No run
/// removes files of such names.
std::string unfinished_of(const std::string& temporary);
/// FILE, or a name that has the same lock, of either.
std::string output_of(const std::string& temporary);

/// Keeps other runs from writing a file, by flock() on a lock file beside it, which the kernel
/// releases when the process dies. The lock file's text names the process for messages, and its
/// temporary file, which the next holder removes. Holds nothing where the file system has no locks.
class OutputLock {
 public:
  /// Throws Error if another run holds the lock, or if the lock file cannot be made. `shown` is the
  /// file's name in messages.
  OutputLock(const std::string& path, const std::string& shown, const std::string& temporary);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// The path of the lock file.
  const std::string& path() const { return lock_; }

 private:
  bool take();
  std::string open_file();
  void remove_leftover(const std::string& text) const;
  void write(std::uint64_t before) const;
  bool is_in_place() const;

  std::string path_;
  std::string shown_;
  std::string lock_;
  std::string temporary_;  ///< without its folder
  FileDescriptor file_;
  bool is_writable_ = false;  ///< another user's file keeps its text
};

/// The process that writes a file now, or was killed while it did, as "process 4711 on node7, since
/// 2026-11-22T20:12:30Z"; empty for none.
std::string writer_of(const std::string& path);

/// Removes the lock file of a run whose temporary file that is. Any of the run's ranks may call it.
void remove_lock(const std::string& lock, const std::string& temporary);

}  // namespace rivulet::io
