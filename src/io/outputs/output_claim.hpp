// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Treatment of a complete file that cannot be renamed: it keeps its temporary name, for the user
/// to rename, or is removed, as it can be made again at once.
enum class Unnamed { stays, goes };

/// A file that this run alone writes: while this object lives, other runs are refused
/// (io/outputs/output_lock.hpp), and an empty file of a name that is this run's own is there to be
/// written. complete() gives it its name; without that nothing is left behind. Links are to be
/// followed before (io/outputs/replaced_file.hpp). Meanwhile a write past the limit on file sizes
/// is an error, not the end of the process.
class OutputClaim {
 public:
  /// Collective: root claims, and its failure is everybody's. `path` is where the file will be,
  /// `shown` its name in messages; both are root's. Goes on with the temporary file, if one is
  /// named, of an earlier claim, of this path or of another in the same file system, which was kept
  /// and is kept. Nobody else can write that file meanwhile.
  OutputClaim(const Communicator& communicator, const std::string& path, const std::string& shown,
              const std::string& temporary = "");
  ~OutputClaim();
  OutputClaim(const OutputClaim&) = delete;
  OutputClaim& operator=(const OutputClaim&) = delete;

  /// The file to write, the same on all ranks.
  const std::string& temporary() const;

  /// Whether the file stays where this claim, or the process, ends before it is complete: a
  /// checkpoint needs it. Collective.
  void keep(bool kept);

  /// Throws Error if another file has taken the temporary file's name. Root alone calls it.
  void require_own() const;
  /// Brings the file to the disk under its name, and ends the claim. It replaces the file that had
  /// the name when the claim began, and none that appeared, or was changed, since. Collective.
  void complete(Unnamed unnamed = Unnamed::stays);
  /// Whether it has its name; also where complete() failed after that.
  bool has_its_name() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes what a process that was killed while it wrote `path` has left: its lock and, unless it
/// was kept, its temporary file. Leaves what is not surely so. Local.
void remove_ended_claim(const std::string& path);

/// Throws Error unless all ranks that write (parallel HDF5: all) see root's file. Collective.
void require_seen(const Communicator& communicator, const std::string& path,
                  const std::string& shown);

/// Throws Error at once if root could not write its `path` later, or if ranks would not see it. A
/// full disk may have room then. `shown` is the file's name in messages. Collective.
void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& shown);

}  // namespace rivulet::io
