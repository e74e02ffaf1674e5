// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "io/results/results_file.hpp"

// hdf5.h must come last: it may include mpi.h, and communicator.hpp must include mpi.h first,
// without the C++ bindings.
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
  /// Closes the identifier and forgets it. Returns a negative value on failure.
  herr_t close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 ? 0 : closer_(id);
  }
  /// Forgets the identifier without closing it.
  void abandon() { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Closer closer_ = nullptr;
};

/// Keeps HDF5 from printing its error stack during this object's lifetime.
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

/// Returns why the last HDF5 call failed: the operating system's message if HDF5 kept it, otherwise
/// the innermost entry of HDF5's error stack.
std::string hdf5_reason();
/// True if the last HDF5 call failed because MPI-IO could not write.
bool mpi_could_not_write();

/// Returns HDF5's native type for an ElementType; file_type() returns the little-endian type used
/// in files.
hid_t memory_type(ElementType type);
hid_t file_type(ElementType type);
std::size_t size_of(ElementType type);

/// Returns a type for UTF-8 strings of `bytes` bytes, padded with zeros. By default, the length is
/// variable.
Handle text_type(std::size_t bytes = H5T_VARIABLE);
/// Returns the 8-bit enumeration of FALSE and TRUE that h5py uses for bools.
Handle bool_type();

/// Returns file access properties without HDF5's locks, which some file systems lack. Writers use
/// Rivulet's own lock (io/files/output_lock.hpp), and readers open only complete files.
Handle file_access();
/// Opens the descriptor's file for reading. On Linux, opens this file even if `path` names another
/// file by now; on other systems, opens `path`.
Handle open_to_read(const FileDescriptor& file, const std::string& path);

/// Callback for HDF5's iterators: appends `name` to `all`, a std::vector<std::string>.
template <class Info>
herr_t append_name(hid_t, const char* name, const Info*, void* all) {
  static_cast<std::vector<std::string>*>(all)->emplace_back(name);
  return 0;
}

/// True if every component of `path`, such as "/a/b/c", exists. Does not throw: returns false after
/// an HDF5 error.
bool link_exists(hid_t file, const std::string& path);

/// True for virtual and external datasets, whose elements are (or may be) in other files. If those
/// files are missing, HDF5 silently reads zeros.
bool has_external_data(const Handle& dataset);

/// Starts HDF5 without its exit handler, which would close open files at the end of the process and
/// in MPI_Finalize. A file whose disk was full cannot be closed, and HDF5 1.10 crashes when it
/// tries again. Must be called before MPI starts; otherwise, MPI_Finalize still closes open files.
void start_hdf5();

}  // namespace rivulet::io
