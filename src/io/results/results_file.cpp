// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/results_file.hpp"

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
constexpr std::uint64_t base_bytes = std::uint64_t{256} << 10;
/// Space is claimed in steps of this many bytes, so a small file claims all its space at once.
constexpr std::uint64_t claim_step = std::uint64_t{1} << 20;

/// Replaces a value with root's, which must have the same type. Collective.
void broadcast_from_root(const Communicator& communicator, AttributeValue& value) {
  const auto broadcast_one = [&]<class T>(T& content) {
    if constexpr (std::same_as<T, std::string>) {
      content = communicator.broadcast(content);
    } else {
      communicator.broadcast(std::as_writable_bytes(std::span(&content, 1)));
    }
  };
  const auto broadcast_all = [&]<class T>(T& content) {
    if constexpr (std::same_as<T, std::string> || std::is_arithmetic_v<T>) {
      broadcast_one(content);
    } else {
      std::uint64_t size = content.size();
      broadcast_one(size);
      content.resize(size);
      for (auto& element : content) broadcast_one(element);
    }
  };
  std::visit(broadcast_all, value);
}

}  // namespace

/// The file being written. The ranks agree on the outcome of every step.
struct ResultsFile::File {
  Communicator communicator;
  std::string display_name;
  SealDescription seal_description;
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
      (unfinished ? unfinished->bytes : Hdf5Writer::user_block_bytes(layout)) + base_bytes;
  std::uint64_t claimed = 0;  ///< bytes of disk space claimed so far
  Hdf5Writer writer = {};
  /// Datasets whose rows lay_out() adds.
  std::vector<std::pair<std::string, TableExtents>> deferred_datasets = {};
  bool is_laid_out = unfinished.has_value();
  Extent elements = {};  ///< on root: extent of the rows that lay_out() added
  /// Buffered groups and attributes, which the next step writes first. With many ranks, agreeing on
  /// each group and attribute separately would take most of the time.
  std::vector<std::function<void(Hdf5Writer&)>> buffered = {};

  File(const Communicator& ranks, const std::string& path, const std::string& kind,
       FileForm requested_form, const ChunkLayout& requested_layout,
       const std::optional<UnfinishedFile>& before)
      : communicator(ranks),
        display_name(path),
        seal_description{kind, ""},
        form(requested_form),
        layout(requested_layout),
        unfinished(before),
        output(ranks, resolve_on_root(ranks, path, kind), path, before ? before->path : "") {}
  static std::string resolve_on_root(const Communicator& ranks, const std::string& path,
                                     const std::string& kind) {
    std::string target;
    ranks.on_root([&] { target = resolve_output_path(path, kind); });
    return target;
  }

