// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "sequences/prefetcher.hpp"
#include "sequences/saved_sequence.hpp"
#include "sequences/sequence_options.hpp"
#include "sequences/sequence_source.hpp"
#include "sequences/worker_thread.hpp"

namespace rivulet {

/// A sequence of numbers for a host program: the numbers of one or more streams in an order that
/// does not depend on the sizes of reads and buffers. Not thread-safe. A function that throws
/// leaves the position unchanged.
class Sequence {
 public:
  /// Throws Error if the options are invalid or memory is insufficient.
  explicit Sequence(const SequenceOptions& options);
  /// Continues a saved sequence, with the buffer size of `saved.options`. Throws SequenceError
  /// (wrong_generator) if the parameter sets have changed, or SequenceError (not_a_state) if the
  /// position is impossible. Throws Error like the constructor above.
  explicit Sequence(const SavedSequence& saved);
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  const SequenceOptions& options() const { return options_; }
  const std::vector<std::string>& warnings() const { return source_.warnings(); }
  std::size_t number_bytes() const { return number_bytes_; }
  int own_format() const { return own_format_; }  ///< SequenceOptions::own_format()
  Uint128 position() const { return end_ - buffered_; }
  const SequenceSeconds& seconds() const { return source_.seconds(); }

  /// Returns the next `count` numbers if they are already drawn, else nullptr. `count` must be
  /// positive. The numbers are valid until the next call.
  const std::byte* take(std::uint64_t count) {
    if (count > buffered_) return nullptr;
    const std::byte* const taken = next_;
    pass(count);
    return taken;
  }
  /// If the next `count` numbers are already drawn, copies them and returns true, else returns
  /// false. `count` must be positive.
  bool take(std::uint64_t count, void* to) {
    const std::byte* const taken = take(count);
    if (taken != nullptr) std::memcpy(to, taken, count * number_bytes_);
    return taken != nullptr;
  }
  /// Returns the numbers that are already drawn, beginning at position(). They are valid until the
  /// next call that reads. The caller then calls skip() for the numbers that it has used.
  std::span<const std::byte> drawn() const { return {next_, buffered_ * number_bytes_}; }
  /// Copies the next `count` numbers; `count` must be positive. Throws SequenceError (out_of_range)
  /// like skip(), and Error if drawing fails.
  void get(std::uint64_t count, void* to);

  /// Returns the next number; Number must match the sequence's type. Throws Error.
  template <class Number>
  Number next() {
    Number number;
    if (buffered_ == 0) {
      get(1, &number);
    } else {
      std::memcpy(&number, next_, sizeof(number));
      pass(1);
    }
    return number;
  }
  /// Returns to an earlier position. If the buffer still holds the numbers from that position, they
  /// are not drawn again.
  void go_back(Uint128 position);
  /// Draws if the buffer is empty. Returns how many numbers the buffer holds. Throws Error.
  std::uint64_t ready();

  /// Skips `count` numbers. Throws SequenceError (out_of_range) if the position would reach
  /// SequenceOptions::end().
  void skip(Uint128 count);

  SavedSequence save();

  /// Waits until other threads and the device have finished the sequence's work.
  void synchronize() { prefetcher_.synchronize(); }

 private:
  void pass(std::uint64_t count) {
    next_ += count * number_bytes_;
    buffered_ -= count;
    passed_ += count;
  }
  void require_range(Uint128 count) const;
  void fill(std::uint64_t count, std::byte* to);
  std::uint64_t direct_units(std::uint64_t count) const;
  void refill(std::uint64_t wanted);

  SequenceOptions options_;
  int own_format_;
  SequenceSource source_;
  std::uint64_t number_bytes_;
  std::uint64_t buffer_units_;
  Prefetcher prefetcher_;
  HostCopy copy_;

  const std::byte* next_ = nullptr;
  std::uint64_t buffered_ = 0;  ///< unread numbers, which begin at next_
  std::uint64_t passed_ = 0;    ///< numbers in the buffer before next_
  Uint128 end_ = 0;             ///< position after the buffer's numbers
};

}  // namespace rivulet
