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

/// A sequence of numbers for a host program: the numbers of one or more streams in an order,
/// independent of the sizes of reads and buffers. Not for two threads at once. A function that
/// throws leaves the sequence where it was.
class Sequence {
 public:
  /// Throws Error.
  explicit Sequence(const SequenceOptions& options);
  /// Continues a saved sequence, with the buffer that `saved.options` names. Throws Error.
  explicit Sequence(const SavedSequence& saved);
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  const SequenceOptions& options() const { return options_; }
  const std::vector<std::string>& warnings() const { return source_.warnings(); }
  std::size_t number_bytes() const { return number_bytes_; }
  int own_format() const { return own_format_; }  ///< that of the options
  Uint128 position() const { return end_ - left_; }
  const SequenceSeconds& seconds() const { return source_.seconds(); }

  /// The next count > 0 numbers, in memory until the next call, if they are already drawn; else
  /// nullptr.
  const std::byte* take(std::uint64_t count) {
    if (count > left_) return nullptr;
    const std::byte* const taken = next_;
    pass(count);
    return taken;
  }
  /// Copies the next count > 0 numbers if they are already drawn; else returns false.
  bool take(std::uint64_t count, void* to) {
    const std::byte* const taken = take(count);
    if (taken != nullptr) std::memcpy(to, taken, count * number_bytes_);
    return taken != nullptr;
  }
  /// The next numbers, as far as they are already drawn. The numbers stay in memory until the next
  /// call that reads. The caller then calls skip() for those that it has used.
  std::span<const std::byte> drawn() const { return {next_, left_ * number_bytes_}; }
  /// Copies the next count > 0 numbers. Throws Error.
  void get(std::uint64_t count, void* to);

  /// The next number, of the sequence's type. Throws Error.
  template <class Number>
  Number next() {
    Number number;
    if (left_ == 0) {
      get(1, &number);
    } else {
      std::memcpy(&number, next_, sizeof(number));
      pass(1);
    }
    return number;
  }
  /// Returns to an earlier position, at once if the buffer still holds its numbers.
  void go_back(Uint128 position);
  /// Draws if no number is left in the buffer; returns how many the buffer holds. Throws Error.
  std::uint64_t ready();

  /// Skips `count` numbers. Throws SequenceError (out_of_range) beyond position_limit.
  void skip(Uint128 count);

  SavedSequence save();

  /// Waits for other threads and the device to finish the sequence's work.
  void settle() { prefetcher_.settle(); }

 private:
  void pass(std::uint64_t count) {
    next_ += count * number_bytes_;
    left_ -= count;
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
  std::uint64_t left_ = 0;    ///< numbers from next_ on
  std::uint64_t passed_ = 0;  ///< numbers in the buffer before next_
  Uint128 end_ = 0;           ///< position after these
};

}  // namespace rivulet
