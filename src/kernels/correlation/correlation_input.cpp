// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/correlation_input.hpp"

#include <algorithm>

namespace rivulet {
namespace {

/// Moves the last `history` numbers of a piece to the columns before the next piece.
struct MoveHistory {
  WordTable words;
  std::uint64_t history;
  std::uint64_t columns;  ///< numbers per row of the piece, at least `history`

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    const std::uint64_t row = i / history;
    const std::uint64_t column = i % history;
    words(row, column) = words(row, column + columns);
  }
};

}  // namespace

CorrelationInput::CorrelationInput(const Space& space, const StreamPlan& plan, StreamRange range,
                                   const NumberRequest& request, Across across,
                                   std::uint64_t numbers, const InputSizes& shape)
    : space_(space), streams_(range.count), numbers_(numbers), shape_(shape) {
  source_ = make_number_source(space, plan, range, request);
  piece_.words = WordTable("rivulet::words", shape.rows, shape.history + shape.columns);
  piece_.history = shape.history;
  if (across == Across::none) {
    piece_.partners = piece_.words;
    piece_.partner_column = shape.history;
    return;
  }
  piece_.partners = WordTable("rivulet::partners", shape.rows, shape.columns);
  const bool wraps = range.first + range.count == plan.streams();
  const StreamRange next{range.first + 1, range.count - (wraps ? 1 : 0)};
  if (next.count > 0) partners_ = make_number_source(space, plan, next, request);
  if (wraps) wrapped_ = make_number_source(space, plan, {0, 1}, request);
}

void CorrelationInput::restart() {
  for (NumberSource* source : {source_.get(), partners_.get(), wrapped_.get()}) {
    if (source != nullptr) source->restart();
  }
  first_ = source_position_ = partner_position_ = 0;
  piece_.rows = piece_.begin = piece_.count = 0;
}

bool CorrelationInput::next() {
  if (piece_.begin + piece_.count < numbers_) {
    if (piece_.count > 0) keep_history();
    piece_.begin += piece_.count;
  } else {
    first_ += piece_.rows;
    piece_.begin = 0;
  }
  if (first_ >= streams_) return false;
  piece_.rows = std::min(shape_.rows, streams_ - first_);
  piece_.count = std::min(shape_.columns, numbers_ - piece_.begin);
  draw();
  return true;
}

bool CorrelationInput::next_before(std::uint64_t end) {
  const std::uint64_t begin = piece_.begin + piece_.count;
  if (begin >= end) return false;
  if (piece_.count > 0) keep_history();
  piece_.rows = streams_;
  piece_.begin = begin;
  piece_.count = std::min(shape_.columns, end - begin);
  draw();
  return true;
}

void CorrelationInput::resume(std::uint64_t numbers) {
  const std::uint64_t period = source_->period();
  const std::uint64_t history = std::min(shape_.history, numbers);
  const std::uint64_t begin = numbers - history;
  source_->advance(begin / period);
  source_position_ = begin / period * period;
  source_->draw({0, streams_, begin - source_position_, history}, {piece_.words.stride(0), 1},
                piece_.words.data() + (shape_.history - history));
  for (NumberSource* source : {partners_.get(), wrapped_.get()}) {
    if (source != nullptr) source->advance(numbers / period);
  }
  partner_position_ = numbers / period * period;
  piece_.begin = numbers;
  space_.fence();
}

void CorrelationInput::draw() {
  const NumberPiece now{first_, piece_.rows, piece_.begin - source_position_, piece_.count};
  source_->draw(now, {piece_.words.stride(0), 1}, piece_.words.data() + shape_.history);
  draw_partners({first_, piece_.rows, piece_.begin - partner_position_, piece_.count});
  space_.fence();
}

void CorrelationInput::draw_partners(const NumberPiece& draw) {
  const std::uint64_t in_partners = partners_ ? partners_->count() : 0;
  const std::uint64_t stride = piece_.partners.stride(0);
  if (partners_ && draw.first < in_partners) {
    NumberPiece part = draw;
    part.streams = std::min(draw.streams, in_partners - draw.first);
    partners_->draw(part, {stride, 1}, piece_.partners.data());
  }
  if (wrapped_ && draw.first + draw.streams == streams_) {
    wrapped_->draw({0, 1, draw.begin, draw.count}, {stride, 1},
                   piece_.partners.data() + (draw.streams - 1) * stride);
  }
}

void CorrelationInput::keep_history() {
  if (shape_.history == 0) return;
  Kokkos::parallel_for("rivulet::keep_history", IndexRange(space_, 0, piece_.rows * shape_.history),
                       MoveHistory{piece_.words, shape_.history, piece_.count});
}

std::uint64_t CorrelationInput::state_bytes() const {
  std::uint64_t bytes = 0;
  for (const NumberSource* source : {source_.get(), partners_.get(), wrapped_.get()}) {
    if (source != nullptr) bytes += source->state_bytes();
  }
  return bytes;
}

}  // namespace rivulet
