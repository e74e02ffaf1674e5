// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/correlation/correlation.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// The partner of each stream in a correlation.
enum class Across {
  none,  ///< itself
  next   ///< the stream with the next id; for the last stream, the first
};

/// The sizes of the window, the part of the streams that is in memory at a time.
struct InputSizes {
  std::uint64_t rows = 0;     ///< streams: a multiple of tile_streams, or all
  std::uint64_t history = 0;  ///< numbers before a piece
  std::uint64_t columns = 0;  ///< numbers per piece, at least `history`

  std::uint64_t bytes(Across across) const {
    return rows * (history + columns + (across == Across::none ? 0 : columns)) *
           sizeof(std::uint32_t);
  }
};

/// Draws the words of one rank's streams and of their partners, piece by piece.
class CorrelationInput {
 public:
  /// `words` must request the type uint32. `numbers`: numbers to draw per stream of `range`. `plan`
  /// must outlive this object.
  CorrelationInput(const Space& space, const StreamPlan& plan, StreamRange range,
                   const NumberRequest& words, Across across, std::uint64_t numbers,
                   const InputSizes& shape);

  void restart();
  /// Skips `numbers` numbers of each stream, but draws the history of the next piece. `numbers`
  /// must be 0, or at least the length of the history. Call this function after restart(), and only
  /// if the window has a row for every stream. Blocking.
  void resume(std::uint64_t numbers);
  /// Draws the next piece. Returns false after the last piece. Blocking.
  bool next();
  /// Draws the next piece, which ends at or before number `end`. Returns false if the last piece
  /// ended at or after `end`. Call this function only if the window has a row for every stream.
  /// Blocking.
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
  std::uint64_t first_ = 0;             ///< first stream in the window
  std::uint64_t source_position_ = 0;   ///< position of the streams after resume(), in numbers
  std::uint64_t partner_position_ = 0;  ///< position of the partners after resume(), in numbers
  std::unique_ptr<NumberSource> source_;
  std::unique_ptr<NumberSource> partners_;  ///< the range shifted by one stream
  std::unique_ptr<NumberSource> wrapped_;   ///< stream 0; only on the rank of the last stream
};

}  // namespace rivulet
