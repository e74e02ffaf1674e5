// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "io/file_space.hpp"
#include "io/hdf5_writer.hpp"
#include "io/replaced_file.hpp"
#include "io/sealed_file.hpp"
#include "io/stop_signals.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr std::uint64_t format_version = 1;
/// What one rank hands to one collective write: bounds the buffers of MPI-IO.
constexpr std::uint64_t round_bytes = std::uint64_t{64} << 20;

/// Makes a write past the limit on file sizes an error instead of the end of the process.
class IgnoreFileSizeSignal {
 public:
  IgnoreFileSizeSignal() : previous_(std::signal(SIGXFSZ, SIG_IGN)) {}
  ~IgnoreFileSizeSignal() {
    if (previous_ != SIG_ERR) std::signal(SIGXFSZ, previous_);
  }
  IgnoreFileSizeSignal(const IgnoreFileSizeSignal&) = delete;
  IgnoreFileSizeSignal& operator=(const IgnoreFileSizeSignal&) = delete;

 private:
  void (*previous_)(int);
};

std::string pack(const std::vector<std::string>& texts) {
  std::string packed;
  for (const auto& text : texts) {
    const std::uint64_t size = text.size();
    packed.append(reinterpret_cast<const char*>(&size), sizeof size);
    packed += text;
  }
  return packed;
}

std::vector<std::string> unpack(const std::string& packed) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < packed.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, packed.data() + at, sizeof size);
    texts.push_back(packed.substr(at + sizeof size, size));
    at += sizeof size + size;
  }
  return texts;
}

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

PlainAttribute plain(bool value) { return {"bool", true, {raw(std::int8_t{value})}}; }
PlainAttribute plain(std::int64_t value) { return {"i64", true, {raw(value)}}; }
PlainAttribute plain(std::uint64_t value) { return {"u64", true, {raw(value)}}; }
PlainAttribute plain(double value) { return {"f64", true, {raw(value)}}; }
PlainAttribute plain(const std::string& value) { return {"text", true, {value}}; }
PlainAttribute plain(const std::vector<std::string>& values) { return {"text", false, values}; }
template <class T>
PlainAttribute plain(const std::vector<T>& values) {
  PlainAttribute all{plain(T{}).kind, false, {}};
  for (const auto& value : values) all.values.push_back(raw(value));
  return all;
}

/// Root's attribute, on every rank.
PlainAttribute broadcast(const Communicator& communicator, const PlainAttribute& attribute) {
  auto parts = unpack(communicator.broadcast(
      pack({attribute.kind, attribute.scalar ? "scalar" : "vector", pack(attribute.values)})));
  return {parts[0], parts[1] == "scalar", unpack(parts[2])};
}

std::uint64_t row_bytes(const Slab& slab) { return slab.columns * size_of(slab.type); }

/// Rows begin .. begin+rows-1 of a slab, which are at `data`.
Slab part_of(Slab slab, const void* data, std::uint64_t begin, std::uint64_t rows) {
  slab.data = data;
  slab.rows = rows;
  slab.offset += begin * std::max<std::uint64_t>(slab.stride, 1);
  return slab;
}

/// Cuts a slab into what one collective write takes.
void append_rounds(std::vector<Slab>& rounds, const Slab& slab) {
  const std::uint64_t rows_per_round = std::max<std::uint64_t>(round_bytes / row_bytes(slab), 1);
  const auto* data = static_cast<const std::byte*>(slab.data);
  for (std::uint64_t done = 0; done < slab.rows; done += rows_per_round) {
    const std::uint64_t rows = std::min(rows_per_round, slab.rows - done);
    rounds.push_back(part_of(slab, data + done * row_bytes(slab), done, rows));
  }
}

/// Runs as slabs that can be cut: those without gaps are one slab of rows of one element.
std::vector<Slab> slabs_of(ElementType type, const void* data, std::span<const Runs> runs) {
  std::vector<Slab> slabs;
  const auto* next = static_cast<const std::byte*>(data);
  for (const Runs& one : runs) {
    const bool without_gaps = one.count == 1 || one.stride == one.length;
    const bool too_long = one.length * size_of(type) > round_bytes;
    if (without_gaps) {
      slabs.push_back({next, type, one.elements(), 1, one.first});
    } else if (too_long) {
      for (std::uint64_t i = 0; i < one.count; ++i) {
        slabs.push_back({next + i * one.length * size_of(type), type, one.length, 1,
                         one.first + i * one.stride});
      }
    } else {
      slabs.push_back({next, type, one.count, one.length, one.first, one.stride});
    }
    next += one.elements() * size_of(type);
  }
  return slabs;
}

