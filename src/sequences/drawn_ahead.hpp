// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "machine/pinned_space.hpp"
#include "sequences/ahead_limits.hpp"
#include "sequences/sequence_states.hpp"
#include "sequences/worker_thread.hpp"

namespace rivulet {

/// Prefetches a sequence's numbers, in units, from a device to the host. Kernels draw them in
/// batches to device memory; pinned chunks of host memory receive them while the host copies
/// earlier chunks to the caller. Consecutive large reads make batches longer and longer, ahead of
/// the caller's requests, so that streams are seldom cut. (There is one batch: kernels fill memory
/// some twenty times faster than it is sent to the host, and longer batches are drawn faster than
/// two at a time.) Works without a device too. Not for two threads at once. After a failure, drop()
/// must be called first.
class DrawnAhead {
 public:
  /// Draws the next `units` units to memory that the space can access. Asynchronous.
  using Draw = std::function<void(std::uint64_t units, std::byte* to)>;
  /// Returns states from which the next unit can be drawn.
  using Rest = std::function<SequenceStates()>;

  /// rest: empty where numbers must not be drawn ahead. waited: the counter of seconds waited for
  /// copies, or nullptr.
  DrawnAhead(const Space& space, std::size_t unit_bytes, const AheadLimits& limits, Draw draw,
             Rest rest, double* waited);
  ~DrawnAhead();
  DrawnAhead(const DrawnAhead&) = delete;
  DrawnAhead& operator=(const DrawnAhead&) = delete;

  /// Reads the next units to host memory. Throws Error if there is no memory for a unit.
  void read(std::uint64_t units, std::byte* to);
  /// The same to memory that the device can access; complete when the space is fenced.
  void begin_read(std::uint64_t units, std::byte* to);

  /// Discards prefetched numbers.
  void drop();
  /// The states before the prefetched numbers, or nullptr if there were none since the last drop().
  const SequenceStates* states() const { return states_ ? &*states_ : nullptr; }

 private:
  using HostView =
      Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Bytes being copied, or copied: the chunk's own queue is done when they are.
  struct Chunk {
    Space space;
    Kokkos::View<std::byte*, PinnedSpace> memory;
    std::size_t bytes = 0;
    std::size_t used = 0;
  };
  static constexpr std::size_t chunk_count = 3;  ///< one being sent, one being copied, one spare

  std::size_t not_sent() const { return batch_bytes_ - sent_; }
  std::size_t in_chunks() const;
  void note(std::uint64_t units);
  void make_chunks();
  void send();
  std::size_t take(std::byte* to, std::size_t most);
  void draw_batch(std::size_t bytes);
  void make_room(std::uint64_t units);
  void fence_chunks();
  template <class Action>
  void waiting(const Action& action);

  Space space_;
  std::size_t unit_bytes_;
  AheadLimits limits_;
  Draw draw_;
  Rest rest_;
  double* waited_;

  Kokkos::View<std::byte*, Space> device_;
  std::uint64_t most_units_;      ///< of a batch
  std::uint64_t last_units_ = 0;  ///< of the last batch, as far as it was drawn ahead
  int large_reads_ = 0;           ///< in a row; counted up to 2
  std::size_t batch_bytes_ = 0;
  std::size_t sent_ = 0;  ///< bytes of the batch that were sent, or are being sent
  bool is_drawn_ = true;  ///< whether the space was fenced after the batch was launched
  std::array<Chunk, chunk_count> chunks_;
  std::size_t first_ = 0;  ///< the oldest chunk in use
  std::size_t in_use_ = 0;
  /// States before the newest prefetched batch; needed when a reader has caught up with it.
  std::optional<SequenceStates> states_;
  HostCopy copy_;
};

}  // namespace rivulet
