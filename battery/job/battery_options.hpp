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

/// Arrangement of the words of S streams in one sequence.
enum class WordTurns {
  interleaved,  ///< one word of each stream in turn
  blocked,      ///< each stream fills a share of each block
  by_stream     ///< a block of each stream in turn
};

/// Determines where each test begins in the sequence.
enum class TestTurns {
  automatic,  ///< shared if all tests are in the sets default or long, else testu01
  testu01,    ///< each test begins where the previous test ended
  each,       ///< each test begins at first_word
  shared      ///< all tests read each chunk from its start; counts are summed over chunks
};

struct BatteryOptions {
  StreamOptions streams;
  std::string source = "generator";  ///< generator, stdin, or the path of a file or pipe
  io::WordForm form;                 ///< format of words from a source other than `generator`
  std::uint64_t source_streams = 1;  ///< streams interleaved in a source other than `generator`
  std::string tests = "default";
  TestTurns sequence = TestTurns::automatic;
  std::uint64_t first_word = 0;
  std::uint64_t step = 1;    ///< tests read the first of every `step` words
  std::uint64_t seeds = 1;   ///< seeds whose streams are interleaved
  std::uint64_t repeat = 1;  ///< repeats of all tests, with other seeds
  std::uint64_t chunk = 0;   ///< words per chunk of shared tests; 0: automatic
  std::uint64_t bytes = 0;   ///< bytes of the sequence of shared tests; 0: automatic
  WordTurns order = WordTurns::interleaved;
  std::uint64_t block = 0;  ///< words per block, for the orders `blocked` and `by_stream`
  WordBits bits = WordBits::all;
  std::uint64_t memory = 0;  ///< limit in bytes per rank; 0: automatic
  CheckpointOptions checkpoint;
  OutputOptions output{"battery.h5"};

  io::Schema schema();
  void check() const;
  std::string bits_name() const;
  /// Returns the tests of one repeat. Shared tests are pooled, with sizes that fit into a chunk.
  std::vector<BatteryTest> list() const;
  /// Returns the names of the tests that list() omits: tests that read streams separately, if there
  /// is only one stream or too few words, and tests of the set default that need longer chunks,
  /// more items or a Fourier transform library.
  std::vector<std::string> left_out() const;
  std::vector<BatteryTest> all_tests() const;
  TestTurns turns() const;
  bool is_shared() const { return turns() == TestTurns::shared; }
  std::uint64_t chunk_words() const;
  std::uint64_t chunks() const;
  Interleaving interleaving() const;
  bool has_generator() const { return source == "generator"; }
  /// True if the source is a pipe, whose words cannot be read again.
  bool is_pipe() const;
  /// Returns an upper limit on the numbers drawn per stream.
  std::uint64_t numbers_per_stream() const;
  WordOrder word_order() const;
  /// Returns the number of words drawn from streams per word of the sequence.
  std::uint64_t drawn_words_per_word() const;

 private:
  std::vector<BatteryTest> arranged_tests() const;
  bool is_omitted(const BatteryTest& test) const;
  void check_sequence() const;
  void check_generator() const;
  void check_source() const;
};

}  // namespace rivulet
