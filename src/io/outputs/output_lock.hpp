// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/outputs/file_space.hpp"
#include "io/outputs/writer.hpp"

namespace rivulet::io {

/// Exclusive permission to write a file. A lock file beside it names the owner
/// (io/outputs/writer.hpp), is made by O_EXCL and, where the file system supports it, locked
/// with flock(), which is released when the process dies. The lock file and the temporary file of a
/// process that has ended are removed, the latter only if no checkpoint needs it.
class OutputLock {
 public:
  /// Throws Error if another process has the right, or may have it; or if the lock cannot be
  /// written. `shown` is the file's name in messages; `temporary` that under which it is written,
  /// which stays when the process ends if it `keeps` it, as a checkpoint needs it.
  OutputLock(const std::string& path, const std::string& shown, const std::string& temporary,
             bool keeps = false);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

  /// Whether it keeps the temporary file, from now on.
  void keep(bool kept);

  /// The path of the lock file.
  const std::string& path() const { return lock_; }

 private:
  bool take();
  bool take_locked(const std::string& before);
  bool take_without_locks(bool is_new, const std::string& before);
  void remove_what_is_left(const Writer& before) const;
  void move_away() const;
  void take_away() const;
  void write();
  int written() const;
  bool is_in_place() const;

  std::string path_;  ///< of the file
  std::string shown_;
  std::string lock_;
  Writer self_;
  FileDescriptor file_;
};

/// Who writes a file just now, or was killed while it did; nothing where nobody does.
std::optional<Writer> writer_of(const std::string& path);

/// Whether flock() on this file is seen by everybody who can open it, on other hosts too: so on
/// file systems of one host, and on those of networks that are mounted for it. False where it is
/// not known.
bool locks_reach_everybody(int descriptor);

/// The same of a file system by its number (f_type of statfs(2)), and how it is mounted: options
/// between commas, with commas around them; "" for unknown.
bool locks_reach(std::uint32_t system, const std::string& options);

/// Removes the lock of a process that writes this temporary file, of whichever rank.
void remove_lock(const std::string& lock, const std::string& temporary);

}  // namespace rivulet::io
