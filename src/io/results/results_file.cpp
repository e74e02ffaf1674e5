// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/results_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "io/deck/replaced_file.hpp"
#include "io/files/sealed_file.hpp"
#include "io/files/shared_file.hpp"
#include "io/mpi/node.hpp"
#include "io/results/hdf5_writer.hpp"
#include "io/results/hyperslabs.hpp"

namespace rivulet::io {
namespace {

constexpr std::uint64_t format_version = 1;

/// Generous bound, in bytes, on a file's groups, attributes and other metadata.
constexpr std::uint64_t least_bytes = std::uint64_t{256} << 10;
/// Space is claimed in steps of this many bytes, so a small file claims all its space at once.
constexpr std::uint64_t claim_step = std::uint64_t{1} << 20;

/// Replaces a value with root's, which must have the same type. Collective.
void take_from_root(const Communicator& communicator, AttributeValue& value) {
  const auto take = [&]<class T>(T& one) {
    if constexpr (std::same_as<T, std::string>) {
      one = communicator.broadcast(one);
    } else {
      communicator.broadcast(std::as_writable_bytes(std::span(&one, 1)));
    }
  };
  const auto take_all = [&]<class T>(T& one) {
    if constexpr (std::same_as<T, std::string> || std::is_arithmetic_v<T>) {
      take(one);
    } else {
      std::uint64_t size = one.size();
      take(size);
      one.resize(size);
      for (auto& each : one) take(each);
    }
  };
  std::visit(take_all, value);
}

}  // namespace

/// The file being written. The ranks agree on the outcome of every step.
struct ResultsFile::File {
  Communicator communicator;
  std::string shown;
  SealedAs as;
  FileForm form;
  ChunkLayout layout;
  std::optional<UnfinishedFile> unfinished;  ///< set for a resumable file after lay_out()
  Output output;
  bool parallel =
      RIVULET_ENABLE_MPI != 0 && RIVULET_HDF5_IS_PARALLEL != 0 && communicator.size() > 1;
  int node_rank = form == FileForm::resumable ? place_on_node(communicator).rank : 0;
  bool committed = false;
  bool failed = false;
  /// Upper bound, in bytes, on the file's length so far.
  std::uint64_t needed =
      (unfinished ? unfinished->bytes : Hdf5Writer::user_block(layout)) + least_bytes;
  std::uint64_t claimed = 0;  ///< bytes of disk space claimed so far
  Hdf5Writer writer = {};
  /// Datasets whose rows lay_out() adds.
  std::vector<std::pair<std::string, TableExtents>> without_rows = {};
  bool is_laid_out = unfinished.has_value();
  Extent elements = {};  ///< on root: extent of the rows that lay_out() added
  /// Buffered groups and attributes, which the next step writes first. With many ranks, agreeing on
  /// each group and attribute separately would take most of the time.
  std::vector<std::function<void(Hdf5Writer&)>> waiting = {};

  File(const Communicator& ranks, const std::string& path, const std::string& kind,
       FileForm as_form, const ChunkLayout& in, const std::optional<UnfinishedFile>& before)
      : communicator(ranks),
        shown(path),
        as{kind, ""},
        form(as_form),
        layout(in),
        unfinished(before),
        output(ranks, end_on_root(ranks, path, kind), path, before ? before->path : "") {}
  static std::string end_on_root(const Communicator& ranks, const std::string& path,
                                 const std::string& kind) {
    std::string end;
    ranks.on_root([&] { end = replaced_file(path, kind); });
    return end;
  }

  void open(Hdf5Writer::Begin begin) {
    const OpenWatch watch(communicator, output.temporary(), shown, parallel);
    step([&](Hdf5Writer& file) {
      file.open(output.temporary(), shown, communicator, parallel, form, layout, begin);
    });
  }

  /// Runs the action and records a failure. HDF5 must not be called after a failure.
  template <class F>
  void guarded(F&& action) {
    try {
      action();
    } catch (...) {
      failed = true;
      throw;
    }
  }

  template <class F>
  void on_root(F&& action) {
    guarded([&] { communicator.on_root(action); });
  }
  template <class F>
  void together(F&& action) {
    guarded([&] { communicator.together(action); });
  }

  /// Runs a step on the ranks that hold the file. If the step fails on any rank, every rank throws.
  template <class F>
  void step(F&& action) {
    const QuietHdf5 quiet;
    written_now = shown.c_str();
    together([&] {
      if (!parallel && !communicator.is_root()) return;
      for (const auto& one : waiting) one(writer);
      action(writer);
    });
    waiting.clear();
  }

  /// Writes the buffered groups and attributes, which are the same on all ranks. Collective.
  void catch_up() {
    if (!waiting.empty()) step([](Hdf5Writer&) {});
  }

