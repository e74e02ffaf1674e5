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

/// Raw elements of a dataset: rows [offset, offset + rows) of a table with `columns` columns; or,
/// if `stride` is not 0, of a one-dimensional dataset: row i begins at element offset + i * stride.
struct Hyperslab {
  const void* data = nullptr;
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  std::uint64_t offset = 0;  ///< in rows; in elements with a stride
  std::uint64_t stride = 0;  ///< in elements, at least `columns`
};

/// Places in a one-dimensional dataset: `count` ranges of `length` elements, `stride` (at least
/// length) apart.
struct StridedRanges {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  std::uint64_t stride = 0;
  std::uint64_t count = 1;

  std::uint64_t elements() const { return length * count; }
};

/// How a file is laid out. All are sealed (io/files/sealed_file.hpp).
enum class FileForm {
  /// An ordinary HDF5 file after its seal.
  plain,
  /// With checksums over all metadata (libver v110) and attributes' texts of fixed length: damage
  /// to such a file was never seen to crash HDF5 1.10, even without the seal.
  checksummed,
  /// A plain file whose datasets, after lay_out(), keep their data when a run is aborted. Another
  /// run
  /// can continue the file.
  resumable
};

/// Least size of aligned chunks of large datasets, in every file: smaller objects, including
/// metadata, are placed anywhere.
inline constexpr std::uint64_t least_chunk = std::uint64_t{64} << 10;

/// How datasets lie in a file, in bytes.
struct ChunkLayout {
  std::uint64_t chunk = std::uint64_t{1} << 20;  ///< at most; least_chunk .. 2^31
  /// A power of two, `chunk` at most: what has half as many bytes, and least_chunk, begins at a
  /// multiple of it. 0: anywhere. A page of memory, so that ranks that write neighbouring chunks
  /// share none.
  std::uint64_t alignment = std::uint64_t{4} << 10;
};

/// A table to be: a one-dimensional dataset if `columns` is 1, otherwise two-dimensional.
struct TableExtents {
  ElementType type = ElementType::u8;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  /// False for elements that may fill a disk: a large file's seal leaves them out, because reading
  /// them again would take as long as writing them. lay_out() allocates such a dataset.
  bool sealed = true;
};

