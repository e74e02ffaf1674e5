// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "machine/pinned_space.hpp"
#include "sequences/saved_sequence.hpp"
#include "sequences/sequence_options.hpp"
#include "sequences/sequence_source.hpp"
#include "sequences/worker_thread.hpp"

namespace rivulet {

/// A sequence of numbers for a host program: the numbers of one or more streams in an order,
/// independent of the sizes of reads and buffers. Not for two threads at once. A function that
/// throws leaves the sequence where it was.
class Sequence {
 public:
  /// Throws Error.
  explicit Sequence(const SequenceOptions& options);
  /// Continues a saved sequence, with the buffer that `saved.options` names. Throws Error.
  explicit Sequence(const SavedSequence& saved);
  ~Sequence();
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  const SequenceOptions& options() const { return options_; }
  const std::vector<std::string>& warnings() const { return source_.warnings(); }
  std::size_t number_bytes() const { return number_bytes_; }
  Uint128 position() const { return end_ - left_; }
  /// The times of a profiled sequence.
  const SequenceSeconds& seconds() const { return source_.seconds(); }

  /// Copies the next count > 0 numbers if they are already drawn; else returns false.
  bool take(std::uint64_t count, void* to) {
    if (count > left_) return false;
    const std::size_t bytes = count * number_bytes_;
    std::memcpy(to, next_, bytes);
    next_ += bytes;
    left_ -= count;
    return true;
  }
  /// Copies the next count > 0 numbers. Throws Error.
  void get(std::uint64_t count, void* to);

  /// Skips `count` numbers. Throws SequenceError (out_of_range) beyond position_limit.
  void skip(Uint128 count);

  SavedSequence save();

  /// Waits for other threads and the device to finish the sequence's work.
  void settle();

 private:
  struct Buffer {
    Kokkos::View<unsigned char*, PinnedSpace> memory;
    Uint128 first = 0;        ///< unit
    bool is_filled = false;   ///< filled, or being filled
    SequenceStates states{};  ///< from which it was filled
  };

  void require_range(Uint128 count) const;
  void fill(std::uint64_t count, std::byte* to);
  bool is_worth_a_direct_draw(std::uint64_t count) const;
  void refill();
  void allocate(Buffer& buffer) const;
  void begin(Buffer& buffer, Uint128 unit);
  void begin_back(Uint128 unit);
  void forget_buffers(Uint128 position);

  SequenceOptions options_;
  SequenceSource source_;
  std::uint64_t number_bytes_;
  std::uint64_t buffer_units_;

  const unsigned char* next_ = nullptr;
  std::uint64_t left_ = 0;  ///< numbers from next_ on
  Uint128 end_ = 0;         ///< position after these
  Buffer front_;
  Buffer back_;
  WorkerThread worker_;  ///< last: its work uses the members above
};

}  // namespace rivulet
