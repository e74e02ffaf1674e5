// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/prefetcher.hpp"

#include <algorithm>
#include <utility>

#include "machine/out_of_memory.hpp"
#include "machine/views.hpp"
#include "rivulet/detail/this_thread.hpp"

namespace rivulet {
namespace {

using HostView =
    Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Size of the smallest buffer that is worth its overhead, in bytes. If not even this much pinned
/// memory is available, allocation fails.
constexpr std::size_t min_buffer = std::size_t{1} << 16;

constexpr const char* advice = "Lower count, buffer_numbers or block_length.";

}  // namespace

Prefetcher::Prefetcher(const Space& space, UnitSource& source, const PrefetchLimits& limits,
                       const Sizes& sizes, double* waited)
    : space_(space),
      source_(source),
      limits_(limits),
      sizes_(sizes),
      waited_(waited),
      max_units_(std::max<std::uint64_t>(limits.max_bytes / sizes.unit_bytes, 1)) {}

/// Waits first, because threads or the device may still use the buffers.
Prefetcher::~Prefetcher() { synchronize(); }

void Prefetcher::allocate() {
  for (std::size_t i = 0; i < (sizes_.asynchronous ? 2 : 1); ++i) {
    allocate(buffers_[i], sizes_.buffer_units);
  }
}

/// Returns true if a read of `units` units is large, and then counts this read.
bool Prefetcher::count_if_large(std::uint64_t units) {
  if (!limits_.through_device || units * sizes_.unit_bytes < limits_.min_prefetched_read)
    return false;
  large_reads_ = std::min(large_reads_ + 1, 2);
  return true;
}

const UnitBuffer& Prefetcher::from(Uint128 unit, std::uint64_t wanted) {
  await_worker();
  for (; in_use_ > 0 && !buffer(0).has(unit); --in_use_) {
    if (limits_.through_device) buffer(0).queue.fence();
    first_ = (first_ + 1) % buffers_.size();
  }
  uses_window_ = wanted == 0;
  if (uses_window_) count_if_large(sizes_.buffer_units);
  const bool separate_queues = is_large_ && !uses_window_;
  fill_buffers(1, unit, wanted);
  // Without separate queues, the next fill_buffers() appends copies to this queue: a later fence
  // would wait for those, too.
  if (!separate_queues) await_copy();
  fill_buffers(separate_queues ? buffers_.size() : sizes_.asynchronous ? 2 : 1, unit, wanted);
  if (separate_queues) await_copy();
  return buffer(0);
}

/// Starts filling further buffers until `max_in_use` buffers are in use. For a call with direct
/// units, buffers receive the `wanted` units from `unit` on, and later units only if these are
/// already drawn. Buffers of the window are always filled.
void Prefetcher::fill_buffers(std::size_t max_in_use, Uint128 unit, std::uint64_t wanted) {
  while (in_use_ < max_in_use) {
    const Uint128 end = in_use_ == 0 ? unit : buffer(in_use_ - 1).first + buffer(in_use_ - 1).units;
    place(end);
    const auto remaining =
        static_cast<std::uint64_t>(end < unit + wanted ? unit + wanted - end : 0);
    if (remaining == 0 && !uses_window_ && not_sent() == 0) return;
    if (uses_window_) {
      begin(sizes_.buffer_units, sizes_.buffer_units);
    } else {
      const std::uint64_t chunk =
          std::max<std::uint64_t>(limits_.chunk_bytes / sizes_.unit_bytes, 1);
      begin(is_large_ ? chunk : remaining, remaining);
    }
  }
}

/// Fills the next buffer with at most `size` units, or makes the worker thread or the device start
/// to fill it. `needed` is the number of wanted units that no buffer has yet.
void Prefetcher::begin(std::uint64_t size, std::uint64_t needed) {
  UnitBuffer& to = buffer(in_use_);
  if (!limits_.through_device) {
    fill_on_host(to, size);
  } else {
    if (not_sent() == 0) draw_batch(needed);
    send(to, std::min(size, not_sent()));
  }
  ++in_use_;
}

void Prefetcher::fill_on_host(UnitBuffer& to, std::uint64_t units) {
  allocate(to, units);
  to.first = *source_.next();
  to.units = units;
  const auto fill = [this, &to, units] {
    to.states = std::make_shared<const SequenceStates>(source_.save());
    source_.draw(units, to.memory.data());
  };
  if (in_use_ == 0) return fill();
  worker_.start([fill] {
    const ThisThreadOnly alone;  // Kokkos' threads belong to the caller
    fill();
  });
}

void Prefetcher::send(UnitBuffer& to, std::uint64_t units) {
  allocate(to, units);
  units = std::min<std::uint64_t>(units, to.memory.extent(0) / sizes_.unit_bytes);
  to.queue = space_;
  if (is_large_ && !uses_window_) {
    if (!is_drawn_) space_.fence();
    is_drawn_ = true;
    if (!to.separate_queue) to.separate_queue = own_space();
    to.queue = *to.separate_queue;
  }
  const std::size_t begin = sent_ * sizes_.unit_bytes;
  const std::size_t bytes = units * sizes_.unit_bytes;
  Kokkos::deep_copy(to.queue, HostView(to.memory.data(), bytes),
                    Kokkos::subview(device_, std::make_pair(begin, begin + bytes)));
  to.first = *source_.next() - not_sent();
  to.units = units;
  to.states = states_;
  sent_ += units;
}

void Prefetcher::allocate(UnitBuffer& buffer, std::uint64_t units) {
  const std::size_t unit = sizes_.unit_bytes;
  if (buffer.memory.extent(0) >= units * unit) return;
  // The caller chose the window's size, so the window must not shrink.
  const std::size_t least = uses_window_ ? units * unit : std::max(unit, min_buffer);
  with_available_memory(units * unit, std::min(least, units * unit), [&](std::size_t limit) {
    buffer.memory = {};  // frees the old buffer first
    const std::size_t bytes = limit / unit * unit;
    require_memory_for("numbers that are prefetched", bytes, advice, [&] {
      buffer.memory = Kokkos::View<std::byte*, PinnedSpace>(
          Kokkos::view_alloc("rivulet::sequence_buffer", Kokkos::WithoutInitializing), bytes);
    });
  });
}

/// Draws a batch of at least `needed` units, or of as many units as memory holds. The previous
/// batch must have been sent.
void Prefetcher::draw_batch(std::uint64_t needed) {
  const bool is_ahead = sizes_.keeps_states && large_reads_ > 1;
  std::uint64_t units = is_ahead ? 2 * std::max(needed, last_units_) : needed;
  units = std::min(units, max_units_);
  fence_copies();
  make_room(units);
  units = std::min(units, max_units_);
  states_.reset();
  if (is_ahead || uses_window_) states_ = std::make_shared<const SequenceStates>(source_.save());
  if (is_ahead) last_units_ = units;
  batch_units_ = sent_ = 0;
  source_.draw(units, device_.data());
  batch_units_ = units;
  is_drawn_ = false;
}

void Prefetcher::make_room(std::uint64_t units) {
  const std::size_t unit = sizes_.unit_bytes;
  if (device_.extent(0) >= units * unit) return;
  space_.fence();
  with_available_memory(units * unit, unit, [&](std::size_t limit) {
    device_ = {};  // frees the old batch first
    const std::size_t bytes = limit / unit * unit;
    require_memory_for("numbers on their way from the device", bytes, advice,
                       [&] { device_ = aligned_view("rivulet::sequence_numbers", bytes); });
  });
  if (device_.extent(0) < units * unit) max_units_ = device_.extent(0) / unit;
}

/// Moves the source to `unit` and discards the batch. Does nothing if `unit` is already the next
/// unit to be sent or drawn.
void Prefetcher::place(Uint128 unit) {
  const auto next = source_.next();
  if (next && *next - not_sent() == unit) return;
  source_.move_to(unit, states_.get());
  large_reads_ = std::min(large_reads_, 1);
  forget_batch();
}

void Prefetcher::forget_batch() {
  batch_units_ = sent_ = 0;
  last_units_ = 0;
  states_.reset();
}

std::shared_ptr<const SequenceStates> Prefetcher::states(Uint128 unit) {
  await_worker();
  for (std::size_t i = 0; i < in_use_; ++i) {
    if (buffer(i).has(unit) && buffer(i).states) return buffer(i).states;
  }
  fence_copies();
  in_use_ = 0;
  if (!states_) forget_batch();
  place(unit);
  if (not_sent() > 0) return states_;
  return std::make_shared<const SequenceStates>(source_.save());
}

/// Waits for the worker thread. If the thread failed, drops its buffer, which is drawn again when
/// needed. A second failure then reaches the caller.
void Prefetcher::await_worker() {
  try {
    worker_.wait();
  } catch (...) {
    --in_use_;
  }
}

void Prefetcher::await_copy() {
  if (!limits_.through_device) return;
  const Kokkos::Timer watch;
  buffer(0).queue.fence();
  if (waited_ != nullptr) *waited_ += watch.seconds();
}

void Prefetcher::fence_copies() {
  if (!limits_.through_device) return;
  for (std::size_t i = 0; i < in_use_; ++i) buffer(i).queue.fence();
}

void Prefetcher::synchronize() {
  await_worker();
  try {
    fence_copies();
    space_.fence();
  } catch (...) {  // drawn again when needed; a second failure then reaches the caller
    in_use_ = 0;
    forget_batch();
  }
}

void Prefetcher::drop() {
  synchronize();
  in_use_ = 0;
  large_reads_ = 0;
  forget_batch();
}

}  // namespace rivulet
