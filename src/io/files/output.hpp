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

/// Treatment of a complete file that cannot be renamed. `keep_temporary`: the file keeps its
/// temporary name, and the user can rename it. `remove`: the file is removed, because Rivulet can
/// recreate it at once.
enum class OnRenameFailure { keep_temporary, remove };

/// An output file that only this run writes. Holds the lock that keeps other runs out
/// (io/files/output_lock.hpp), and creates an empty temporary file (O_EXCL) in the output's folder.
/// complete() renames the temporary file. The destructor removes an incomplete file, except after
/// keep(true). The caller must resolve symbolic links first (io/deck/replaced_file.hpp). During the
/// object's lifetime, a write past the limit on file sizes returns an error instead of ending the
/// process.
class Output {
 public:
  /// Root creates the file; if that fails, every rank throws root's Error. `path` is the final
  /// name, and `display_name` is the name in messages; only root's values count. If `unfinished` is
  /// not empty, continues that file, which an earlier run kept in the same file system. Collective.
  Output(const Communicator& communicator, const std::string& path, const std::string& display_name,
         const std::string& unfinished = "");
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Returns the path of the temporary file, which is the same on all ranks.
  const std::string& temporary() const { return temporary_; }

  /// On root, returns the temporary file, which is open for reading and writing.
  const FileDescriptor& file() const { return file_; }

  /// Sets whether the file outlives this object and the process. A checkpoint requires this,
  /// because it names the file. The first keep(true) renames temporary() to FILE.DIGITS.unfinished.
  /// Collective.
  void keep(bool kept);

  /// Flushes the file and renames it to its final name, in place of the file that had this name
  /// when the object was constructed. Then releases the lock. Throws Error if the file of that name
  /// has changed, or a new one has appeared, since construction. Collective.
  void complete(OnRenameFailure on_failure = OnRenameFailure::keep_temporary);
  /// True once the file has its final name, even if complete() failed after the rename.
  bool has_final_name() const { return completed_; }

 private:
  void create();
  void resume(const std::string& unfinished);
  void lock(const std::string& path, const std::string& display_name);
  void register_files();
  void set_kept(bool kept);
  std::uint64_t size_if_not_replaced() const;
  void rename_to_final_name(OnRenameFailure on_failure) const;

  Communicator communicator_;
  std::string path_;
  std::string display_name_;
  std::string temporary_;
  FileDescriptor file_;                   ///< on root: the temporary file
  std::optional<FileIdentity> existing_;  ///< on root: the existing file with the final name
  bool kept_ = false;
  bool completed_ = false;
  IgnoreFileSizeSignal signal_guard_;
  std::vector<std::unique_ptr<OutputLock>> locks_;  ///< on root: at most two
  std::vector<OpenOutput> registered_;              ///< one per lock, on every rank
};

}  // namespace rivulet::io