/// An HDF5 file being written by all ranks of a communicator, and by no other run, under a name of
/// its own (io/files/output.hpp); commit() gives it PATH, in place of an older file of the
/// same kind but of nothing else (io/deck/replaced_file.hpp). Without commit() nothing is left
/// behind. Every function is collective and, if it fails on any rank, throws the same Error on all;
/// after that only the destructor may be called. Groups and attributes may be written, and fail,
/// with what comes next. What is not a dataset (names, attributes, texts) is taken from root; other
/// ranks may pass less. With a parallel HDF5 all ranks write their part, otherwise root writes for
/// them piece by piece.
class ResultsFile {
 public:
  /// `kind` is "results" or "parameters"; the root group gets the attributes format
  /// ("rivulet KIND"), format_version and version.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const std::string& version, FileForm form = FileForm::plain,
              const ChunkLayout& layout = {});
  /// Goes on with a file that was laid out: writes to its datasets, and then adds to it what the
  /// first run would have added. Throws Error if it is gone, or another.
  ResultsFile(const Communicator& communicator, const std::string& path, const std::string& kind,
              const UnfinishedFile& before, const ChunkLayout& layout = {});
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// Makes a group such as "/results/pi", and those above it.
  void group(const std::string& path, const std::string& description = "");

  /// Bools (stored as 0 or 1 in 8 bits), integers, reals, texts, and vectors of std::uint64_t,
  /// double or std::string. The unit becomes the attribute NAME_unit.
  template <class T>
  void attribute(const std::string& object, const std::string& name, const T& value,
                 const std::string& unit = "") {
    put_attribute(object, name, attribute_value(value), unit);
  }

  /// A text of any length as a scalar dataset.
  void text(const std::string& path, const std::string& value, const std::string& description = "");
  /// Writes a list of texts as a one-dimensional dataset.
  void texts(const std::string& path, const std::vector<std::string>& values,
             const std::string& description = "");
  /// Writes a list of texts as the lines of one: ncdump crashes on arrays of texts of fixed length,
  /// and HDF5 writes none of variable length in parallel.
  void lines(const std::string& path, const std::vector<std::string>& values,
             const std::string& description = "");

  /// Elements 0..total-1, of which this rank gives [offset, offset + local.size()).
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

  /// Rows 0..total-1 of `columns` elements each; this rank gives local.size() / columns of them,
  /// from row `offset` on.
  template <class T>
  void table(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset, std::uint64_t total, const std::string& description = "",
             const std::string& unit = "") {
    create(path, {element_type<T>(), total, columns}, description, unit);
    write(path, local, columns, offset);
  }

  /// The two halves of table(), for those who write a dataset in several goes.
  void create(const std::string& path, const TableExtents& shape,
              const std::string& description = "", const std::string& unit = "");
  template <class T>
  void write(const std::string& path, std::span<const T> local, std::uint64_t columns,
             std::uint64_t offset) {
    write_hyperslabs(path, element_type<T>(),
                     {{local.data(), element_type<T>(), local.size() / columns, columns, offset}});
  }

  /// Writes elements of a one-dimensional dataset wherever they belong: `data` holds those of all
  /// runs, one after the other. Ranks may give any number of runs, or none.
  void write_runs(const std::string& path, ElementType type, const void* data,
                  std::span<const StridedRanges> runs);

  /// Allocates the datasets made so far that are not sealed, or in a resumable file all, after the
  /// rest of the file. From then on HDF5 changes only their elements, until an object is added.
  void lay_out();
  /// The data needed to continue the file once its elements were flushed. On root.
  const UnfinishedFile& unfinished() const;
  /// Flushes written elements to the disk; begin_flush() starts this.
  void flush();
  void begin_flush();
  /// Whether the file stays if the run ends before commit(), as a checkpoint needs it. The first
  /// keep(true) changes its name.
  void keep(bool kept);
  /// The seal is to say which run made the file.
  void made_by(const std::string& run);

  /// Of what commit() gives the name, before it does. On root.
  std::optional<FileIdentity> identity() const;
  /// Completes the file and gives it its name, replacing the file that had it. Nothing may follow.
  void commit(Unnamed unnamed = Unnamed::stays);
  /// Whether it has its name; also where commit() failed after that.
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

/// Whether a file to be read must have a seal, which older ones have not, or was looked at before.
enum class Seal { optional, required, seen };

/// A Rivulet file opened for reading by one process, independent of MPI: root reads, and
/// broadcasts.
class ReadFile {
 public:
  /// Throws if the file is missing, damaged (io/files/sealed_file.hpp), not HDF5, not Rivulet's,
  /// of another kind or of a newer format; or without a seal where it must have one.
  ReadFile(const std::string& path, const std::string& kind, Seal seal = Seal::optional);
  ~ReadFile();
  ReadFile(ReadFile&&) noexcept;

  /// T is one of AttributeValue's types; integers convert if the value fits.
  template <class T>
  T attribute(const std::string& object, const std::string& name) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  /// All attributes of a group or dataset, by name, as ResultsFile::attribute takes them.
  std::vector<std::pair<std::string, AttributeValue>> attributes(const std::string& object) const;
  /// Whether there is a group or dataset of this name.
  bool has(const std::string& path) const;
  /// Names of the groups and datasets in a group, in alphabetical order.
  std::vector<std::string> list(const std::string& path) const;
  /// A text written by ResultsFile::text.
  std::string text(const std::string& path) const;
  /// Texts written by ResultsFile::lines.
  std::vector<std::string> lines(const std::string& path) const;
  /// Extents of a dataset, one or two.
  std::vector<std::uint64_t> shape(const std::string& path) const;
  /// All elements of a dataset, row by row. T must hold the stored type without loss.
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
