// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/files/file_space.hpp"
#include "io/files/output.hpp"
#include "io/files/unfinished_file.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet::io {

using AttributeValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<std::string>,
                 std::vector<std::uint64_t>, std::vector<double>>;

enum class ElementType { u8, u16, u32, u64, i64, f32, f64 };

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::same_as<T, std::uint8_t>)
    return ElementType::u8;
  else if constexpr (std::same_as<T, std::uint16_t>)
    return ElementType::u16;
  else if constexpr (std::same_as<T, std::uint32_t>)
    return ElementType::u32;
  else if constexpr (std::unsigned_integral<T> && sizeof(T) == 8)
    return ElementType::u64;
  else if constexpr (std::signed_integral<T> && sizeof(T) == 8)
    return ElementType::i64;
  else if constexpr (std::same_as<T, float>)
    return ElementType::f32;
  else {
    static_assert(std::same_as<T, double>, "not an element type of results files");
    return ElementType::f64;
  }
}

/// Raw elements of a dataset. If `stride` is 0, the elements are rows [offset, offset + rows) of a
/// table with `columns` columns. Otherwise, the dataset has one dimension, and row i begins at
/// element offset + i * stride.
struct Hyperslab {
  const void* data = nullptr;
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::uint64_t offset = 0;  ///< in rows; in elements if stride is not 0
  std::uint64_t stride = 0;  ///< in elements, at least `columns`
};

/// Equidistant ranges of a one-dimensional dataset: `count` ranges of `length` elements each. Range
/// i begins at element first + i * stride; `stride` is at least `length`.
struct StridedRanges {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;

  std::uint64_t elements() const { return length * count; }
};

/// The form of a file. Every form has a seal (io/files/sealed_file.hpp).
enum class FileForm {
  /// An ordinary HDF5 file with the seal in its user block.
  plain,
  /// An HDF5 file with checksums over all metadata (libver v110), and with text attributes of fixed
  /// length. Even without the seal, no damaged file of this form has been observed to crash HDF5
  /// 1.10.
  checksummed,
  /// A plain file whose datasets, after lay_out(), keep their data when a run is aborted. Another
  /// run can continue the file.
  resumable
};

/// Least size, in bytes, of aligned chunks, for any ChunkLayout. Smaller objects, including
/// metadata, are not aligned.
inline constexpr std::uint64_t min_chunk_bytes = std::uint64_t{64} << 10;

/// The layout of datasets in a file, in bytes.
struct ChunkLayout {
  std::uint64_t chunk = std::uint64_t{1} << 20;  ///< largest chunk; min_chunk_bytes .. 2^31
  /// Alignment of chunks: 0 (none), or a power of two up to `chunk`. Applies to objects of at
  /// least max(alignment / 2, min_chunk_bytes) bytes. The default is a memory page, so ranks that
  /// write neighbouring chunks share no page.
  std::uint64_t alignment = std::uint64_t{4} << 10;
};

/// The shape of a table: a one-dimensional dataset if `columns` is 1, otherwise two-dimensional.
struct TableExtents {
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  /// False for a dataset that may fill a disk. The seal of a large file omits the elements of such
  /// a dataset, because reading them again would take as long as writing them. lay_out() allocates
  /// such a dataset.
  bool sealed = true;
};