/// By hand, because MPI-IO does not say why it cannot.
void create_empty(const std::string& path, const std::string& part) {
  const int descriptor = ::open(part.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_cannot_write(path, errno);
  ::close(descriptor);
}

}  // namespace

/// The file being written, and the agreement of the ranks on each step.
struct ResultsFile::File {
  Communicator communicator;
  std::string path;
  std::string part;
  bool parallel;
  FileForm form;
  bool committed = false;
  bool failed = false;
  Hdf5Writer writer = {};
  IgnoreFileSizeSignal signal_guard = {};
  PartialFile partial = {};  ///< of root

  /// Remembers a failure, after which HDF5 must not be called again.
  template <class F>
  void guarded(F&& action) {
    try {
      action();
    } catch (...) {
      failed = true;
      throw;
    }
  }

  /// Runs a step on the ranks that hold the file; its failure anywhere is a failure everywhere.
  template <class F>
  void step(F&& action) {
    const QuietHdf5 quiet;
    guarded([&] {
      communicator.together([&] {
        if (parallel || communicator.is_root()) action(writer);
      });
    });
  }

  void reserve(std::uint64_t bytes) {
    guarded([&] { communicator.on_root([&] { reserve_space(part, bytes); }); });
  }

  void texts(const std::string& name, TextTable table, const std::string& description);
  void write_together(const std::string& dataset, ElementType type, const std::vector<Slab>& slabs);
  void write_through_root(const std::string& dataset, const Slab& slab);
  void finish();
  void give_up();
};

void ResultsFile::File::texts(const std::string& name, TextTable table,
                              const std::string& description) {
  std::array<std::uint64_t, 2> size{table.width, table.count};
  communicator.broadcast(std::as_writable_bytes(std::span(size)));
  table.width = size[0];
  table.count = size[1];
  if (!communicator.is_root()) table.bytes.clear();
  reserve(Hdf5Writer::bytes_needed({ElementType::u8, table.count, table.width}));
  step([&](Hdf5Writer& file) {
    file.texts(name, table);
    if (!description.empty()) file.attribute(name, "description", plain(description));
  });
}

/// Each rank's slabs in turn, in as many collective writes as the rank with the most needs.
void ResultsFile::File::write_together(const std::string& name, ElementType type,
                                       const std::vector<Slab>& slabs) {
  std::vector<Slab> rounds;
  for (const Slab& slab : slabs) append_rounds(rounds, slab);
  const std::uint64_t most = communicator.max(static_cast<std::uint64_t>(rounds.size()));
  rounds.resize(most, Slab{nullptr, type});  // of another type, HDF5 would convert it
  for (const Slab& rows : rounds) {
    step([&](Hdf5Writer& file) { file.write(name, rows); });
  }
}

/// Rank by rank and piece by piece; a piece may end inside a row, whose rest comes with the next.
void ResultsFile::File::write_through_root(const std::string& name, const Slab& slab) {
  Slab place = slab;  // where, and how much, without what
  place.data = nullptr;
  const auto places = communicator.gather(std::span<const Slab>(&place, 1));
  const std::span local(static_cast<const std::byte*>(slab.data), slab.rows * row_bytes(slab));

  std::vector<std::byte> waiting;
  std::size_t source = 0;  // the present rank
  std::uint64_t done = 0;  // its rows written
  const auto sink = [&](std::span<const std::byte> piece) {
    while (done == places[source].rows) {
      ++source;
      done = 0;
    }
    if (waiting.empty() && piece.size() % row_bytes(places[source]) == 0) {
      const std::uint64_t rows = piece.size() / row_bytes(places[source]);
      writer.write(name, part_of(places[source], piece.data(), done, rows));
      done += rows;
      return;
    }
    waiting.insert(waiting.end(), piece.begin(), piece.end());
    const std::uint64_t rows = waiting.size() / row_bytes(places[source]);
    writer.write(name, part_of(places[source], waiting.data(), done, rows));
    waiting.erase(waiting.begin(),
                  waiting.begin() + static_cast<std::ptrdiff_t>(rows * row_bytes(places[source])));
    done += rows;
  };
  const QuietHdf5 quiet;
  guarded([&] { communicator.stream_to_root(local, sink); });
}

