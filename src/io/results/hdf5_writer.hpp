// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/hdf5_support.hpp"

namespace rivulet::io {

/// Strings as rows of `width` bytes each, padded with zeros.
struct TextTable {
  std::uint64_t width = 1;
  std::uint64_t count = 1;
  bool scalar = true;
  std::string bytes = {};  ///< width * count bytes; empty on a rank without strings
};

TextTable table_of(const std::vector<std::string>& values, bool scalar);

/// Name of the file that HDF5 is writing, for use in messages.
inline const char* current_file_name = "";

/// Aborts the run after an MPI-IO failure, because the other ranks would wait in HDF5. No-op while
/// HDF5 writes elements, because HDF5 then returns on all ranks.
void abort_unless_hdf5_returns(const std::string& why);

/// An HDF5 file that this process writes. With MPI-IO, every function is collective. On failure,
/// every function throws Error with HDF5's reason.
class Hdf5Writer {
 public:
  enum class OpenMode { create, reopen };
  /// Opens `path`, through MPI-IO if `parallel` is true. `display_name` is the file's name in
  /// messages.
  void open(const std::string& path, const std::string& display_name,
            const Communicator& communicator, bool parallel, FileForm form,
            const ChunkLayout& layout = {}, OpenMode mode = OpenMode::create);
  void flush();
  /// Closes the file. The file counts as closed even if this function throws.
  void close();
  /// Forgets the file without closing it. The file stays open until the process ends.
  void abandon() { file_.abandon(); }

  void group(const std::string& path);
  void attribute(const std::string& object, const std::string& name, const AttributeValue& value);
  void create(const std::string& path, const TableExtents& shape);
  /// Creates a dataset for this shape, but without rows; extend() adds the rows.
  void create_empty(const std::string& path, const TableExtents& shape);
  void extend(const std::string& path, const TableExtents& shape);
  void remove(const std::string& path);
  /// Writes elements. With MPI-IO, a rank without rows must call this function, too.
  void write(const std::string& path, const Hyperslab& hyperslab);
  void texts(const std::string& path, const TextTable& table);

  /// Returns the size, in bytes, of the user block at the beginning of a file. The block holds the
  /// seal, and is at least as long as HDF5 requires for this alignment.
  static std::uint64_t user_block_bytes(const ChunkLayout& layout);
  /// Returns an upper bound, in bytes, on the file's growth when a dataset of this shape is
  /// created.
  static std::uint64_t bytes_needed(const TableExtents& shape, const ChunkLayout& layout);

 private:
  void check(herr_t result, const std::string& object = "") const;
  Handle check(Handle handle, const std::string& object = "") const;
  Handle access_to(const Communicator& communicator) const;
  void create_dataset(const std::string& path, const TableExtents& shape, const Handle& space);
  Handle transfer_properties() const;
  /// Writes the elements selected in `memory` to the elements selected in `space`, the dataspace of
  /// the dataset.
  void transfer(const std::string& path, const Handle& dataset, hid_t type, const Handle& memory,
                const Handle& space, const void* data) const;
  void reset_view() const;

  std::string display_name_;
  bool parallel_ = false;
  FileForm form_ = FileForm::plain;
  ChunkLayout layout_;
  Handle file_;
};

}  // namespace rivulet::io
