// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rivulet/detail/this_thread.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

/// Least numbers of a launch: an unbuffered sequence that is asked for a few numbers at a time
/// would otherwise launch a kernel every few calls.
constexpr std::uint64_t least_drawn = 1000;

const SequenceOptions& checked(const SequenceOptions& options) {
  check(options);
  return options;
}

/// Whole units that hold `numbers` numbers.
std::uint64_t units_for(std::uint64_t numbers, std::uint64_t unit) {
  return numbers / unit + (numbers % unit != 0 ? 1 : 0);
}

}  // namespace

Sequence::Sequence(const SequenceOptions& options)
    : options_(checked(options)),
      source_(options_),
      number_bytes_(source_.number_bytes()),
      // An unbuffered sequence keeps some units too, as a call may leave numbers over.
      buffer_units_(units_for(options_.buffer_numbers == 0 ? least_drawn : options_.buffer_numbers,
                              source_.unit())),
      end_(options_.start) {
  if (options_.buffer_numbers > 0) allocate(front_);
  if (options_.asynchronous) allocate(back_);
}

Sequence::Sequence(const SavedSequence& saved) : Sequence(saved.options) {
  if (saved.parameters_digest != source_.parameters_digest()) {
    throw SequenceError(Fault::wrong_generator, "the sequence was saved with other parameter sets",
                        fmt::format("the digest of \"{}\" has changed", options_.parameters),
                        "Put back the file that it was made with.");
  }
  if (saved.position >= options_.end()) {
    throw SequenceError(Fault::not_a_state, "these bytes are not a saved sequence",
                        "their position is impossible",
                        "Pass all bytes that were saved, unchanged.");
  }
  source_.restore(saved.states);
  end_ = saved.position;
}

Sequence::~Sequence() { settle(); }

void Sequence::settle() {
  try {
    worker_.wait();
    source_.wait();
  } catch (...) {  // drawn again when needed; a failure then reaches the caller
    back_.is_filled = false;
  }
}

void Sequence::allocate(Buffer& buffer) const {
  if (buffer.memory.extent(0) > 0) return;
  const Uint128 bytes = Uint128{buffer_units_} * source_.unit() * number_bytes_;
  require_memory("the buffer", bytes);
  buffer.memory = Kokkos::View<unsigned char*, PinnedSpace>(
      Kokkos::view_alloc("rivulet::sequence_buffer", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(bytes));
}

void Sequence::require_range(Uint128 count) const {
  const Uint128 end = options_.end();
  if (count < end && position() + count < end) return;
  throw SequenceError(Fault::out_of_range, "the position would leave the sequence's range",
                      end_text(options_), "Skip less.");
}

void Sequence::get(std::uint64_t count, void* to) {
  if (take(count, to)) return;
  require_range(count);
  const Uint128 start = position();
  try {
    fill(count, static_cast<std::byte*>(to));
  } catch (...) {
    forget_buffers(start);
    throw;
  }
}

bool Sequence::is_worth_a_direct_draw(std::uint64_t count) const {
  if (options_.asynchronous || end_ % source_.unit() != 0) return false;
  return count / source_.unit() >= buffer_units_;
}

void Sequence::fill(std::uint64_t count, std::byte* to) {
  while (count > 0) {
    std::uint64_t done = std::min(left_, count);
    if (done > 0) {
      take(done, to);
    } else if (is_worth_a_direct_draw(count)) {
      const std::uint64_t units = count / source_.unit();
      source_.move_to(end_ / source_.unit());
      source_.draw(units, to);
      done = units * source_.unit();
      end_ += done;
    } else {
      refill();
    }
    to += done * number_bytes_;
    count -= done;
  }
}

/// Fills a buffer, or makes the device fill it.
void Sequence::begin(Buffer& buffer, Uint128 unit) {
  buffer.is_filled = false;
  source_.move_to(unit);
  buffer.states = source_.save();
  source_.begin_draw(buffer_units_, buffer.memory.data());
  buffer.first = unit;
  buffer.is_filled = true;
}

void Sequence::begin_back(Uint128 unit) {
  if constexpr (device_build) {
    begin(back_, unit);
  } else {
    worker_.start([this, unit] {
      const ThisThreadOnly alone;  // Kokkos' threads belong to the program
      begin(back_, unit);
    });
  }
}

void Sequence::refill() {
  const std::uint64_t unit = source_.unit();
  const Uint128 first = end_ / unit;
  settle();
  if (back_.is_filled && back_.first == first) {
    std::swap(front_, back_);
  } else {
    allocate(front_);
    begin(front_, first);
    source_.wait();
  }
  back_.is_filled = false;
  if (options_.asynchronous) begin_back(first + buffer_units_);
  const auto used = static_cast<std::uint64_t>(end_ % unit);
  next_ = front_.memory.data() + used * number_bytes_;
  const Uint128 to_limit = options_.end() - 1 - end_;
  left_ = buffer_units_ * unit - used;
  if (left_ > to_limit) left_ = static_cast<std::uint64_t>(to_limit);
  end_ += left_;
}

void Sequence::forget_buffers(Uint128 position) {
  settle();
  back_.is_filled = false;
  front_.is_filled = false;
  left_ = 0;
  end_ = position;
}

void Sequence::skip(Uint128 count) {
  if (count <= left_) {
    next_ += static_cast<std::uint64_t>(count) * number_bytes_;
    left_ -= static_cast<std::uint64_t>(count);
    return;
  }
  require_range(count);
  end_ = position() + count;
  left_ = 0;
}

SavedSequence Sequence::save() {
  SavedSequence saved{options_, source_.parameters_digest(), position(), {}};
  if (left_ > 0) {
    saved.states = front_.states;
    return saved;
  }
  settle();
  const Uint128 unit = end_ / source_.unit();
  if (back_.is_filled && back_.first == unit) {
    saved.states = back_.states;
    return saved;
  }
  back_.is_filled = false;
  source_.move_to(unit);
  saved.states = source_.save();
  return saved;
}

}  // namespace rivulet
