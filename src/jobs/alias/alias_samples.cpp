// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "jobs/alias/alias_layout.hpp"
#include "machine/device_bytes.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

constexpr std::uint64_t default_memory = std::uint64_t{64} << 20;

/// Allocates pinned host memory for copies of a device view. In a host build, allocates nothing.
template <class T>
Kokkos::View<T*, PinnedSpace> host_buffer_for(const Kokkos::View<T*, Space>& view) {
  if constexpr (!device_build) return {};
  return Kokkos::View<T*, PinnedSpace>(
      Kokkos::view_alloc(view.label(), Kokkos::WithoutInitializing), view.size());
}

/// Returns a host address of the view's elements. On a device, copies the elements to `host_buffer`
/// first.
template <class T>
const T* on_host(const Kokkos::View<T*, Space>& view,
                 const Kokkos::View<T*, PinnedSpace>& host_buffer) {
  if constexpr (!device_build) return view.data();
  copy_to_host(host_buffer.data(), view.data(), view.size() * sizeof(T));
  return host_buffer.data();
}

}  // namespace

AliasSampleWriter::AliasSampleWriter(const Space& space, const AliasOptions& options,
                                     const StreamPlan& plan, const io::Communicator& ranks,
                                     const AliasWeights& table, std::uint64_t round_samples)
    : space_(space),
      options_(options),
      table_(table),
      ranks_(ranks),
      round_samples_(round_samples),
      range_(range_on(ranks, options.streams.count)) {
  if (options.draws_positions()) {
    for (const AliasAxis& axis : table.axes()) {
      if (axis.has_edges()) continue;
      throw Error(
          fmt::format("alias.within=uniform with the points of axis '{}'", axis.name),
          "points do not define where cells end",
          fmt::format("Give the axis {} edges, or omit alias.within.", axis.points.size() + 1));
    }
  }
  const std::uint64_t max_rank_streams =
      ceil_divide(options.streams.count, static_cast<std::uint64_t>(ranks.size()));
  const std::uint64_t min_bytes = max_rank_streams * round_samples * sample_bytes();
  const std::uint64_t max_bytes =
      options.memory == 0 ? std::max(default_memory, min_bytes) : options.memory;
  if (min_bytes > max_bytes) {
    throw Error(
        fmt::format("alias.memory={} B is too small", max_bytes),
        fmt::format("a round of {} samples of each stream takes {} B", round_samples, min_bytes),
        fmt::format("Set alias.memory={}B or more, or auto.", min_bytes));
  }
  const StreamShare share{options.samples, options.streams.count};
  rounds_ = std::min(max_bytes / min_bytes, ceil_divide(share.max_items(), round_samples));
  if (!options.draws_positions()) return;
  source_ = make_number_source(space, plan, {options.streams.count + range_.first, range_.count},
                               {NumberType::float64, Interval::closed_open,
                                options.streams.mapping(), 1, options.streams.segments});
}

void AliasSampleWriter::allocate() {
  std::exception_ptr failure;
  const auto try_allocate = [&] {
    failure = io::failure_of([this] { allocate_batch(); });
    return ranks_.all(failure == nullptr);
  };
  const std::uint64_t requested_rounds = rounds_;
  while (!try_allocate()) {
    if (rounds_ == 1) ranks_.agree(failure);
    rounds_ /= 2;
  }
  if (rounds_ == requested_rounds || rounds_ == 1) return;
  rounds_ /= 2;  // leaves a reserve, like with_available_memory()
  if (!try_allocate()) ranks_.agree(failure);
}

void AliasSampleWriter::allocate_batch() {
  cells_ = {};  // frees a longer batch
  numbers_ = {};
  host_cells_ = {};
  host_numbers_ = {};
  stride_ = rounds_ * round_samples_;
  const auto make = [this] {
    cells_ = CellView(Kokkos::view_alloc("rivulet::samples", Kokkos::WithoutInitializing),
                      range_.count * stride_);
    if (source_) {
      numbers_ = NumberView(Kokkos::view_alloc("rivulet::places", Kokkos::WithoutInitializing),
                            range_.count * stride_ * table_.axes().size());
    }
    host_cells_ = host_buffer_for(cells_);
    host_numbers_ = host_buffer_for(numbers_);
    const std::uint64_t kept =
        cells_.size() * sizeof(std::uint32_t) + numbers_.size() * sizeof(double);
    const Kokkos::View<std::byte*, Kokkos::HostSpace> temporaries(
        Kokkos::view_alloc("rivulet::samples_to_write", Kokkos::WithoutInitializing),
        bytes() - kept);  // checks that a batch's temporaries fit
  };
  require_memory_for("samples to be written", bytes(),
                     "Lower streams.count, or start more ranks on more nodes.", make);
}

std::uint64_t AliasSampleWriter::sample_bytes() const {
  const std::uint64_t numbers = table_.axes().size() * sizeof(double);
  return 2 * sizeof(std::uint32_t) + (with_coordinates() ? sizeof(double) : 0) +
         (options_.draws_positions() ? 2 * numbers : 0);
}