/// An HDF5 file that all ranks of a communicator write under a temporary name, while other runs are
/// locked out (io/files/output.hpp). commit() renames the file to PATH, and replaces only an older
/// file of the same kind (io/deck/replaced_file.hpp). Without commit(), the file is removed unless
/// keep(true) was called. Every function is collective. If a function fails on any rank, all ranks
/// throw the same Error; only the destructor may be called afterwards. Groups and attributes are
/// buffered: a later call writes them, and may fail. Ranks must pass the same names and
/// descriptions. Texts and attribute values are taken from root; those of other ranks are ignored,
/// and may be shorter. With a parallel HDF5, every rank writes its part; otherwise root writes for
/// all ranks, piece by piece.
class ResultsFile {
 public:
  /// `kind`, such as "results" or "parameters", identifies the file's contents. The root group gets
  /// the attributes `format` ("rivulet KIND"), `format_version` and `version`.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const std::string& version, FileForm form = FileForm::plain,
              const ChunkLayout& layout = {});
  /// Continues the unfinished file `before`, in its state after lay_out(). The caller writes to the
  /// file's datasets, and then adds the objects that the first run would have added. Throws Error
  /// if the file is missing or is not the one recorded in `before`.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const UnfinishedFile& before, const ChunkLayout& layout = {});
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// Creates a group, such as "/results/pi", and its parent groups.
  void group(const std::string& path, const std::string& description = "");

  /// Writes an attribute: a bool (stored as 0 or 1 in 8 bits), an integer, a real, a text, or a
  /// vector of std::uint64_t, double or std::string. The unit becomes the attribute NAME_unit.
  template <class T>
  void attribute(const std::string& object, const std::string& name, const T& value,
                 const std::string& unit = "") {
    put_attribute(object, name, attribute_value(value), unit);
  }

  /// Writes a text of any length as a scalar dataset.
  void text(const std::string& path, const std::string& value, const std::string& description = "");
  /// Writes a list of texts as a one-dimensional dataset.
  void texts(const std::string& path, const std::vector<std::string>& values,
             const std::string& description = "");
  /// Writes a list of texts as the lines of a single text instead of an array. ncdump crashes on
  /// arrays of fixed-length texts, and HDF5 cannot write variable-length texts in parallel.
  void lines(const std::string& path, const std::vector<std::string>& values,
             const std::string& description = "");

  /// Writes a dataset of `total` elements. This rank provides the elements [offset, offset +
  /// local.size()).
  template <class T>
  void dataset(const std::string& path, std::span<const T> local, std::uint64_t offset,
               std::uint64_t total, const std::string& description = "",
               const std::string& unit = "") {
    table(path, local, 1, offset, total, description, unit);
  }
  template <class T>
  void dataset(const std::string& path, const std::vector<T>& local, std::uint64_t offset,
               std::uint64_t total, const std::string& description = "",
               const std::string& unit = "") {
    dataset(path, std::span<const T>(local.data(), local.size()), offset, total, description, unit);
  }

  /// Writes a table of `total` rows with `columns` elements each. This rank provides local.size() /
  /// columns rows, which begin at row `offset`.
  template <class T>
  void table(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset, std::uint64_t total, const std::string& description = "",
             const std::string& unit = "") {
    create(path, {element_type<T>(), total, columns}, description, unit);
    write(path, local, columns, offset);
  }

  /// create() and write() are the two halves of table(), for datasets that need several write()
  /// calls.
  void create(const std::string& path, const TableExtents& shape,
              const std::string& description = "", const std::string& unit = "");
  template <class T>
  void write(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset) {
    write_hyperslabs(path, element_type<T>(),
                     {{local.data(), element_type<T>(), local.size() / columns, columns, offset}});
  }

  /// Writes ranges of a one-dimensional dataset. `data` holds the elements of all ranges
  /// contiguously. A rank may pass any number of ranges, or none.
  void write_runs(const std::string& path, ElementType type, const void* data,
                  std::span<const StridedRanges> runs);

  /// Allocates the unsealed datasets created so far (in a resumable file, all datasets) at the end
  /// of the file. Afterwards, HDF5 changes only the elements of these datasets until an object is
  /// added.
  void lay_out();
  /// On root, returns the data needed to continue the file. The data are valid once the elements
  /// have been flushed.
  const UnfinishedFile& unfinished() const;
  /// Flushes written elements to the disk. begin_flush() only starts the flush.
  void flush();
  void begin_flush();
  /// Sets whether the file stays if the run ends before commit(). A file that a checkpoint refers
  /// to must stay. The first keep(true) renames the temporary file to FILE.DIGITS.unfinished.
  void keep(bool kept);
  /// Sets the run that the seal names as the file's creator.
  void set_creator(const std::string& run);

  /// Returns the identity of the temporary file. Not collective: only root calls this function,
  /// before commit() renames the file.
  std::optional<FileIdentity> identity() const;
  /// Completes the file and renames it to PATH, replacing an older file. No other write may follow.
  void commit(OnRenameFailure on_failure = OnRenameFailure::keep_temporary);
  /// True once the file has its final name, even if commit() failed after the rename.
  bool has_final_name() const;

 private:
  struct File;

  template <class T>
  static AttributeValue attribute_value(const T& value) {
    if constexpr (std::same_as<T, bool>)
      return value;
    else if constexpr (std::unsigned_integral<T>)
      return static_cast<std::uint64_t>(value);
    else if constexpr (std::signed_integral<T>)
      return static_cast<std::int64_t>(value);
    else if constexpr (std::floating_point<T>)
      return static_cast<double>(value);
    else if constexpr (std::convertible_to<T, std::string_view>) {
      return std::string(std::string_view(value));
    } else
      return value;
  }
  void put_attribute(const std::string& object, const std::string& name, AttributeValue value,
                     const std::string& unit);
  void write_hyperslabs(const std::string& path, ElementType type,
                        const std::vector<Hyperslab>& hyperslabs);

  std::unique_ptr<File> file_;
};

/// Treatment of the seal when a file is opened for reading. `optional`: the seal is checked if the
/// file has one; older files have none. `required`: the file must have a seal. `already_checked`:
/// the seal is not checked again.
enum class Seal { optional, required, already_checked };

/// A Rivulet file that one process reads, without MPI. In runs with several ranks, root reads the
/// file and broadcasts its contents.
class ReadFile {
 public:
  /// Throws Error if the file is missing, damaged (io/files/sealed_file.hpp), not HDF5 or not
  /// Rivulet's, if it has another kind or a newer format, or if it lacks a required seal.
  ReadFile(const std::string& path, const std::string& kind, Seal seal = Seal::optional);
  ~ReadFile();
  ReadFile(ReadFile&&) noexcept;

  /// Returns an attribute's value. T is one of AttributeValue's types; an integer is converted if
  /// its value fits.
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  /// Returns the names and values of all attributes of a group or dataset.
  std::vector<std::pair<std::string, AttributeValue>> attributes(const std::string& object) const;
  /// True if a group or dataset has this path.
  bool has(const std::string& path) const;
  /// Returns the names of the groups and datasets in a group, in alphabetical order.
  std::vector<std::string> list(const std::string& path) const;
  /// Returns a text written by ResultsFile::text.
  std::string text(const std::string& path) const;
  /// Returns the texts written by ResultsFile::lines.
  std::vector<std::string> lines(const std::string& path) const;
  /// Returns the one or two extents of a dataset.
  std::vector<std::uint64_t> shape(const std::string& path) const;
  /// Returns all elements of a dataset in row-major order. Throws Error unless T can represent
  /// every value of the stored type.
  template <class T>
  std::vector<T> dataset(const std::string& path) const {
    std::vector<T> values(element_count(path));
    read_into(path, element_type<T>(), values.data());
    return values;
  }

 private:
  struct File;
  void read_into(const std::string& path, ElementType type, void* destination) const;
  std::uint64_t element_count(const std::string& path) const;

  std::unique_ptr<File> file_;
};

}  // namespace rivulet::io
