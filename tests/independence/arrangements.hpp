// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bit_matrix_rank.hpp"
#include "linear_complexity.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// A test fails below this. The normal suite has some 7000 p-values, so that good streams fail one
/// of its tests with a chance of 7e-5; and seeds are fixed.
inline constexpr double threshold = 1e-8;

/// How much of a company is tested.
struct Extent {
  std::uint64_t words = 720896;    ///< of all streams together: four matrices of 1200 x 1200
  std::size_t complexity = 20000;  ///< bits
};

/// Which bits of a company's words matrices are made of, and how large they are. Linear complexity
/// is that of the first of the bits.
struct Look {
  Bits bits = {0, 8};
  std::vector<int> sizes = {60, 160, 320, 1200};
};
/// One bit a word, of words where 31 is the lowest.
inline const Look at_lowest_bit{{31, 1}, {60, 160, 320}};

/// The names of the tests that a company fails.
using Failures = std::set<std::string>;

/// Ranks of bit matrices and linear complexity of a row of words.
inline Failures failures_of_row(const std::vector<std::uint32_t>& row, const Look& look,
                                const Extent& extent, const std::string& where) {
  Failures failures;
  for (const int size : look.sizes) {
    if (rank_p_value(row, size, look.bits) < threshold) {
      failures.insert(where + "rank " + std::to_string(size));
    }
  }
  const auto bits =
      bit_sequence(std::span(row).first(std::min(row.size(), extent.complexity)), look.bits.first);
  if (linear_complexity_p_value(bits) < threshold) failures.insert(where + "complexity");
  return failures;
}

/// Whether two successive words of any stream occur twice: of n random pairs with the chance
/// n^2 / 2^65.
inline bool has_repeated_pairs(const WordTable& table) {
  std::vector<std::uint64_t> pairs;
  for (std::uint64_t s = 0; s < table.streams(); ++s) {
    for (std::uint64_t i = 0; i + 1 < table.numbers(); ++i) {
      pairs.push_back(std::uint64_t{table(s, i)} << 32 | table(s, i + 1));
    }
  }
  std::ranges::sort(pairs);
  return std::ranges::adjacent_find(pairs) != pairs.end();
}

/// All tests of a table's streams in each order: "64 interleaved: rank 160", "64 by stream:
/// complexity", ...; of one stream there is one order.
inline Failures failures_of_table(const WordTable& table, const Look& look, const Extent& extent) {
  constexpr std::uint64_t block = 16;
  const std::uint64_t streams = table.streams();
  const std::string count = std::to_string(streams);
  Failures failures;
  if (has_repeated_pairs(table)) failures.insert(count + ": repeats");
  std::vector<std::pair<std::string, std::uint64_t>> orders{{": ", table.numbers()}};
  if (streams > 1) orders = {{" interleaved: ", 1}, {" by stream: ", table.numbers()}};
  if (streams > 1 && table.numbers() > block) orders.emplace_back(" blocked: ", block);
  for (const auto& [order, run] : orders) {
    failures.merge(failures_of_row(arranged(table, run), look, extent, count + order));
  }
  return failures;
}

inline Failures failures(const Company& company, const Look& look = {}, const Extent& extent = {},
                         const std::vector<std::uint64_t>& counts = {1, 64, 4096, 65536}) {
  Failures all;
  for (const std::uint64_t streams : counts) {
    all.merge(failures_of_table(company.draw(ids(streams), extent.words / streams), look, extent));
  }
  return all;
}

}  // namespace rivulet::independence
