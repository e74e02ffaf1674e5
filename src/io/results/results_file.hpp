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
constexpr ElementType element_type();

/// Raw elements of a dataset. If `stride` is 0, these are rows [offset, offset + rows) of a table
/// with `columns` columns. Otherwise, the dataset has one dimension, and row i begins at element
/// offset + i * stride.
struct Hyperslab {
  const void* data = nullptr;
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::uint64_t offset = 0;  ///< in rows; in elements if stride is not 0
  std::uint64_t stride = 0;  ///< in elements, at least `columns`
};

/// Ranges of a one-dimensional dataset: `count` ranges of `length` elements each, which begin
/// `stride` (at least `length`) elements apart.
struct StridedRanges {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;

  std::uint64_t elements() const { return length * count; }
};

/// The form of a file. Every form has a seal (io/files/sealed_file.hpp).
enum class FileForm {
  /// An ordinary HDF5 file after its seal.
  plain,
  /// An HDF5 file with checksums over all metadata (libver v110), and attributes' texts of fixed
  /// length. Damage to a file of this form was never seen to crash HDF5 1.10, even without the
  /// seal.
  checksummed,
  /// A plain file whose datasets, after lay_out(), keep their data when a run is aborted. Another
  /// run can continue the file.
  resumable
};

/// Least size, in bytes, of aligned chunks of large datasets, in every file. Smaller objects,
/// including metadata, are placed anywhere.
inline constexpr std::uint64_t least_chunk = std::uint64_t{64} << 10;

/// The layout of datasets in a file, in bytes.
struct ChunkLayout {
  std::uint64_t chunk = std::uint64_t{1} << 20;  ///< largest chunk; least_chunk .. 2^31
  /// A power of two, at most `chunk`; 0 for no alignment. Objects of at least half this size, and
  /// at least least_chunk, begin at a multiple of it. The default is a page of memory: ranks that
  /// write neighbouring chunks then share no page.
  std::uint64_t alignment = std::uint64_t{4} << 10;
};

/// The shape of a table: a one-dimensional dataset if `columns` is 1, otherwise two-dimensional.
struct TableExtents {
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  /// False for elements that may fill a disk. A large file's seal leaves these out, because reading
  /// the elements again would take as long as writing them. lay_out() allocates an unsealed
  /// dataset.
  bool sealed = true;
};