  /// True if this rank flushes data to the disk. If all ranks have the file open, the first rank of
  /// each node flushes; otherwise, root flushes.
  bool flushes() const { return parallel ? node_rank == 0 : communicator.is_root(); }
  void flush() {
    step([](Hdf5Writer& file) { file.flush(); });
    together([&] {
      if (flushes()) flush_file(output.temporary(), shown);
    });
  }

  /// Claims disk space for `needed` bytes, in steps of claim_step.
  void claim_space() {
    if (needed <= claimed) return;
    claimed = (needed / claim_step + 1) * claim_step;
    on_root([&] { reserve_space(output.file(), shown, claimed); });
  }
  void claim_space_for(const TableExtents& shape) {
    needed += Hdf5Writer::bytes_needed(shape, layout);
    claim_space();
  }

  void texts(const std::string& name, TextTable table, const std::string& description);
  void write_together(const std::string& dataset, ElementType type,
                      const std::vector<Hyperslab>& slabs);
  void write_through_root(const std::string& dataset, const Hyperslab& slab);
  void give_up();
};

void ResultsFile::File::texts(const std::string& name, TextTable table,
                              const std::string& description) {
  std::array<std::uint64_t, 2> size{table.width, table.count};
  communicator.broadcast(std::as_writable_bytes(std::span(size)));
  table.width = size[0];
  table.count = size[1];
  if (!communicator.is_root()) table.bytes.clear();
  claim_space_for({ElementType::u8, table.count, table.width});
  step([&](Hdf5Writer& file) {
    file.texts(name, table);
    if (!description.empty()) file.attribute(name, "description", description);
  });
}

/// Writes each rank's hyperslabs. The rank with the most rounds determines the number of collective
/// writes.
void ResultsFile::File::write_together(const std::string& name, ElementType type,
                                       const std::vector<Hyperslab>& slabs) {
  std::vector<Hyperslab> rounds;
  for (const Hyperslab& slab : slabs) append_rounds(rounds, slab);
  const std::uint64_t most = communicator.max(static_cast<std::uint64_t>(rounds.size()));
  rounds.resize(most, Hyperslab{nullptr, type});  // with another type, HDF5 would convert
  for (const Hyperslab& rows : rounds) {
    step([&](Hdf5Writer& file) { file.write(name, rows); });
  }
}

/// Root writes the hyperslab of each rank, rank by rank and piece by piece. A piece may end inside
/// a row; the next piece then begins with the remainder of that row.
void ResultsFile::File::write_through_root(const std::string& name, const Hyperslab& slab) {
  Hyperslab place = slab;  // position and size, without the data
  place.data = nullptr;
  const auto places = communicator.gather(std::span<const Hyperslab>(&place, 1));
  const std::span local(static_cast<const std::byte*>(slab.data), slab.rows * row_bytes(slab));

  std::vector<std::byte> waiting;
  std::size_t source = 0;  // the current rank
  std::uint64_t done = 0;  // rows of this rank already written
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
  catch_up();
  const QuietHdf5 quiet;
  guarded([&] { communicator.stream_to_root(local, sink); });
}

/// Closes the file, except after a failure or with MPI-IO: the file then stays open until the
/// process ends. After a failure, closing would make HDF5 write once more. With MPI-IO, closing is
/// collective, but an exception may keep other ranks from calling this function. See start_hdf5().
void ResultsFile::File::give_up() {
  if (parallel || failed) {
    writer.abandon();
  } else {
    const QuietHdf5 quiet;
    writer = {};
  }
}

ResultsFile::ResultsFile(const Communicator& communicator, const std::string& path,
                         const std::string& kind, const std::string& version, FileForm form,
                         const ChunkLayout& layout) {
  start_hdf5();
  file_ = std::make_unique<File>(communicator, path, kind, form, layout, std::nullopt);
  try {
    file_->claim_space();
    file_->open(Hdf5Writer::Begin::anew);
    attribute("/", "format", "rivulet " + kind);
    attribute("/", "format_version", format_version);
    attribute("/", "version", version);
    if (form == FileForm::resumable) {
      text(mark_dataset, mark_of_unfinished(file_->output.temporary()));
    }
  } catch (...) {
    file_->give_up();
    throw;
  }
}

ResultsFile::ResultsFile(const Communicator& communicator, const std::string& path,
                         const std::string& kind, const UnfinishedFile& before,
                         const ChunkLayout& layout) {
  start_hdf5();
  file_ = std::make_unique<File>(communicator, path, kind, FileForm::resumable, layout, before);
  file_->elements = {before.place.end(), before.bytes - before.place.end()};
  communicator.on_root([&] { restore_unfinished(before); });
  try {
    file_->open(Hdf5Writer::Begin::where_it_ended);
  } catch (...) {
    file_->give_up();
    throw;
  }
}

ResultsFile::~ResultsFile() {
  if (!file_->committed) file_->give_up();
}

void ResultsFile::group(const std::string& path, const std::string& description) {
  file_->waiting.emplace_back([=](Hdf5Writer& file) {
    file.group(path);
    if (!description.empty()) file.attribute(path, "description", description);
  });
}

void ResultsFile::put_attribute(const std::string& object, const std::string& name,
                                AttributeValue value, const std::string& unit) {
  if (file_->parallel) take_from_root(file_->communicator, value);
  file_->waiting.emplace_back([=](Hdf5Writer& file) {
    file.attribute(object, name, value);
    if (!unit.empty()) file.attribute(object, name + "_unit", unit);
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

void ResultsFile::lines(const std::string& path, const std::vector<std::string>& values,
                        const std::string& description) {
  std::string all;
  for (const std::string& value : values) all += value + "\n";
  text(path, all, description);
}

void ResultsFile::create(const std::string& path, const TableExtents& shape,
                         const std::string& description, const std::string& unit) {
  file_->claim_space_for(shape);
  const bool comes_later = !file_->is_laid_out && shape.rows > 0 &&
                           (!shape.sealed || file_->form == FileForm::resumable);
  if (comes_later) file_->without_rows.emplace_back(path, shape);
  file_->step([&](Hdf5Writer& file) {
    comes_later ? file.create_empty(path, shape) : file.create(path, shape);
    if (!description.empty()) file.attribute(path, "description", description);
    if (!unit.empty()) file.attribute(path, "unit", unit);
  });
}

void ResultsFile::write_hyperslabs(const std::string& path, ElementType type,
                                   const std::vector<Hyperslab>& slabs) {
  if (file_->parallel) return file_->write_together(path, type, slabs);
  const std::uint64_t most = file_->communicator.max(static_cast<std::uint64_t>(slabs.size()));
  for (std::uint64_t i = 0; i < most; ++i) {
    file_->write_through_root(path, i < slabs.size() ? slabs[i] : Hyperslab{nullptr, type});
  }
}

void ResultsFile::write_runs(const std::string& path, ElementType type, const void* data,
                             std::span<const StridedRanges> runs) {
  write_hyperslabs(path, type, hyperslabs_of(type, data, runs));
}

/// Allocates the datasets' chunks after the rest of the file, so that HDF5 never writes metadata
/// between the chunks: later changes are before or after them.
void ResultsFile::lay_out() {
  File& now = *file_;
  now.is_laid_out = true;
  if (now.without_rows.empty() && now.form != FileForm::resumable) return;
  const auto size = [&] { return std::filesystem::file_size(now.output.temporary()); };
  now.step([](Hdf5Writer& file) { file.flush(); });
  now.on_root([&] { now.elements.begin = size(); });
  now.step([&](Hdf5Writer& file) {
    for (const auto& [name, shape] : now.without_rows) file.extend(name, shape);
  });
  // Reopening makes HDF5 forget the gaps between chunks, so that it adds later objects at the end.
  now.step([](Hdf5Writer& file) { file.close(); });
  now.on_root([&] { now.elements.bytes = size() - now.elements.begin; });
  now.open(Hdf5Writer::Begin::where_it_ended);
  if (now.form != FileForm::resumable) return;
  now.flush();
  now.unfinished.emplace();
  const std::uint64_t begin = Hdf5Writer::user_block(now.layout);
  now.on_root([&] {
    now.unfinished = unfinished_file(now.output.temporary(), {begin, now.elements.begin - begin});
  });
}

const UnfinishedFile& ResultsFile::unfinished() const { return *file_->unfinished; }
void ResultsFile::flush() { file_->flush(); }
void ResultsFile::begin_flush() {
  file_->together([&] {
    if (file_->flushes()) io::begin_flush(file_->output.temporary(), file_->shown);
  });
}
void ResultsFile::keep(bool kept) {
  file_->output.keep(kept);
  if (file_->unfinished) file_->unfinished->path = file_->output.temporary();
}
void ResultsFile::made_by(const std::string& run) { file_->as.run = run; }

void ResultsFile::commit(Unnamed unnamed) {
  File& now = *file_;
  now.step([](Hdf5Writer& file) { file.flush(); });
  now.step([&](Hdf5Writer& file) {
    if (now.form == FileForm::resumable) file.remove(mark_dataset);
  });
  now.step([](Hdf5Writer& file) { file.close(); });
  now.on_root([&] { seal(now.output.file(), now.output.temporary(), now.as, now.elements); });
  now.guarded([&] { now.output.complete(unnamed); });
  now.committed = true;
}

std::optional<FileIdentity> ResultsFile::identity() const {
  return identity_of(file_->output.temporary());
}

bool ResultsFile::has_its_name() const { return file_->output.has_its_name(); }

}  // namespace rivulet::io