std::uint64_t AliasSampleWriter::bytes() const { return range_.count * stride_ * sample_bytes(); }

void AliasSampleWriter::restart() {
  source_offset_ = 0;
  if (source_) source_->restart();
}

void AliasSampleWriter::resume(std::uint64_t samples) {
  if (!source_) return;
  const std::uint64_t periods = samples * table_.axes().size() / source_->period();
  source_->advance(periods);
  source_offset_ = periods * source_->period();
}

void AliasSampleWriter::write(io::ResultsFile& file, const std::string& group, const Work& batch,
                              io::PhaseTimer& timer) {
  std::vector<std::uint32_t> cells;
  std::vector<double> positions;
  {
    const auto scope = timer.scope(Phase::rng);
    if (source_) positions = positions_in_cells(batch);
  }
  {
    const auto scope = timer.scope(Phase::transfer);
    cells = batch_cells(batch);
  }
  const std::vector<io::StridedRanges> runs = file_ranges(batch);
  {
    const auto scope = timer.scope(Phase::io);
    file.write_runs(group + "/indices", io::ElementType::u32, cells.data(), runs);
  }
  if (!with_coordinates()) return;
  for (std::size_t axis = 0; axis < table_.axes().size(); ++axis) {
    const std::vector<double> values = coordinates(axis, cells, positions);
    const auto scope = timer.scope(Phase::io);
    file.write_runs(fmt::format("{}/coordinate{}", group, axis), io::ElementType::f64,
                    values.data(), runs);
  }
}

/// Returns the cells of all samples that this rank writes, stream by stream and without gaps.
std::vector<std::uint32_t> AliasSampleWriter::batch_cells(const Work& batch) const {
  const std::uint32_t* const host = on_host(cells_, host_cells_);
  std::vector<std::uint32_t> cells;
  cells.reserve(range_.count * stride_);
  for (std::uint64_t s = 0; s < range_.count; ++s) {
    const std::uint32_t* const from = host + s * stride_;
    cells.insert(cells.end(), from, from + batch.count(s));
  }
  return cells;
}

/// Returns the ranges of a batch in the file. Streams with equal numbers of samples share one
/// strided range.
std::vector<io::StridedRanges> AliasSampleWriter::file_ranges(const Work& batch) const {
  const StreamShare& share = batch.share;
  const std::uint64_t longer_streams = share.total % share.streams;  // streams with one more sample
  const std::uint64_t end = range_.first + range_.count;
  const std::uint64_t first_shorter = std::clamp(longer_streams, range_.first, end);
  std::vector<io::StridedRanges> runs;
  const auto add = [&](std::uint64_t from, std::uint64_t to) {
    if (from == to || batch.count(from - range_.first) == 0) return;
    const std::uint64_t length = share.items(from);
    const std::uint64_t before =
        from * (share.total / share.streams) + std::min(from, longer_streams);
    runs.push_back({before + batch.begin, batch.count(from - range_.first), length, to - from});
  };
  add(range_.first, first_shorter);
  add(first_shorter, end);
  return runs;
}

/// Returns a number in [0, 1) for each sample and axis, in the order of batch_cells().
std::vector<double> AliasSampleWriter::positions_in_cells(const Work& batch) {
  const std::uint64_t axes = table_.axes().size();
  const std::uint64_t row = stride_ * axes;
  const std::uint64_t count = batch.count(0) * axes;  // the first stream has the most samples
  if (range_.count > 0 && count > 0) {
    source_->draw({0, range_.count, batch.begin * axes - source_offset_, count}, {row, 1},
                  numbers_.data());
  }
  space_.fence();
  const double* const host = on_host(numbers_, host_numbers_);
  std::vector<double> packed;
  packed.reserve(range_.count * row);
  for (std::uint64_t s = 0; s < range_.count; ++s) {
    const double* const from = host + s * row;
    packed.insert(packed.end(), from, from + batch.count(s) * axes);
  }
  return packed;
}

std::vector<double> AliasSampleWriter::coordinates(std::size_t axis,
                                                   const std::vector<std::uint32_t>& cells,
                                                   const std::vector<double>& positions) const {
  const std::vector<AliasAxis>& axes = table_.axes();
  const std::vector<std::uint64_t>& extents = table_.extents();
  std::uint64_t cells_per_index = 1;
  for (std::size_t a = axis + 1; a < extents.size(); ++a) cells_per_index *= extents[a];
  const AliasAxis& axis_grid = axes[axis];
  std::vector<double> values(cells.size());
  const auto compute_stretch = [&](std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t i = first; i < end; ++i) {
      const std::uint64_t index = cells[i] / cells_per_index % extents[axis];
      if (positions.empty()) {
        values[i] = axis_grid.point(index);
        continue;
      }
      const double lower = axis_grid.edge(index);
      const double upper = axis_grid.edge(index + 1);
      const double at = std::fma(positions[i * axes.size() + axis], upper - lower, lower);
      values[i] = at < upper ? at : std::nextafter(upper, lower);  // the sum may round up
    }
  };
  in_stretches("rivulet::alias_coordinates", cells.size(), compute_stretch);
  return values;
}

}  // namespace rivulet
