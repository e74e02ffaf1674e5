// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rivulet::io {

/// A process, told from later ones of the same number and from those of other hosts.
struct ProcessIdentity {
  std::string host;
  /// Where numbers of processes mean the same: this start of the machine, this container. Empty
  /// where the system does not tell.
  std::string space;
  std::uint64_t number = 0;
  std::uint64_t started = 0;  ///< clock ticks after the machine's start; 0 where unknown
};

ProcessIdentity this_process();

enum class Life { running, ended, unknown };

/// Whether a process of this host still runs; unknown for those of other hosts and containers.
Life life_of(const ProcessIdentity& process);

/// The time, as "2026-11-22T20:12:30Z".
std::string utc_now();

/// Who writes a file, as its lock says (io/outputs/output_lock.hpp).
struct Writer {
  ProcessIdentity process;
  std::string since;        ///< "2026-11-22T20:12:30Z"
  std::string temporary;    ///< name, in the file's folder, under which it writes
  bool holds_lock = false;  ///< the file system's, too; not where that has none
  bool keeps = false;       ///< a checkpoint needs what it writes, which is to stay

  /// "process 4711 on node7, since 2026-11-22T20:12:30Z"
  std::string text() const;
};

/// The content of a lock file.
std::string lock_text(const Writer& writer);
std::optional<Writer> writer_in(const std::string& text);
/// Whether a file that begins so may be a lock, perhaps one that is just being written.
bool may_be_lock(const std::string& text);

/// Where the lock of a file is: .NAME.rivulet-lock beside it.
std::string lock_of(const std::string& path);

/// Beside `path`, a name that no other process uses: NAME.DIGITS.part. Of names that are long there
/// is the beginning and a digest, as file systems and MPI would not take them with more behind.
std::string temporary_of(const std::string& path);
/// Whether a name (without folder) is one of these.
bool is_temporary_of(const std::string& name, const std::string& path);
/// The path that a temporary one was made of, or one that has the same lock.
std::string output_of(const std::string& temporary);

}  // namespace rivulet::io