void ResultsFile::File::finish() {
  step([](Hdf5Writer& file) { file.flush(); });
  step([](Hdf5Writer& file) { file.close(); });
  guarded([&] {
    communicator.on_root([&] {
      if (form == FileForm::sealed) seal_file(part);
      settle_file(part);
      if (std::rename(part.c_str(), path.c_str()) != 0) throw_cannot_write(path, errno);
    });
  });
  partial = {};
  committed = true;
}

/// A file that failed cannot be closed (HDF5 would write once more), and closing with MPI-IO is
/// collective, which nobody can promise while an exception is on its way: such files stay open,
/// without a name, until the process ends. See start_hdf5().
void ResultsFile::File::give_up() {
  if (parallel || failed) {
    writer.abandon();
  } else {
    const QuietHdf5 quiet;
    writer = {};
  }
  if (!communicator.is_root()) return;
  std::error_code none;  // what stays open without a name would keep its space
  std::filesystem::resize_file(part, 0, none);
  std::filesystem::remove(part, none);
  partial = {};
}

ResultsFile::ResultsFile(const Communicator& communicator, const std::string& path,
                         const std::string& kind, const std::string& version, FileForm form) {
  const bool parallel =
      RIVULET_ENABLE_MPI != 0 && RIVULET_HDF5_IS_PARALLEL != 0 && communicator.size() > 1;
  start_hdf5();
  std::string end;
  communicator.on_root([&] {
    end = replaced_file(path);
    create_empty(path, end + ".part");
  });
  end = communicator.broadcast(end);
  const std::string part = end + ".part";
  // An aggregate, which make_unique cannot initialise with every compiler.
  file_ = std::unique_ptr<File>(new File{communicator, end, part, parallel, form});  // NOLINT
  if (communicator.is_root()) file_->partial = PartialFile(part);
  try {
    file_->reserve(Hdf5Writer::bytes_needed({}));
    file_->step([&](Hdf5Writer& file) { file.open(part, communicator, parallel, form); });
    attribute("/", "format", "rivulet " + kind);
    attribute("/", "format_version", format_version);
    attribute("/", "version", version);
  } catch (...) {
    file_->give_up();
    throw;
  }
}

ResultsFile::~ResultsFile() {
  if (!file_->committed) file_->give_up();
}

void ResultsFile::group(const std::string& path, const std::string& description) {
  file_->step([&](Hdf5Writer& file) {
    file.group(path);
    if (!description.empty()) file.attribute(path, "description", plain(description));
  });
}

void ResultsFile::put_attribute(const std::string& object, const std::string& name,
                                const AttributeValue& value, const std::string& unit) {
  auto attribute = std::visit([](const auto& one) { return plain(one); }, value);
  if (file_->parallel) attribute = broadcast(file_->communicator, attribute);
  file_->step([&](Hdf5Writer& file) {
    file.attribute(object, name, attribute);
    if (!unit.empty()) file.attribute(object, name + "_unit", plain(unit));
  });
}

void ResultsFile::text(const std::string& path, const std::string& value,
                       const std::string& description) {
  file_->texts(path, table_of({value}, true), description);
}

void ResultsFile::texts(const std::string& path, const std::vector<std::string>& values,
                        const std::string& description) {
  file_->texts(path, table_of(values, false), description);
}

void ResultsFile::create(const std::string& path, const TableShape& shape,
                         const std::string& description, const std::string& unit) {
  file_->reserve(Hdf5Writer::bytes_needed(shape));
  file_->step([&](Hdf5Writer& file) {
    file.create(path, shape);
    if (!description.empty()) file.attribute(path, "description", plain(description));
    if (!unit.empty()) file.attribute(path, "unit", plain(unit));
  });
}

void ResultsFile::write_slab(const std::string& path, const Slab& slab) {
  write_slabs(path, slab.type, {slab});
}

void ResultsFile::write_slabs(const std::string& path, ElementType type,
                              const std::vector<Slab>& slabs) {
  if (file_->parallel) return file_->write_together(path, type, slabs);
  const std::uint64_t most = file_->communicator.max(static_cast<std::uint64_t>(slabs.size()));
  for (std::uint64_t i = 0; i < most; ++i) {
    file_->write_through_root(path, i < slabs.size() ? slabs[i] : Slab{nullptr, type});
  }
}

void ResultsFile::write_runs(const std::string& path, ElementType type, const void* data,
                             std::span<const Runs> runs) {
  write_slabs(path, type, slabs_of(type, data, runs));
}

void ResultsFile::commit() { file_->finish(); }

}  // namespace rivulet::io
