// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/drawn_ahead.hpp"

#include <algorithm>
#include <utility>

#include "machine/out_of_memory.hpp"
#include "machine/spaces.hpp"
#include "machine/unit_view.hpp"

namespace rivulet {
namespace {

/// Smaller chunks are not worth the overhead; less pinned memory is an error.
constexpr std::size_t least_chunk = std::size_t{1} << 16;

constexpr const char* advice = "Ask for fewer numbers at a time, or for smaller blocks.";

}  // namespace

DrawnAhead::DrawnAhead(const Space& space, std::size_t unit_bytes, const AheadLimits& limits,
                       Draw draw, Rest rest, double* waited)
    : space_(space),
      unit_bytes_(unit_bytes),
      limits_(limits),
      draw_(std::move(draw)),
      rest_(std::move(rest)),
      waited_(waited),
      most_units_(std::max<std::uint64_t>(limits.most_bytes / unit_bytes, 1)) {}

/// Memory may be freed only when no copy uses it.
DrawnAhead::~DrawnAhead() {
  fence_chunks();
  space_.fence();
}

template <class Action>
void DrawnAhead::waiting(const Action& action) {
  const Kokkos::Timer watch;
  action();
  if (waited_ != nullptr) *waited_ += watch.seconds();
}

void DrawnAhead::fence_chunks() {
  for (std::size_t i = 0; i < in_use_; ++i) chunks_[(first_ + i) % chunk_count].space.fence();
}

std::size_t DrawnAhead::in_chunks() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < in_use_; ++i) {
    const Chunk& chunk = chunks_[(first_ + i) % chunk_count];
    bytes += chunk.bytes - chunk.used;
  }
  return bytes;
}

void DrawnAhead::note(std::uint64_t units) {
  if (units * unit_bytes_ >= limits_.large_bytes) large_reads_ = std::min(large_reads_ + 1, 2);
}

void DrawnAhead::read(std::uint64_t units, std::byte* to) {
  const bool is_large = units * unit_bytes_ >= limits_.large_bytes;
  if (!is_large && in_use_ == 0) {
    begin_read(units, to);
    waiting([this] { space_.fence(); });
    return;
  }
  note(units);
  make_chunks();
  for (std::size_t left = units * unit_bytes_; left > 0;) {
    const std::size_t has = in_chunks();
    if (not_sent() == 0 && has < left) draw_batch(left - has);
    send();
    const std::size_t some = take(to, left);
    to += some;
    left -= some;
  }
  send();
}

void DrawnAhead::begin_read(std::uint64_t units, std::byte* to) {
  note(units);
  for (std::size_t left = units * unit_bytes_; left > 0;) {
    std::size_t some = 0;
    if (in_use_ > 0) {
      some = take(to, left);
    } else {
      if (not_sent() == 0) draw_batch(left);
      some = std::min(left, not_sent());
      const auto from = Kokkos::subview(device_, std::make_pair(sent_, sent_ + some));
      const auto copy = [&] { Kokkos::deep_copy(space_, HostView(to, some), from); };
      if (waited_ == nullptr) {
        copy();
      } else {
        waiting([&] { copy(), space_.fence(); });
      }
      sent_ += some;
    }
    to += some;
    left -= some;
  }
}

void DrawnAhead::make_chunks() {
  if (chunks_.front().memory.extent(0) > 0) return;
  const std::size_t least = std::min(least_chunk, limits_.chunk_bytes);
  with_what_memory_there_is(limits_.chunk_bytes, least, [this](std::size_t bytes) {
    for (Chunk& chunk : chunks_) chunk.memory = {};  // frees larger buffers
    require_memory_for("numbers copied from a device", chunk_count * bytes, advice, [&] {
      for (Chunk& chunk : chunks_) {
        chunk.memory = Kokkos::View<std::byte*, PinnedSpace>(
            Kokkos::view_alloc("rivulet::sequence_chunk", Kokkos::WithoutInitializing), bytes);
      }
    });
  });
  for (Chunk& chunk : chunks_) chunk.space = own_space();
}

/// Sends drawn numbers to all free chunks.
void DrawnAhead::send() {
  while (in_use_ < chunk_count && not_sent() > 0) {
    if (!is_drawn_) space_.fence();
    is_drawn_ = true;
    Chunk& chunk = chunks_[(first_ + in_use_) % chunk_count];
    chunk.bytes = std::min(chunk.memory.extent(0), not_sent());
    chunk.used = 0;
    Kokkos::deep_copy(chunk.space, HostView(chunk.memory.data(), chunk.bytes),
                      Kokkos::subview(device_, std::make_pair(sent_, sent_ + chunk.bytes)));
    sent_ += chunk.bytes;
    ++in_use_;
  }
}

/// Copies from the oldest chunk what it holds, at most `most` bytes; returns their number.
std::size_t DrawnAhead::take(std::byte* to, std::size_t most) {
  Chunk& chunk = chunks_[first_];
  const std::size_t some = std::min(most, chunk.bytes - chunk.used);
  waiting([&] { chunk.space.fence(); });
  copy_(to, chunk.memory.data() + chunk.used, some);
  chunk.used += some;
  if (chunk.used == chunk.bytes) {
    first_ = (first_ + 1) % chunk_count;
    --in_use_;
  }
  return some;
}

/// Draws after the previous batch has been sent: at least `bytes` bytes, or as many as memory
/// holds.
void DrawnAhead::draw_batch(std::size_t bytes) {
  std::uint64_t units = bytes / unit_bytes_;
  const bool is_ahead = rest_ && large_reads_ > 1;
  if (is_ahead) units = 2 * std::max(units, last_units_);
  units = std::min(units, most_units_);
  fence_chunks();  // which copy from the batch's memory
  make_room(units);
  units = std::min(units, most_units_);
  if (is_ahead) {
    states_ = rest_();
    last_units_ = units;
  }
  batch_bytes_ = sent_ = 0;
  draw_(units, device_.data());
  batch_bytes_ = units * unit_bytes_;
  is_drawn_ = false;
}

void DrawnAhead::make_room(std::uint64_t units) {
  if (device_.extent(0) >= units * unit_bytes_) return;
  space_.fence();
  with_what_memory_there_is(units * unit_bytes_, unit_bytes_, [&](std::size_t limit) {
    device_ = {};  // frees a smaller batch, or one that was too large
    const std::size_t bytes = limit / unit_bytes_ * unit_bytes_;
    require_memory_for("numbers on their way from the device", bytes, advice,
                       [&] { device_ = unit_view("rivulet::sequence_numbers", bytes); });
  });
  if (device_.extent(0) < units * unit_bytes_) most_units_ = device_.extent(0) / unit_bytes_;
}

void DrawnAhead::drop() {
  fence_chunks();
  first_ = in_use_ = 0;
  batch_bytes_ = sent_ = 0;
  last_units_ = 0;
  large_reads_ = 0;
  states_.reset();
}

}  // namespace rivulet
