// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/correlation/correlation.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// Whom a stream is correlated with.
enum class Across {
  none,  ///< itself
  next   ///< the stream with the next id; the last one with the first
};

/// How much of the streams is in memory at once.
struct InputSizes {
  std::uint64_t rows = 0;     ///< streams: whole tiles, or all
  std::uint64_t history = 0;  ///< numbers before a piece
  std::uint64_t columns = 0;  ///< numbers of a piece, at least `history`

  std::uint64_t bytes(Across across) const {
    return rows * (history + columns + (across == Across::none ? 0 : columns)) *
           sizeof(std::uint32_t);
  }
};

/// The words of one rank's streams, piece by piece, with what is correlated with them.
class CorrelationInput {
 public:
  /// Streams of `range`, with `numbers` numbers each, drawn as `words` says, of type uint32. The
  /// plan must outlive the window.
  CorrelationInput(const Space& space, const StreamPlan& plan, StreamRange range,
                   const NumberRequest& words, Across across, std::uint64_t numbers,
                   const InputSizes& shape);

  /// Puts every stream at its start.
  void restart();
  /// After restart(), where there is a row for each stream: continues as if `numbers` numbers of
  /// each were drawn, none or at least as many as the history has. Waits.
  void resume(std::uint64_t numbers);
  /// Draws the next piece; false if there is none. Waits.
  bool next();
  /// Where there is a row for each stream: draws the next piece, which ends at number `end` or
  /// before; false if the last one ended there. Waits.
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
  std::uint64_t first_ = 0;      ///< of the streams in the window
  std::uint64_t own_at_ = 0;     ///< numbers of each stream where they were put,
  std::uint64_t others_at_ = 0;  ///< and those that they are correlated with
  std::unique_ptr<NumberSource> own_;
  std::unique_ptr<NumberSource> partners_;  ///< streams 1 .. of the range, and the one after it
  std::unique_ptr<NumberSource> wrapped_;   ///< stream 0, of the rank that has the last stream
};

}  // namespace rivulet
