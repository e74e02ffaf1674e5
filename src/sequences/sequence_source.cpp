// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence_source.hpp"

#include <algorithm>
#include <iterator>

#include "launching/segments.hpp"
#include "rivulet/detail/this_thread.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

/// Waking threads pays off for draws of at least this many numbers.
constexpr std::uint64_t min_numbers_for_threads = 65536;

/// With fewer streams than this, the calling thread alone creates and moves the streams. Waking
/// threads would take as long as this work, and on busy cores a hundred times as long.
constexpr std::uint64_t min_streams_for_threads = 16;

/// If a GPU draws fewer streams than this, a warp draws each stream.
constexpr std::uint64_t min_streams_for_lanes = 8192;

StreamMapping mapping_for(std::uint64_t instances) {
  const std::uint64_t enough =
      device_build ? min_streams_for_lanes : static_cast<std::uint64_t>(tile_streams) / 2;
  return instances < enough ? StreamMapping::team : StreamMapping::lane;
}

/// True if Kokkos can use its threads from this thread, that is, outside parallel regions.
bool kokkos_may_fork() {
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
  return !Kokkos::OpenMP::in_parallel();
#else
  return true;
#endif
}

/// Tries to lock kokkos_threads() for a draw of `numbers` numbers. If the returned lock owns the
/// mutex, the calling thread may launch kernels on all CPU threads. Otherwise, it must draw alone.
[[maybe_unused]] std::unique_lock<std::mutex> try_lock_threads(std::uint64_t numbers) {
  std::unique_lock<std::mutex> lock(kokkos_threads(), std::defer_lock);
  const bool is_large = numbers >= min_numbers_for_threads;
  if (is_large && !ThisThreadOnly::active() && kokkos_may_fork())
    static_cast<void>(lock.try_lock());
  return lock;
}

std::unique_ptr<StreamPlan> plan_of(const SequenceOptions& options) {
  try {
    return options.generator_facts().plan(options.request(), io::Communicator::self());
  } catch (const SeedError& error) {
    throw SequenceError(Fault::seed, error);
  } catch (const Error& error) {  // also when restoring, because the saved bytes are valid
    throw SequenceError(Fault::option, error);
  }
}

/// True if lanes may draw the segments of streams that are otherwise drawn by teams. A device's
/// lanes write efficiently only to adjacent memory (coalesced). A stream's segments lie apart, so
/// there must be enough interleaved streams for the lanes.
bool may_cut_for_lanes(const SequenceOptions& options) {
  return !device_build || (options.order == Order::interleaved && options.instances >= team_lanes);
}

/// Returns `mapping` if the generator supports it, else the generator's first mapping.
StreamMapping supported_mapping(const Generator& generator, StreamMapping mapping) {
  return generator.has(mapping) ? mapping : generator.mappings.front();
}

}  // namespace

std::mutex& kokkos_threads() {
  static std::mutex mutex;
  return mutex;
}

SequenceSource::SequenceSource(const SequenceOptions& options)
    : space_(own_space()),
      order_(options.order),
      profiled_(options.profiled),
      instances_(options.instances) {
  std::optional<ThisThreadOnly> alone;
  if (instances_ < min_streams_for_threads) alone.emplace();
  plan_ = plan_of(options);
  parameters_digest_ = plan_->parameters_digest();
  warnings_ = plan_->warnings();
  std::ranges::copy(ineffective_options(options.generator_facts(), options.request()),
                    std::back_inserter(warnings_));
  NumberRequest request;
  request.segments = options.segments;
  request.type = options.type;
  request.interval = options.interval;
  request.mapping = supported_mapping(options.generator_facts(), mapping_for(instances_));
  if (options.streams_per_team > 0) {
    request.mapping = StreamMapping::team;
    request.streams_per_team = options.streams_per_team;
    // In the team mapping, a CPU does not cut streams by default, because segments would only
    // occupy more threads and would require jumps in each draw.
    if (!device_build && request.segments == 0) request.segments = 1;
  } else {
    request.segments_by_lanes = may_cut_for_lanes(options);
    // The segments of a single stream share blocks, too.
    if (device_build) request.streams_per_team = 4;
  }
  source_ = make_number_source(space_, *plan_, {options.first_stream, instances_}, request);
  share_ = order_ == Order::blocked ? options.block_length / instances_ : source_->period();
  unit_ = share_ * instances_;
}

void SequenceSource::move_to(Uint128 unit, const SequenceStates* before) {
  if (next_ == unit) return;
  const bool is_backward = next_ && unit < *next_;
  if (is_backward && before != nullptr && before->numbers <= unit * share_) restore(*before);
  const std::uint64_t period = source_->period();
  const Uint128 periods = unit * share_ / period;
  const Uint128 from = periods_ && *periods_ <= periods ? *periods_ : 0;
  const bool needs_restart = !periods_ || *periods_ > periods;
  next_.reset();
  periods_.reset();
  std::optional<ThisThreadOnly> alone;
  if (instances_ < min_streams_for_threads) alone.emplace();
  if (needs_restart) source_->restart();
  source_->advance(periods - from);  // also by 0, so that the source counts from base_
  base_ = periods * period;
  periods_ = periods;
  next_ = unit;
}

void SequenceSource::draw(std::uint64_t units, std::byte* to) {
  std::unique_lock<std::mutex> lock;
  std::optional<ThisThreadOnly> alone;
  const auto begin = static_cast<std::uint64_t>(*next_ * share_ - base_);
  if constexpr (!device_build) {
    lock = try_lock_threads(units * unit_);
    // A single thread draws one uncut stream, so the other threads are not needed.
    if (lock.owns_lock() && instances_ == 1 &&
        !source_->segments_of({0, 1, begin, units * share_}).is_cut())
      lock.unlock();
    if (!lock.owns_lock()) alone.emplace();
  }
  const Kokkos::Timer watch;
  const Uint128 end = *next_ + units;
  next_.reset();
  periods_.reset();
  if (order_ == Order::interleaved || instances_ == 1) {
    source_->draw({0, instances_, begin, units * share_}, {1, instances_}, to);
  } else {
    for (std::uint64_t j = 0; j < units; ++j) {
      source_->draw({0, instances_, begin + j * share_, share_}, {share_, 1},
                    to + j * unit_ * number_bytes());
    }
  }
  periods_ = end * share_ / source_->period();
  next_ = end;
  if (!profiled_) return;
  space_.fence();
  seconds_.kernel += watch.seconds();
}

SequenceStates SequenceSource::save() const {
  return {*periods_ * source_->period(), source_->save()};
}

void SequenceSource::restore(const SequenceStates& states) {
  next_.reset();
  periods_.reset();
  // States from a machine with another period do not fit. In this case, move_to() restarts the
  // streams.
  if (states.numbers % source_->period() != 0) return;
  source_->restore(states.bytes);
  periods_ = states.numbers / source_->period();
}

}  // namespace rivulet
