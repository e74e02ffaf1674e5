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

/// States of a sequence's streams after `numbers` numbers of each.
struct SequenceStates {
  Uint128 numbers = 0;
  std::vector<std::byte> bytes;
};

/// Draws a sequence's numbers in units, one after the other.
class UnitSource {
 public:
  virtual ~UnitSource() = default;

  /// The unit to be drawn; nothing after a failure, and until the next move.
  virtual std::optional<Uint128> next() const = 0;
  /// Moves to a unit, forwards or back. States from before the unit may save the way from the
  /// start.
  virtual void move_to(Uint128 unit, const SequenceStates* before) = 0;
  /// Draws the next units to memory that the space can access; asynchronous on a device.
  virtual void draw(std::uint64_t units, std::byte* to) = 0;
  /// States from which the next unit can be drawn.
  virtual SequenceStates save() const = 0;
};

/// Host memory with units of a sequence, or to which they are being copied.
struct UnitBuffer {
  Kokkos::View<std::byte*, PinnedSpace> memory;
  Space queue;               ///< of the copy from a device
  std::optional<Space> own;  ///< a queue for this buffer alone
  Uint128 first = 0;
  std::uint64_t units = 0;
  /// States from which its units can be drawn, where they were kept.
  std::shared_ptr<const SequenceStates> states;

  bool has(Uint128 unit) const { return first <= unit && unit - first < units; }
};

/// Prefetches a sequence's units to host memory: a ring of buffers, of which the oldest is read
/// while the others are filled. On a CPU a worker thread draws to the next buffer. On a device
/// kernels draw batches to its memory, and pinned buffers receive their parts. Consecutive large
/// reads make batches longer and longer, ahead of the caller's requests, so that streams are seldom
/// cut. (There is one batch: kernels fill memory some twenty times faster than it is sent to the
/// host, and longer batches are drawn faster than two at a time.) Not for two threads at once.
/// After a failure, drop() must be called first.
class Prefetcher {
 public:
  struct Sizes {
    std::size_t unit_bytes;
    std::uint64_t buffer_units;  ///< of a buffer, unless a call wants more
    bool asynchronous;           ///< whether the next buffer is filled meanwhile
    bool keeps_states;           ///< whether states are small enough to be kept with each batch
    std::uint64_t most_buffer_units = 0;  ///< to which consecutive buffers grow, unless it is 0
  };

  /// waited: the counter of seconds waited for copies, or nullptr.
  Prefetcher(const Space& space, UnitSource& source, const AheadLimits& limits, const Sizes& sizes,
             double* waited);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Allocates the buffers for calls that want no units of their own.
  void allocate();

  /// A call begins that wants `units` units of its own.
  void expect(std::uint64_t units) { is_large_ = note(units); }
  /// The buffer that has a unit, complete and valid until the next call; `wanted`: how many units
  /// from that one on the call wants of its own, or 0.
  const UnitBuffer& from(Uint128 unit, std::uint64_t wanted);
  /// States from which a unit can be drawn.
  std::shared_ptr<const SequenceStates> states(Uint128 unit);

  /// Waits for the worker thread and the device.
  void settle();
  /// Discards prefetched numbers.
  void drop();

 private:
  UnitBuffer& buffer(std::size_t i) { return buffers_[(first_ + i) % buffers_.size()]; }
  std::uint64_t not_sent() const { return batch_units_ - sent_; }
  bool note(std::uint64_t units);
  void await_worker();
  void fence_copies();
  void await_copy();
  void forget_batch();
  void place(Uint128 unit);
  void top_up(std::size_t most, Uint128 unit, std::uint64_t wanted);
  void begin(std::uint64_t size, std::uint64_t needed);
  void fill_on_host(UnitBuffer& to, std::uint64_t units);
  void send(UnitBuffer& to, std::uint64_t units);
  void allocate(UnitBuffer& buffer, std::uint64_t units);
  void draw_batch(std::uint64_t needed);
  void make_room(std::uint64_t units);

  Space space_;
  UnitSource& source_;
  AheadLimits limits_;
  Sizes sizes_;
  double* waited_;

  std::array<UnitBuffer, 3> buffers_;  ///< one being sent, one being copied, one spare
  std::size_t first_ = 0;              ///< the oldest in use
  std::size_t in_use_ = 0;

  Kokkos::View<std::byte*, Space> device_;  ///< the batch
  std::uint64_t most_units_;                ///< of a batch
  std::uint64_t last_units_ = 0;            ///< of the last batch, if it was drawn ahead
  std::uint64_t window_units_;              ///< of the next buffer if the call wants no units
  bool is_window_ = true;                   ///< the call wants no units of its own
  bool is_large_ = false;                   ///< the call wants many
  int large_reads_ = 0;                     ///< in a row; counted up to 2
  std::uint64_t batch_units_ = 0;
  std::uint64_t sent_ = 0;  ///< units of the batch that were sent, or are being sent
  bool is_drawn_ = true;    ///< whether the space was fenced after the batch was launched
  std::shared_ptr<const SequenceStates> states_;  ///< before the batch, where they were kept
  WorkerThread worker_;                           ///< last: its work uses the members above
};

}  // namespace rivulet
