// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/files/file_space.hpp"

namespace rivulet::io {

// The functions below name files in the folder of FILE. A long FILE is shortened to its first bytes
// and a digest, because file systems and MPI limit the length of names.

/// Returns .FILE.lock, the lock file of the run that writes FILE.
std::string lock_of(const std::string& path);

/// Returns FILE.DIGITS.part, with 16 random hexadecimal digits, which make the name unique.
std::string temporary_of(const std::string& path);
/// True if `name`, which has no folder, is the name of a temporary file for `path`.
bool is_temporary_of(const std::string& name, const std::string& path);

/// Returns FILE.DIGITS.unfinished, the new name of a temporary file that a checkpoint needs. No run
/// removes files with such names.
std::string unfinished_of(const std::string& temporary);
/// Returns FILE for a .part or .unfinished file; if FILE was shortened, returns the shortened name,
/// which has the same lock.
std::string output_of(const std::string& temporary);

/// Keeps other runs from writing a file: holds flock() on a lock file in the same folder. The
/// kernel releases the lock when the process dies. The text of the lock file names the process, for
/// messages, and the temporary file, which the next holder removes. No-op if the file system has no
/// locks.
class OutputLock {
 public:
  /// Throws Error if another run holds the lock, or if the lock file cannot be created.
  /// `display_name` is the file's name in messages.
  OutputLock(const std::string& path, const std::string& display_name,
             const std::string& temporary);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// Returns the path of the lock file.
  const std::string& path() const { return lock_; }

 private:
  bool try_acquire();
  std::string open_file();
  void remove_leftover(const std::string& text) const;
  void write(std::uint64_t old_bytes) const;
  bool is_in_place() const;

  std::string path_;
  std::string display_name_;
  std::string lock_;
  std::string temporary_;  ///< without its folder
  FileDescriptor file_;
  bool is_writable_ = false;  ///< false for another user's lock file, which keeps its text
};

/// Returns the process that is writing a file, or that was killed while it wrote the file: "process
/// 4711 on node7, since 2026-11-22T20:12:30Z". Returns "" if there is none.
std::string writer_of(const std::string& path);

/// Removes the lock file if it names this temporary file. Any rank of the run may call this
/// function.
void remove_lock(const std::string& lock, const std::string& temporary);

}  // namespace rivulet::io
