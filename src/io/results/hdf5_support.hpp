// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "io/results/results_file.hpp"

// After ours: hdf5.h may include mpi.h, which communicator.hpp includes without its C++ interface.
#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

namespace rivulet::io {

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }
  /// Negative on failure; the identifier is given up in any case.
  herr_t close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 ? 0 : closer_(id);
  }
  /// Gives the identifier up without closing it.
  void abandon() { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Keeps HDF5 from printing its error stack while it lives.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last HDF5 call failed: the operating system's own words if HDF5 kept them, otherwise the
/// innermost entry of its error stack.
std::string hdf5_reason();
/// Whether the last HDF5 call failed because MPI-IO could not write.
bool mpi_could_not_write();

/// HDF5's type of an ElementType in memory and, little-endian, in a file.
hid_t memory_type(ElementType type);
hid_t file_type(ElementType type);
std::size_t size_of(ElementType type);

/// UTF-8 text of a fixed number of bytes padded with zeros, or of variable length.
Handle text_type(std::size_t bytes = H5T_VARIABLE);
/// FALSE or TRUE in 8 bits, as h5py writes and reads bools.
Handle bool_type();

/// How files are opened: without HDF5's own locks, which some file systems lack. Rivulet has its
/// own lock for writers (io/files/output_lock.hpp), and readers open only complete files.
Handle file_access();
/// Opens the descriptor's own file for reading, even if another file has the name `path` now.
Handle open_to_read(const FileDescriptor& file, const std::string& path);

/// For HDF5's iterations: adds a name to a std::vector<std::string>.
template <class Info>
herr_t keep_name(hid_t, const char* name, const Info*, void* all) {
  static_cast<std::vector<std::string>*>(all)->emplace_back(name);
  return 0;
}

/// Whether all of "/a/b/c" exists. Throws nothing; negative HDF5 answers count as no.
bool link_exists(hid_t file, const std::string& path);

/// Whether a dataset's elements are (or may be) in other files, as those of virtual and external
/// datasets are: where such a file is missing, HDF5 reads zeros and says nothing.
bool is_elsewhere(const Handle& dataset);

/// Starts HDF5 so that it closes no file at the end of the process or in MPI_Finalize: a file whose
/// disk was full cannot be closed, and HDF5 1.10 crashes when it tries again. For MPI_Finalize to
/// be spared, this must come before MPI is started.
void start_hdf5();

}  // namespace rivulet::io