/// An HDF5 file that all ranks of a communicator write, and no other run, under a temporary name
/// (io/files/output.hpp). commit() renames it to PATH and replaces only an older file of the same
/// kind (io/deck/replaced_file.hpp). Without commit() nothing is left behind. Every function is
/// collective. If a function fails on any rank, all ranks throw the same Error, and may then call
/// the destructor only. Groups and attributes may be written, and fail, with a later call. Names,
/// attributes and texts (everything except datasets) are taken from root; other ranks may pass
/// less. With a parallel HDF5, every rank writes its part; otherwise root writes for all ranks,
/// piece by piece.
class ResultsFile {
 public:
  /// `kind` is "results" or "parameters"; the root group gets the attributes format
  /// ("rivulet KIND"), format_version and version.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const std::string& version, FileForm form = FileForm::plain,
              const ChunkLayout& layout = {});
  /// Continues a file that was laid out: the caller writes to its datasets, and then adds the
  /// objects that the first run would have added. Throws Error if the file is missing or a
  /// different one.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const UnfinishedFile& before, const ChunkLayout& layout = {});
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// Makes a group such as "/results/pi", and the groups above it.
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
  /// Writes a list of texts as the lines of a single text. Arrays of texts would not do: ncdump
  /// crashes if their length is fixed, and HDF5 cannot write them in parallel if it varies.
  void lines(const std::string& path, const std::vector<std::string>& values,
             const std::string& description = "");

  /// Writes a dataset of `total` elements. This rank provides [offset, offset + local.size()).
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

  /// Writes a table of `total` rows of `columns` elements each. This rank provides local.size() /
  /// columns rows, from row `offset` on.
  template <class T>
  void table(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset, std::uint64_t total, const std::string& description = "",
             const std::string& unit = "") {
    create(path, {element_type<T>(), total, columns}, description, unit);
    write(path, local, columns, offset);
  }

  /// The two halves of table(), for a dataset that is written in several calls of write().
  void create(const std::string& path, const TableExtents& shape,
              const std::string& description = "", const std::string& unit = "");
  template <class T>
  void write(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset) {
    write_hyperslabs(path, element_type<T>(),
                     {{local.data(), element_type<T>(), local.size() / columns, columns, offset}});
  }

  /// Writes ranges of a one-dimensional dataset. `data` holds the elements of all runs
  /// consecutively. A rank may pass any number of runs, or none.
  void write_runs(const std::string& path, ElementType type, const void* data,
                  std::span<const StridedRanges> runs);

  /// Allocates the unsealed datasets made so far (in a resumable file, all datasets) after the rest
  /// of the file. HDF5 then changes only their elements, until an object is added.
  void lay_out();
  /// On root: the data needed to continue the file, valid once the elements were flushed.
  const UnfinishedFile& unfinished() const;
  /// Flushes written elements to the disk. begin_flush() only starts the flush.
  void flush();
  void begin_flush();
  /// Sets whether the file stays if the run ends before commit(), as a checkpoint needs. The first
  /// keep(true) renames the temporary file.
  void keep(bool kept);
  /// Records in the seal which run made the file.
  void made_by(const std::string& run);

  /// Returns the identity of the temporary file, before commit() renames it. On root.
  std::optional<FileIdentity> identity() const;
  /// Completes the file and renames it to PATH, replacing an older file. No other write may follow.
  void commit(Unnamed unnamed = Unnamed::stays);
  /// True once the file has its final name, even if commit() failed after the rename.
  bool has_its_name() const;

 private:
  struct File;

  template <class T>
  static AttributeValue attribute_value(const T& value);
  void put_attribute(const std::string& object, const std::string& name, AttributeValue value,
                     const std::string& unit);
  void write_hyperslabs(const std::string& path, ElementType type,
                        const std::vector<Hyperslab>& hyperslabs);

  std::unique_ptr<File> file_;
};

/// The seal of a file to read: optional (older files have none), required, or checked before
/// (seen).
enum class Seal { optional, required, seen };

/// A Rivulet file opened for reading by one process, without MPI: root reads and then broadcasts.
class ReadFile {
 public:
  /// Throws Error if the file is missing, damaged (io/files/sealed_file.hpp), not HDF5, not
  /// Rivulet's, of another kind, of a newer format, or without a required seal.
  ReadFile(const std::string& path, const std::string& kind, Seal seal = Seal::optional);
  ~ReadFile();
  ReadFile(ReadFile&&) noexcept;

  /// Returns an attribute. T is one of AttributeValue's types; integers convert if the value fits.
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  /// Returns all attributes of a group or dataset, by name, as ResultsFile::attribute takes them.
  std::vector<std::pair<std::string, AttributeValue>> attributes(const std::string& object) const;
  /// True if there is a group or dataset of this name.
  bool has(const std::string& path) const;
  /// Returns the names of the groups and datasets in a group, in alphabetical order.
  std::vector<std::string> list(const std::string& path) const;
  /// Reads a text written by ResultsFile::text.
  std::string text(const std::string& path) const;
  /// Reads texts written by ResultsFile::lines.
  std::vector<std::string> lines(const std::string& path) const;
  /// Returns the extents of a dataset, one or two.
  std::vector<std::uint64_t> shape(const std::string& path) const;
  /// Reads all elements of a dataset, row by row. Throws Error unless T holds the stored type
  /// without loss.
  template <class T>
  std::vector<T> dataset(const std::string& path) const;

 private:
  struct File;
  void read_into(const std::string& path, ElementType type, void* destination) const;
  std::uint64_t element_count(const std::string& path) const;

  std::unique_ptr<File> file_;
};

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

template <class T>
AttributeValue ResultsFile::attribute_value(const T& value) {
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

template <class T>
std::vector<T> ReadFile::dataset(const std::string& path) const {
  std::vector<T> values(element_count(path));
  read_into(path, element_type<T>(), values.data());
  return values;
}

}  // namespace rivulet::io
