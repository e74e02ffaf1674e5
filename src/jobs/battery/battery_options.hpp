// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "battery/battery_test.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "kernels/battery/word_supply.hpp"

namespace rivulet {

/// How the words of S streams form one sequence.
enum class WordTurns {
  interleaved,  ///< one of each stream in turn
  blocked,      ///< a share of each block
  by_stream     ///< a block of each
};

/// The deck of the battery job.
struct BatteryOptions {
  StreamOptions streams;
  std::string source = "generator";  ///< or stdin, or a file or pipe
  io::WordForm form;                 ///< of its words
  std::string tests = "small";
  std::uint64_t first_word = 0;
  WordTurns order = WordTurns::interleaved;
  std::uint64_t block = 0;  ///< of the orders that have some
  WordBits bits = WordBits::all;
  std::uint64_t memory = 0;  ///< bytes; 0 chooses
  CheckpointOptions checkpoint;
  OutputOptions output{"battery.h5"};

  io::Schema schema();
  /// Throws Error for invalid or inconsistent values.
  void check() const;
  std::string bits_name() const;
  bool has_generator() const { return source == "generator"; }
  /// Whether the words are those of a pipe, and gone once they were read.
  bool is_pipe() const;
  WordOrder word_order() const;
  /// Words of a stream that make a word of the sequence.
  std::uint64_t words_per_word() const;

 private:
  void check_generator() const;
  void check_source() const;
};

}  // namespace rivulet
