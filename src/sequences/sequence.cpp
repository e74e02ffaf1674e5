// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rivulet/detail/ceil_divide.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

/// Minimum count of numbers per launch. Without it, an unbuffered sequence would launch a kernel
/// every few calls if the calls request few numbers.
constexpr std::uint64_t min_numbers_per_launch = 2048;

const SequenceOptions& checked(const SequenceOptions& options) {
  check(options);
  return options;
}

/// Minimum ratio of prefetched bytes to the bytes of states that are saved with them. The cost of
/// copying the states is then negligible.
constexpr std::uint64_t min_bytes_per_state_byte = 256;

}  // namespace

Sequence::Sequence(const SequenceOptions& options)
    : options_(checked(options)),
      own_format_(options_.own_format()),
      source_(options_),
      number_bytes_(source_.number_bytes()),
      // Even an unbuffered sequence buffers some units, because a call may use only part of a unit.
      buffer_units_(ceil_divide(
          options_.buffer_numbers == 0 ? min_numbers_per_launch : options_.buffer_numbers,
          source_.unit())),
      prefetcher_(source_.space(), source_, options_.prefetch,
                  {source_.unit() * number_bytes_, buffer_units_, options_.asynchronous,
                   source_.state_bytes() <= options_.prefetch.max_bytes / min_bytes_per_state_byte},
                  options_.profiled ? &source_.seconds().transfer : nullptr),
      end_(options_.start) {
  require_memory("the buffer", Uint128{buffer_units_} * source_.unit() * number_bytes_,
                 "buffer_numbers");
  if (options_.buffer_numbers > 0 || options_.asynchronous) prefetcher_.allocate();
}

Sequence::Sequence(const SavedSequence& saved) : Sequence(saved.options) {
  if (saved.parameters_digest != source_.parameters_digest()) {
    throw SequenceError(Fault::wrong_generator, "the sequence was saved with other parameter sets",
                        fmt::format("the digest of \"{}\" has changed", options_.parameters),
                        "Restore that file as it was when the sequence was created.");
  }
  if (saved.position >= options_.end()) {
    throw SequenceError(Fault::not_a_state, "these bytes are not a saved sequence",
                        "their position is impossible",
                        "Pass all bytes that were saved, unchanged.");
  }
  source_.restore(saved.states);
  end_ = saved.position;
}

void Sequence::require_range(Uint128 count) const {
  const Uint128 end = options_.end();
  if (count < end && position() + count < end) return;
  throw SequenceError(Fault::out_of_range, "the position would leave the sequence's range",
                      end_text(options_), "Skip or draw fewer numbers.");
}

void Sequence::get(std::uint64_t count, void* to) {
  if (take(count, to)) return;
  require_range(count);
  const Uint128 start = position();
  try {
    fill(count, static_cast<std::byte*>(to));
  } catch (...) {
    go_back(start);
    throw;
  }
}

void Sequence::go_back(Uint128 position) {
  const Uint128 back = this->position() - position;
  if (back <= passed_) {
    const auto count = static_cast<std::uint64_t>(back);
    next_ -= count * number_bytes_;
    buffered_ += count;
    passed_ -= count;
    return;
  }
  prefetcher_.drop();
  buffered_ = passed_ = 0;
  end_ = position;
}

std::uint64_t Sequence::ready() {
  if (buffered_ == 0) {
    require_range(1);
    refill(0);
  }
  return buffered_;
}

/// Returns how many units a call for `count` numbers draws directly; 0 if the buffer serves the
/// call.
std::uint64_t Sequence::direct_units(std::uint64_t count) const {
  const std::uint64_t units = count / source_.unit();
  return options_.asynchronous || units < buffer_units_ ? 0 : units;
}

void Sequence::fill(std::uint64_t count, std::byte* to) {
  const std::uint64_t unit = source_.unit();
  prefetcher_.expect(direct_units(count));
  while (count > 0) {
    std::uint64_t done = std::min(buffered_, count);
    const std::uint64_t units = end_ % unit == 0 ? direct_units(count) : 0;
    if (done > 0 && options_.prefetch.through_device) {
      copy_(to, next_, done * number_bytes_);
      pass(done);
    } else if (done > 0) {
      take(done, to);
    } else if (units > 0 && !options_.prefetch.through_device) {
      source_.move_to(end_ / unit, nullptr);
      source_.draw(units, to);
      done = units * unit;
      end_ += done;
      passed_ = 0;
    } else {
      refill(units);
    }
    to += done * number_bytes_;
    count -= done;
  }
}

/// Continues in a buffer that contains the next number. `wanted` is the call's direct_units().
void Sequence::refill(std::uint64_t wanted) {
  const std::uint64_t unit = source_.unit();
  const UnitBuffer& buffer = prefetcher_.from(end_ / unit, wanted);
  const auto used = static_cast<std::uint64_t>(end_ - buffer.first * unit);
  next_ = buffer.memory.data() + used * number_bytes_;
  passed_ = 0;
  const Uint128 until_limit = options_.end() - 1 - end_;
  buffered_ = buffer.units * unit - used;
  if (buffered_ > until_limit) buffered_ = static_cast<std::uint64_t>(until_limit);
  end_ += buffered_;
}

void Sequence::skip(Uint128 count) {
  if (count <= buffered_) return pass(static_cast<std::uint64_t>(count));
  require_range(count);
  end_ = position() + count;
  buffered_ = passed_ = 0;
}

SavedSequence Sequence::save() {
  return {options_, source_.parameters_digest(), position(),
          *prefetcher_.states(position() / source_.unit())};
}

}  // namespace rivulet
