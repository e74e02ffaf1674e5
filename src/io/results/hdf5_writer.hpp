// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/hdf5_support.hpp"

namespace rivulet::io {

/// Texts as rows of `width` bytes each.
struct TextTable {
  std::uint64_t width = 1;
  std::uint64_t count = 1;
  bool scalar = true;
  std::string bytes = {};  ///< width * count bytes; empty on a rank without texts
};

TextTable table_of(const std::vector<std::string>& values, bool scalar);

/// The name, in messages, of the file that HDF5 is writing.
inline const char* written_now = "";

/// Aborts the run after a failure of MPI-IO, because the other ranks would wait in HDF5. No-op if
/// HDF5 returns on all ranks.
void end_unless_hdf5_returns(const std::string& why);

/// The operations of a process on an HDF5 file that is being written. With MPI-IO, every function
/// is collective. On failure, every function throws Error with HDF5's reason.
class Hdf5Writer {
 public:
  enum class Begin { anew, where_it_ended };
  /// Opens `path`, which messages call `shown`, through MPI-IO if `parallel`.
  void open(const std::string& path, const std::string& shown, const Communicator& communicator,
            bool parallel, FileForm form, const ChunkLayout& layout = {},
            Begin begin = Begin::anew);
  void flush();
  /// Closes the file, which counts as closed even if this function throws.
  void close();
  /// Forgets the file, and leaves it open until the process ends.
  void abandon() { file_.abandon(); }

  void group(const std::string& path);
  void attribute(const std::string& object, const std::string& name, const AttributeValue& value);
  void create(const std::string& path, const TableExtents& shape);
  /// create_empty() makes a dataset for that shape, but without rows; extend() adds the rows.
  void create_empty(const std::string& path, const TableExtents& shape);
  void extend(const std::string& path, const TableExtents& shape);
  void remove(const std::string& path);
  /// Writes elements. A rank without rows must still take part in a collective write.
  void write(const std::string& path, const Hyperslab& hyperslab);
  void texts(const std::string& path, const TextTable& table);

  /// Returns the size in bytes of the user block, before HDF5's part of a file. The block has room
  /// for the seal, and at least the size that HDF5 requires for this alignment.
  static std::uint64_t user_block(const ChunkLayout& layout);
  /// Returns an upper bound, in bytes, of the file's growth by a dataset of this shape.
  static std::uint64_t bytes_needed(const TableExtents& shape, const ChunkLayout& layout);

 private:
  void check(herr_t result, const std::string& object = "") const;
  Handle check(Handle handle, const std::string& object = "") const;
  Handle access_to(const Communicator& communicator) const;
  void make(const std::string& path, const TableExtents& shape, const Handle& space);
  Handle transfer_properties() const;
  /// Writes the selected elements of memory to those of the file.
  void transfer(const std::string& path, const Handle& dataset, hid_t type, const Handle& memory,
                const Handle& space, const void* data) const;
  void reset_view() const;

  std::string shown_;
  bool parallel_ = false;
  FileForm form_ = FileForm::plain;
  ChunkLayout layout_;
  Handle file_;
};

}  // namespace rivulet::io
