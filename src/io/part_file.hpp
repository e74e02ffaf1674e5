// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace rivulet::io {

/// FILE.part, under which a results file is written until it is whole. Two writers of one FILE
/// never make one of both: while HDF5 writes it alone it is locked (flock, if the file system has
/// that), and the second is told; with MPI-IO, whose own locks those could meet, the first is at
/// its end.
class PartFile {
 public:
  /// None: of ranks but root.
  PartFile() = default;
  /// Creates it, empty and locked unless with_mpi_io, in place of one that a killed run left.
  /// Throws Error with the system's reason, or if somebody is writing it.
  PartFile(const std::string& file, bool with_mpi_io);
  ~PartFile();
  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) noexcept;

  /// Lets HDF5 open it, and lock it itself, in this process.
  void unlock() const;
  /// HDF5 has opened it.
  void opened() { is_opened_ = true; }

  /// Throws Error if somebody else has put his file in its place or is writing it. HDF5 has it not
  /// open. Does nothing on other ranks than root.
  void require_sole_writer() const;
  /// Gives the closed file its name, on the disk. Throws Error, and leaves both names alone, unless
  /// this is its sole writer.
  void commit();
  /// Removes it, unless it is somebody else's by now, or about to be.
  void remove() const;

 private:
  bool lock() const;
  void close();
  std::string part() const { return file_ + ".part"; }

  std::string file_;
  bool has_locks_ = false;
  bool is_opened_ = false;
  int descriptor_ = -1;
};

}  // namespace rivulet::io
