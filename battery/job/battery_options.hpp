// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "battery/battery_test.hpp"
#include "battery/words/word_supply.hpp"
#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"

namespace rivulet {

/// How the words of S streams form one sequence.
enum class WordTurns {
  interleaved,  ///< one of each stream in turn
  blocked,      ///< a share of each block
  by_stream     ///< a block of each
};

/// Where tests begin in the sequence.
enum class TestTurns {
  automatic,  ///< shared, if all tests are of the sets default or long, else testu01
  testu01,    ///< where the one before ended
  each,       ///< at first_word
  shared      ///< at each chunk, whose counts are added up
};

struct BatteryOptions {
  StreamOptions streams;
  std::string source = "generator";  ///< or stdin, or a file or pipe
  io::WordForm form;                 ///< of its words
  std::uint64_t source_streams = 1;  ///< whose words take turns there
  std::string tests = "default";
  TestTurns sequence = TestTurns::automatic;
  std::uint64_t first_word = 0;
  std::uint64_t step = 1;    ///< of each so many words one is seen
  std::uint64_t seeds = 1;   ///< whose streams take turns
  std::uint64_t repeat = 1;  ///< of all, with other seeds
  std::uint64_t chunk = 0;   ///< words that shared tests see together; 0 chooses
  std::uint64_t bytes = 0;   ///< of shared tests; 0 chooses
  WordTurns order = WordTurns::interleaved;
  std::uint64_t block = 0;  ///< of the orders that have some
  WordBits bits = WordBits::all;
  std::uint64_t memory = 0;  ///< bytes; 0 chooses
  CheckpointOptions checkpoint;
  OutputOptions output{"battery.h5"};

  io::Schema schema();
  void check() const;
  std::string bits_name() const;
  /// The tests of a seed; shared ones are pooled, and fit into a chunk.
  std::vector<BatteryTest> list() const;
  /// Names of the tests that list() leaves out: those that take one stream apart, and tests of the
  /// set default that need longer chunks or a library for transforms.
  std::vector<std::string> left_out() const;
  std::vector<BatteryTest> all_tests() const;
  TestTurns turns() const;
  bool is_shared() const { return turns() == TestTurns::shared; }
  std::uint64_t chunk_words() const;
  std::uint64_t chunks() const;
  Interleaving interleaving() const;
  bool has_generator() const { return source == "generator"; }
  /// Whether the words are those of a pipe, and gone once they were read.
  bool is_pipe() const;
  /// Numbers that each stream draws at most.
  std::uint64_t numbers_per_stream() const;
  WordOrder word_order() const;
  /// Words of a stream that make a word of the sequence.
  std::uint64_t words_per_word() const;

 private:
  std::vector<BatteryTest> arranged_tests() const;
  bool is_left_out(const BatteryTest& test) const;
  void check_sequence() const;
  void check_generator() const;
  void check_source() const;
};

}  // namespace rivulet
