// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/hdf5_support.hpp"

namespace rivulet::io {

/// Texts as rows of a fixed number of bytes.
struct TextTable {
  std::uint64_t width = 1;
  std::uint64_t count = 1;
  bool scalar = true;
  std::string bytes = {};  ///< width * count of them, or none on a rank that only takes part
};

TextTable table_of(const std::vector<std::string>& values, bool scalar);

/// The name, in messages, of the file that HDF5 is writing.
inline const char* written_now = "";

/// Ends the run after a failure of MPI-IO, unless HDF5 returns on all ranks: they would wait there.
void end_unless_hdf5_returns(const std::string& why);

/// One process's operations on an HDF5 file being written. With MPI-IO every function is
/// collective. All functions throw Error with HDF5's reason.
class Hdf5Writer {
 public:
  enum class Begin { anew, where_it_ended };
  /// Opens `path`, which messages call `shown`, through MPI-IO if `parallel`.
  void open(const std::string& path, const std::string& shown, const Communicator& communicator,
            bool parallel, FileForm form, const ChunkLayout& layout = {},
            Begin begin = Begin::anew);
  void flush();
  /// The file counts as closed in any case.
  void close();
  /// Leaves the file open, for the rest of the process, and forgets it.
  void abandon() { file_.abandon(); }

  void group(const std::string& path);
  void attribute(const std::string& object, const std::string& name, const AttributeValue& value);
  void create(const std::string& path, const TableExtents& shape);
  /// Makes a dataset that is to have that shape, but has no rows yet, and gives it its rows.
  void create_empty(const std::string& path, const TableExtents& shape);
  void extend(const std::string& path, const TableExtents& shape);
  void remove(const std::string& path);
  /// A rank without rows takes part in a collective write all the same.
  void write(const std::string& path, const Hyperslab& hyperslab);
  void texts(const std::string& path, const TextTable& table);

  /// Bytes before HDF5's part of a file: room for the seal, and the least that HDF5 takes with this
  /// alignment.
  static std::uint64_t user_block(const ChunkLayout& layout);
  /// Upper bound of the file's growth, in bytes, by a dataset of this shape.
  static std::uint64_t bytes_needed(const TableExtents& shape, const ChunkLayout& layout);

 private:
  void check(herr_t result, const std::string& object = "") const;
  Handle check(Handle handle, const std::string& object = "") const;
  Handle access_to(const Communicator& communicator) const;
  void make(const std::string& path, const TableExtents& shape, const Handle& space);
  Handle transfer_properties() const;
  /// The selected elements, from memory to file.
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
