// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/files/file_space.hpp"
#include "io/files/open_outputs.hpp"
#include "io/files/output_lock.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Treatment of a complete file that cannot be renamed: it keeps its temporary name, for the user
/// to rename, or is removed, as it can be made again at once.
enum class Unnamed { stays, goes };

/// A file that this run alone writes: an empty temporary file beside it, made by O_EXCL, and the
/// lock that other runs are refused by (io/files/output_lock.hpp). complete() renames the
/// temporary file; the destructor removes one that is incomplete. The caller follows links before
/// (io/deck/replaced_file.hpp). While this object lives, a write past the limit on file sizes is
/// an error of the call, not the end of the process.
class Output {
 public:
  /// Collective; root makes the file, and its failure is every rank's. `path` is the final name,
  /// `shown` the name in messages; both are root's. If `unfinished` is not empty, continues that
  /// file, which an earlier run kept, in the same file system.
  Output(const Communicator& communicator, const std::string& path, const std::string& shown,
         const std::string& unfinished = "");
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// The file to write, the same on all ranks.
  const std::string& temporary() const { return temporary_; }

  /// Root's: the temporary file, open for reading and writing.
  const FileDescriptor& file() const { return file_; }

  /// If a checkpoint needs the file (kept), it outlives this object and the process. The
  /// first keep(true) changes temporary() to FILE.DIGITS.unfinished. Collective.
  void keep(bool kept);

  /// Flushes and renames the file, and releases the lock. Replaces the file that had the name when
  /// this object was made, but none that appeared, or was changed, since. Collective.
  void complete(Unnamed unnamed = Unnamed::stays);
  /// True once the file has its name, even if complete() failed after that.
  bool has_its_name() const { return completed_; }

 private:
  void make();
  void take_up(const std::string& unfinished);
  void lock(const std::string& path, const std::string& shown);
  void register_files();
  void outlast(bool kept);
  std::uint64_t own_bytes() const;
  void give_name(Unnamed unnamed) const;

  Communicator communicator_;
  std::string path_;
  std::string shown_;
  std::string temporary_;
  FileDescriptor file_;                 ///< root's: the temporary file
  std::optional<FileIdentity> before_;  ///< root's: what had the name
  bool kept_ = false;
  bool completed_ = false;
  IgnoreFileSizeSignal signal_guard_;
  std::vector<std::unique_ptr<OutputLock>> locks_;  ///< root's, at most two
  std::vector<OpenOutput> open_;                    ///< for each of these, on every rank
};

}  // namespace rivulet::io
