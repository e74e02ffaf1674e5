// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/correlation/correlation.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// The partner that a stream is correlated with.
enum class Across {
  none,  ///< itself
  next   ///< the stream with the next id; the last one with the first
};

/// The part of the streams that is in memory at a time.
struct InputSizes {
  std::uint64_t rows = 0;     ///< streams: whole tiles, or all
  std::uint64_t history = 0;  ///< numbers before a piece
  std::uint64_t columns = 0;  ///< numbers of a piece, at least `history`

  std::uint64_t bytes(Across across) const {
    return rows * (history + columns + (across == Across::none ? 0 : columns)) *
           sizeof(std::uint32_t);
  }
};

/// The words of one rank's streams and of their partners, piece by piece.
class CorrelationInput {
 public:
  /// Draws `numbers` numbers of each stream of `range`. `words` must request the type uint32.
  /// `plan` must outlive this object.
  CorrelationInput(const Space& space, const StreamPlan& plan, StreamRange range,
                   const NumberRequest& words, Across across, std::uint64_t numbers,
                   const InputSizes& shape);

  void restart();
  /// Continues after `numbers` numbers of each stream, at least the history or 0. Call it after
  /// restart(), and only if each stream has a row. Waits.
  void resume(std::uint64_t numbers);
  /// Draws the next piece; false at the end. Waits.
  bool next();
  /// Draws the next piece, which ends at number `end` or before; false if the last piece ended
  /// there. Call it only if each stream has a row. Waits.
  bool next_before(std::uint64_t end);
  const CorrelationPiece& piece() const { return piece_; }
  std::uint64_t state_bytes() const;

 private:
  void keep_history();
  void draw();
  void draw_partners(const NumberPiece& draw);

  Space space_;
  std::uint64_t streams_;
  std::uint64_t numbers_;
  InputSizes shape_;
  CorrelationPiece piece_;
  std::uint64_t first_ = 0;      ///< first stream in the window
  std::uint64_t own_at_ = 0;     ///< number at which resume() put the streams
  std::uint64_t others_at_ = 0;  ///< number at which resume() put the partners
  std::unique_ptr<NumberSource> own_;
  std::unique_ptr<NumberSource> partners_;  ///< streams from the range's second to the one after it
  std::unique_ptr<NumberSource> wrapped_;   ///< stream 0, on the rank that has the last stream
};

}  // namespace rivulet