  void open(Hdf5Writer::OpenMode mode) {
    const OpenWatch watch(communicator, output.temporary(), display_name, parallel);
    step([&](Hdf5Writer& file) {
      file.open(output.temporary(), display_name, communicator, parallel, form, layout, mode);
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
    current_file_name = display_name.c_str();
    together([&] {
      if (!parallel && !communicator.is_root()) return;
      for (const auto& operation : buffered) operation(writer);
      action(writer);
    });
    buffered.clear();
  }

  /// True if this rank flushes data to the disk. If all ranks have the file open, the first rank of
  /// each node flushes; otherwise, root flushes.
  bool is_flusher() const { return parallel ? node_rank == 0 : communicator.is_root(); }
  void flush() {
    step([](Hdf5Writer& file) { file.flush(); });
    together([&] {
      if (is_flusher()) flush_file(output.temporary(), display_name);
    });
  }

  /// Claims disk space for `needed` bytes, in steps of claim_step.
  void claim_space() {
    if (needed <= claimed) return;
    claimed = (needed / claim_step + 1) * claim_step;
    on_root([&] { reserve_space(output.file(), display_name, claimed); });
  }
  void claim_space_for(const TableExtents& shape) {
    needed += Hdf5Writer::bytes_needed(shape, layout);
    claim_space();
  }

  void texts(const std::string& name, TextTable table, const std::string& description);
  void write_together(const std::string& dataset, ElementType type,
                      const std::vector<Hyperslab>& slabs);
  void write_through_root(const std::string& dataset, const Hyperslab& slab);
  void close_or_abandon();
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
  const std::uint64_t max_rounds = communicator.max(static_cast<std::uint64_t>(rounds.size()));
  rounds.resize(max_rounds, Hyperslab{nullptr, type});  // same type, so HDF5 converts nothing
  for (const Hyperslab& rows : rounds) {
    step([&](Hdf5Writer& file) { file.write(name, rows); });
  }
}

/// Root writes the hyperslab of each rank, rank by rank and piece by piece. A piece may end inside
/// a row; the next piece then begins with the remainder of that row.
void ResultsFile::File::write_through_root(const std::string& name, const Hyperslab& slab) {
  Hyperslab header = slab;  // position and size, without the data
  header.data = nullptr;
  const auto headers = communicator.gather(std::span<const Hyperslab>(&header, 1));
  const std::span local(static_cast<const std::byte*>(slab.data), slab.rows * row_bytes(slab));

  std::vector<std::byte> partial;
  std::size_t source = 0;  // the current rank
  std::uint64_t done = 0;  // number of this rank's written rows
  const auto sink = [&](std::span<const std::byte> piece) {
    while (done == headers[source].rows) {
      ++source;
      done = 0;
    }
    const std::uint64_t bytes_per_row = row_bytes(headers[source]);
    const auto write_rows = [&](std::span<const std::byte> bytes) {
      const std::uint64_t rows = bytes.size() / bytes_per_row;
      writer.write(name, part_of(headers[source], bytes.data(), done, rows));
      done += rows;
      return static_cast<std::ptrdiff_t>(rows * bytes_per_row);
    };
    if (partial.empty() && piece.size() % bytes_per_row == 0) {
      write_rows(piece);
      return;
    }
    partial.insert(partial.end(), piece.begin(), piece.end());
    partial.erase(partial.begin(), partial.begin() + write_rows(partial));
  };
  if (!buffered.empty()) step([](Hdf5Writer&) {});  // collectively writes `buffered`
  const QuietHdf5 quiet;
  guarded([&] { communicator.stream_to_root(local, sink); });
}

/// Closes the file. After a failure or with MPI-IO, the file instead stays open until the process
/// ends. After a failure, closing would make HDF5 write once more. With MPI-IO, closing is
/// collective, but an exception may keep other ranks from calling this function. See start_hdf5().
void ResultsFile::File::close_or_abandon() {
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
    file_->open(Hdf5Writer::OpenMode::create);
    attribute("/", "format", "rivulet " + kind);
    attribute("/", "format_version", format_version);
    attribute("/", "version", version);
    if (form == FileForm::resumable) {
      text(mark_dataset, unfinished_mark(file_->output.temporary()));
    }
  } catch (...) {
    file_->close_or_abandon();
    throw;
  }
}

ResultsFile::ResultsFile(const Communicator& communicator, const std::string& path,
                         const std::string& kind, const UnfinishedFile& before,
                         const ChunkLayout& layout) {
  start_hdf5();
  file_ = std::make_unique<File>(communicator, path, kind, FileForm::resumable, layout, before);
  file_->elements = {before.head_extent.end(), before.bytes - before.head_extent.end()};
  communicator.on_root([&] { restore_unfinished(before); });
  try {
    file_->open(Hdf5Writer::OpenMode::reopen);
  } catch (...) {
    file_->close_or_abandon();
    throw;
  }
}

ResultsFile::~ResultsFile() {
  if (!file_->committed) file_->close_or_abandon();
}

void ResultsFile::group(const std::string& path, const std::string& description) {
  file_->buffered.emplace_back([=](Hdf5Writer& file) {
    file.group(path);
    if (!description.empty()) file.attribute(path, "description", description);
  });
}

void ResultsFile::put_attribute(const std::string& object, const std::string& name,
                                AttributeValue value, const std::string& unit) {
  if (file_->parallel) broadcast_from_root(file_->communicator, value);
  file_->buffered.emplace_back([=](Hdf5Writer& file) {
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
  const bool is_deferred = !file_->is_laid_out && shape.rows > 0 &&
                           (!shape.sealed || file_->form == FileForm::resumable);
  if (is_deferred) file_->deferred_datasets.emplace_back(path, shape);
  file_->step([&](Hdf5Writer& file) {
    is_deferred ? file.create_empty(path, shape) : file.create(path, shape);
    if (!description.empty()) file.attribute(path, "description", description);
    if (!unit.empty()) file.attribute(path, "unit", unit);
  });
}

void ResultsFile::write_hyperslabs(const std::string& path, ElementType type,
                                   const std::vector<Hyperslab>& slabs) {
  if (file_->parallel) return file_->write_together(path, type, slabs);
  const std::uint64_t max_slabs = file_->communicator.max(static_cast<std::uint64_t>(slabs.size()));
  for (std::uint64_t i = 0; i < max_slabs; ++i) {
    file_->write_through_root(path, i < slabs.size() ? slabs[i] : Hyperslab{nullptr, type});
  }
}

void ResultsFile::write_runs(const std::string& path, ElementType type, const void* data,
                             std::span<const StridedRanges> runs) {
  write_hyperslabs(path, type, hyperslabs_of(type, data, runs));
}

/// Allocates the datasets' chunks after the rest of the file. HDF5 then never writes metadata
/// between the chunks: it writes before or after all chunks.
void ResultsFile::lay_out() {
  File& state = *file_;
  state.is_laid_out = true;
  if (state.deferred_datasets.empty() && state.form != FileForm::resumable) return;
  const auto size = [&] { return std::filesystem::file_size(state.output.temporary()); };
  state.step([](Hdf5Writer& file) { file.flush(); });
  state.on_root([&] { state.elements.begin = size(); });
  state.step([&](Hdf5Writer& file) {
    for (const auto& [name, shape] : state.deferred_datasets) file.extend(name, shape);
  });
  // Reopening makes HDF5 forget the gaps between chunks, so that it adds later objects at the end.
  state.step([](Hdf5Writer& file) { file.close(); });
  state.on_root([&] { state.elements.bytes = size() - state.elements.begin; });
  state.open(Hdf5Writer::OpenMode::reopen);
  if (state.form != FileForm::resumable) return;
  state.flush();
  state.unfinished.emplace();
  const std::uint64_t begin = Hdf5Writer::user_block_bytes(state.layout);
  state.on_root([&] {
    state.unfinished =
        unfinished_file(state.output.temporary(), {begin, state.elements.begin - begin});
  });
}

const UnfinishedFile& ResultsFile::unfinished() const { return *file_->unfinished; }
void ResultsFile::flush() { file_->flush(); }
void ResultsFile::begin_flush() {
  file_->together([&] {
    if (file_->is_flusher()) io::begin_flush(file_->output.temporary(), file_->display_name);
  });
}
void ResultsFile::keep(bool kept) {
  file_->output.keep(kept);
  if (file_->unfinished) file_->unfinished->path = file_->output.temporary();
}
void ResultsFile::set_creator(const std::string& run) { file_->seal_description.run = run; }

void ResultsFile::commit(OnRenameFailure on_failure) {
  File& state = *file_;
  state.step([](Hdf5Writer& file) { file.flush(); });
  state.step([&](Hdf5Writer& file) {
    if (state.form == FileForm::resumable) file.remove(mark_dataset);
  });
  state.step([](Hdf5Writer& file) { file.close(); });
  state.on_root([&] {
    seal(state.output.file(), state.output.temporary(), state.seal_description, state.elements);
  });
  state.guarded([&] { state.output.complete(on_failure); });
  state.committed = true;
}

std::optional<FileIdentity> ResultsFile::identity() const {
  return identity_of(file_->output.temporary());
}

bool ResultsFile::has_final_name() const { return file_->output.has_final_name(); }

}  // namespace rivulet::io
