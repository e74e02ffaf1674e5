// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kokkos_compat.hpp"
#include "rivulet/detail/uint128.hpp"
#include "sequences/sequence_options.hpp"
#include "sequences/worker_thread.hpp"

namespace rivulet {

/// States of a sequence's streams after each has drawn `numbers` numbers.
struct SequenceStates {
  Uint128 numbers = 0;
  std::vector<std::byte> bytes;
};

/// Draws a sequence's numbers in units, one after the other.
class UnitSource {
 public:
  virtual ~UnitSource() = default;

  /// Returns the next unit to draw, or nullopt between a failure and the next move_to().
  virtual std::optional<Uint128> next() const = 0;
  /// Moves to a unit, forwards or backwards. `before` is nullptr, or states at an earlier unit: a
  /// move backwards can then begin there instead of at the start.
  virtual void move_to(Uint128 unit, const SequenceStates* before) = 0;
  /// Draws the next `units` units to memory that the space can access. Asynchronous on a device.
  virtual void draw(std::uint64_t units, std::byte* to) = 0;
  /// Returns states from which the next unit can be drawn.
  virtual SequenceStates save() const = 0;
};

/// Host memory for units of a sequence. A copy from the device may still be under way.
struct UnitBuffer {
  Kokkos::View<std::byte*, PinnedSpace> memory;
  Space queue;  ///< execution space of the copy from a device
  std::optional<Space> separate_queue;
  Uint128 first = 0;
  std::uint64_t units = 0;
  /// States from which the units can be drawn, or null if not kept.
  std::shared_ptr<const SequenceStates> states;

  bool has(Uint128 unit) const { return first <= unit && unit - first < units; }
};

/// Prefetches a sequence's units to a ring of buffers in host memory. The caller reads the oldest
/// buffer while the others are filled. On a CPU, a worker thread draws to the next buffer. On a
/// device, kernels draw batches to device memory, and the batches are copied to pinned buffers in
/// parts. After consecutive large reads, batches grow beyond the caller's requests, to amortise the
/// cuts of streams. (There is only one batch at a time, because kernels fill memory some twenty
/// times faster than copies drain it, and one long batch is faster than two short batches.) Not
/// thread-safe. After a failure, call drop() before any other function.
class Prefetcher {
 public:
  struct Sizes {
    std::size_t unit_bytes;
    std::uint64_t buffer_units;  ///< size of a buffer, unless a call wants more
    bool asynchronous;           ///< the next buffer is filled while one is read
    bool keeps_states;           ///< states are small enough to be kept with each batch
  };

  /// `waited` accumulates the seconds spent waiting for copies, or is nullptr.
  Prefetcher(const Space& space, UnitSource& source, const PrefetchLimits& limits,
             const Sizes& sizes, double* waited);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Allocates the buffers for calls without direct units.
  void allocate();

  /// Announces a call that wants `units` direct units. Direct units are whole units of a large read
  /// that bypass the window (the buffer whose size the caller chose).
  void expect(std::uint64_t units) { is_large_ = count_if_large(units); }
  /// Returns the buffer that contains `unit`. The buffer is complete and valid until the next call.
  /// `wanted` is the number of direct units that the call wants from `unit` on, or 0.
  const UnitBuffer& from(Uint128 unit, std::uint64_t wanted);
  /// Returns states from which `unit` can be drawn.
  std::shared_ptr<const SequenceStates> states(Uint128 unit);

  /// Waits for the worker thread and the device.
  void synchronize();
  /// Discards prefetched numbers.
  void drop();

 private:
  UnitBuffer& buffer(std::size_t i) { return buffers_[(first_ + i) % buffers_.size()]; }
  std::uint64_t not_sent() const { return batch_units_ - sent_; }
  bool count_if_large(std::uint64_t units);
  void await_worker();
  void fence_copies();
  void await_copy();
  void forget_batch();
  void place(Uint128 unit);
  void fill_buffers(std::size_t max_in_use, Uint128 unit, std::uint64_t wanted);
  void begin(std::uint64_t size, std::uint64_t needed);
  void fill_on_host(UnitBuffer& to, std::uint64_t units);
  void send(UnitBuffer& to, std::uint64_t units);
  void allocate(UnitBuffer& buffer, std::uint64_t units);
  void draw_batch(std::uint64_t needed);
  void make_room(std::uint64_t units);

  Space space_;
  UnitSource& source_;
  PrefetchLimits limits_;
  Sizes sizes_;
  double* waited_;

  std::array<UnitBuffer, 3> buffers_;  ///< one being received, one being read, one spare
  std::size_t first_ = 0;              ///< index of the oldest buffer in use
  std::size_t in_use_ = 0;

  Kokkos::View<std::byte*, Space> device_;  ///< the batch in device memory
  std::uint64_t max_units_;                 ///< maximum size of a batch
  std::uint64_t last_units_ = 0;            ///< size of the last batch, if drawn ahead
  bool uses_window_ = true;                 ///< the call wants no direct units
  bool is_large_ = false;                   ///< the call wants many direct units
  int large_reads_ = 0;                     ///< consecutive large reads, counted up to 2
  std::uint64_t batch_units_ = 0;
  std::uint64_t sent_ = 0;                        ///< units of the batch whose copies were launched
  bool is_drawn_ = true;                          ///< the space was fenced after the batch's launch
  std::shared_ptr<const SequenceStates> states_;  ///< states before the batch, or null if not kept
  WorkerThread worker_;                           ///< declared last: it uses the members above
};

}  // namespace rivulet
