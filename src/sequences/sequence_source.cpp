// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence_source.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "kernels/launching/this_thread.hpp"
#include "machine/unit_view.hpp"
#include "sequences/sequence_error.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace rivulet {
namespace {

/// Device memory for numbers on their way to the host.
constexpr std::size_t device_chunk = std::size_t{64} << 20;

/// Fewer numbers than this are not worth waking threads for.
constexpr std::uint64_t numbers_worth_threads = 65536;

/// On a GPU with fewer streams than this, each is drawn by a warp.
constexpr std::uint64_t enough_streams_for_lanes = 8192;

StreamMapping mapping_for(std::uint64_t instances) {
  const std::uint64_t enough =
      device_build ? enough_streams_for_lanes : static_cast<std::uint64_t>(tile_streams) / 2;
  return instances < enough ? StreamMapping::team : StreamMapping::lane;
}

/// Work on a device has its own queue, so that sequences and the program do not wait for each
/// other.
Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

/// Whether Kokkos can use its threads from here.
bool kokkos_may_fork() {
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
  return !Kokkos::OpenMP::in_parallel();
#elif defined(_OPENMP)
  return omp_in_parallel() == 0;
#else
  return true;
#endif
}

/// The right to launch kernels on all threads of a CPU, which one thread of the program has at a
/// time; those that do not get it work alone.
[[maybe_unused]] std::unique_lock<std::mutex> right_to_fork(std::uint64_t numbers,
                                                            std::uint64_t streams) {
  static std::mutex one_at_a_time;
  std::unique_lock<std::mutex> lock(one_at_a_time, std::defer_lock);
  const bool worth_it = streams > 1 && numbers >= numbers_worth_threads;
  if (worth_it && !ThisThreadOnly::active() && kokkos_may_fork())
    static_cast<void>(lock.try_lock());
  return lock;
}

std::unique_ptr<StreamPlan> plan_of(const SequenceOptions& options) {
  try {
    return options.generator_facts().plan(options.request(), io::Communicator::self());
  } catch (const SeedError& error) {
    throw SequenceError(Fault::seed, error);
  }
}

/// The mapping, or one that the generator has.
StreamMapping had_by(const Generator& generator, StreamMapping mapping) {
  return generator.has(mapping) ? mapping : generator.mappings.front();
}

}  // namespace

SequenceSource::SequenceSource(const SequenceOptions& options)
    : space_(own_space()),
      order_(options.order),
      profiled_(options.profiled),
      instances_(options.instances) {
  plan_ = plan_of(options);
  parameters_digest_ = plan_->parameters_digest();
  warnings_ = plan_->warnings();
  NumberRequest request;
  request.type = options.type;
  request.interval = options.interval;
  request.mapping = had_by(options.generator_facts(), mapping_for(instances_));
  if (options.streams_per_team > 0) {
    request.mapping = StreamMapping::team;
    request.streams_per_team = options.streams_per_team;
  } else if (device_build) {
    request.streams_per_team = static_cast<int>(std::min<std::uint64_t>(4, instances_));
  }
  source_ = make_number_source(space_, *plan_, {options.first_stream, instances_}, request);
  share_ = order_ == Order::blocked ? options.block_length / instances_ : source_->period();
  unit_ = share_ * instances_;
}

void SequenceSource::move_to(Uint128 unit) {
  if (is_ready_ && unit == next_) return;
  const std::uint64_t period = source_->period();
  const Uint128 periods = unit * share_ / period;
  const bool from_the_start = !is_placed_ || periods < periods_;
  is_placed_ = false;
  is_ready_ = false;
  if (from_the_start) {
    source_->restart();
    periods_ = 0;
  }
  source_->advance(periods - periods_);  // by none, too: pieces are counted from here on
  periods_ = periods;
  base_ = periods * period;
  next_ = unit;
  is_placed_ = true;
  is_ready_ = true;
}

void SequenceSource::launch(std::uint64_t units, std::byte* to) {
  const auto begin = static_cast<std::uint64_t>(next_ * share_ - base_);
  if (order_ == Order::interleaved) {
    source_->draw({0, instances_, begin, units * share_}, {1, instances_}, to);
  } else {
    for (std::uint64_t j = 0; j < units; ++j) {
      source_->draw({0, instances_, begin + j * share_, share_}, {share_, 1},
                    to + j * unit_ * number_bytes());
    }
  }
  next_ += units;
  periods_ = next_ * share_ / source_->period();
}

template <class Action>
void SequenceSource::timed(double& seconds, const Action& action) {
  if (!profiled_) return action();
  const Kokkos::Timer watch;
  action();
  space_.fence();
  seconds += watch.seconds();
}

std::byte* SequenceSource::device_buffer(std::size_t bytes) {
  if (device_buffer_.extent(0) < bytes) {
    device_buffer_ = {};
    device_buffer_ = unit_view("rivulet::sequence_numbers", bytes);
  }
  return device_buffer_.data();
}

void SequenceSource::begin_draw(std::uint64_t units, void* to) {
  is_placed_ = false;
  is_ready_ = false;
  auto* host = static_cast<std::byte*>(to);
  if constexpr (device_build) {
    using HostBytes =
        Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const std::size_t unit_bytes = unit_ * number_bytes();
    const std::uint64_t at_once = std::clamp<std::uint64_t>(device_chunk / unit_bytes, 1, units);
    std::byte* const device = device_buffer(at_once * unit_bytes);
    for (std::uint64_t done = 0; done < units; done += at_once) {
      const std::uint64_t some = std::min(at_once, units - done);
      timed(seconds_.kernel, [&] { launch(some, device); });
      const HostBytes there(host + done * unit_bytes, some * unit_bytes);
      const auto here = Kokkos::subview(device_buffer_,
                                        std::pair<std::size_t, std::size_t>(0, some * unit_bytes));
      timed(seconds_.transfer, [&] { Kokkos::deep_copy(space_, there, here); });
    }
  } else {
    const auto lock = right_to_fork(units * unit_, instances_);
    std::optional<ThisThreadOnly> alone;
    if (!lock.owns_lock()) alone.emplace();
    timed(seconds_.kernel, [&] { launch(units, host); });
  }
  is_placed_ = true;
  is_ready_ = true;
}

void SequenceSource::wait() { space_.fence(); }

void SequenceSource::draw(std::uint64_t units, void* to) {
  begin_draw(units, to);
  wait();
}

SequenceStates SequenceSource::save() const {
  return {periods_ * source_->period(), source_->save()};
}

void SequenceSource::restore(const SequenceStates& states) {
  is_placed_ = false;
  is_ready_ = false;
  // Machines whose periods differ find the place from the start.
  if (states.numbers % source_->period() != 0) return;
  source_->restore(states.bytes);
  periods_ = states.numbers / source_->period();
  is_placed_ = true;
}

}  // namespace rivulet
