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

/// A sequence's numbers on their way from a device to the host, in units. They are drawn into
/// device memory in batches and leave it in chunks, by way of host memory that the device reaches
/// by itself, while others of these are copied to where they are wanted. Large reads that follow
/// each other make longer and longer batches, ahead of being asked for, so that streams are seldom
/// cut. (There is one batch: kernels fill memory some twenty times faster than it is sent to the
/// host, and longer batches are drawn faster than two at a time.) Where there is no device, it
/// works all the same. Not for two threads at once. After a failure, drop() must come first.
class DrawnAhead {
 public:
  /// Draws the next `units` units to memory that the space reaches. Asynchronous.
  using Draw = std::function<void(std::uint64_t units, std::byte* to)>;
  /// States from which the next unit can be drawn.
  using Rest = std::function<SequenceStates()>;

  /// rest: not given where numbers must not be drawn ahead. waited: where to add seconds waited for
  /// copies, or nullptr.
  DrawnAhead(const Space& space, std::size_t unit_bytes, const AheadLimits& limits, Draw draw,
             Rest rest, double* waited);
  ~DrawnAhead();
  DrawnAhead(const DrawnAhead&) = delete;
  DrawnAhead& operator=(const DrawnAhead&) = delete;

  /// The next units to memory of the host. Throws Error if there is no memory for a unit.
  void read(std::uint64_t units, std::byte* to);
  /// The same to memory that the device reaches by itself, where they are when the space is fenced.
  void begin_read(std::uint64_t units, std::byte* to);

  /// Forgets what was drawn and not read.
  void drop();
  /// From before what was drawn ahead, or nullptr if nothing was since the last drop().
  const SequenceStates* states() const { return states_ ? &*states_ : nullptr; }

 private:
  using HostView =
      Kokkos::View<std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// Bytes on their way, or there: in a queue of its own, which is done when they are.
  struct Chunk {
    Space space;
    Kokkos::View<std::byte*, PinnedSpace> memory;
    std::size_t bytes = 0;
    std::size_t used = 0;
  };
  static constexpr std::size_t chunk_count = 3;  ///< one sent, one copied, one to spare

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
