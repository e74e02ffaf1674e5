// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrangements.hpp"
#include "bit_rows.hpp"
#include "word_table.hpp"
#include "xor_relations.hpp"

// What starts that are additive, E(a + b) = E(a) + E(b) where a and b share no bit, do to blocks of
// 2^k streams from a multiple of 2^k on: the words of stream B i + c are bilinear in i and c. All
// sizes here are powers of two, as only these fall in step with blocks.
namespace rivulet::independence {

/// The bits of a word that matrices are made of: a number of the highest or the lowest ones.
inline std::vector<Look> aligned_looks(const std::vector<int>& sizes) {
  return {{{0, 1}, sizes}, {{31, 1}, sizes}, {{28, 4}, sizes},
          {{0, 8}, sizes}, {{24, 8}, sizes}, {{0, 32}, sizes}};
}

/// How much of a company is tested, in words of all streams together.
struct AlignedExtent {
  std::uint64_t words = 131072;
  std::vector<int> sizes = {64, 128, 256, 512, 1024};
  std::vector<std::uint64_t> counts = {16, 64, 256, 1024, 4096, 16384, 65536};
};

/// "4096 streams, bits 31 + 1: rank 128", ...: square matrices of the given bits of each word of
/// interleaved streams.
inline Failures aligned_failures(const Company& company, const AlignedExtent& extent = {}) {
  Failures failures;
  for (const std::uint64_t streams : extent.counts) {
    const auto row = arranged(company.draw(ids(streams), extent.words / streams), 1);
    for (const Look& look : aligned_looks(extent.sizes)) {
      for (const int size : look.sizes) {
        if (rank_p_value(row, size, look.bits) >= threshold) continue;
        failures.insert(std::to_string(streams) + " streams, bits " +
                        std::to_string(look.bits.first) + " + " + std::to_string(look.bits.count) +
                        ": rank " + std::to_string(size));
      }
    }
  }
  return failures;
}

/// A table's streams in blocks of fixed size.
struct Blocks {
  const WordTable& table;
  std::uint64_t length;

  std::uint64_t count() const { return table.streams() / length; }
  std::uint32_t word(std::uint64_t block, std::uint64_t c, std::uint64_t number) const {
    return table(block * length + c, number);
  }
};

/// By how much the rank of the matrix with a row for each block, of the bits of all its streams'
/// numbers, falls short of the rows.
inline std::size_t block_deficiency(const Blocks& blocks, Bits bits) {
  const auto count = static_cast<std::size_t>(bits.count);
  const std::uint64_t numbers = blocks.table.numbers();
  BitRows matrix(blocks.count(), blocks.length * numbers * count);
  for (std::uint64_t i = 0; i < blocks.count(); ++i) {
    for (std::uint64_t c = 0; c < blocks.length; ++c) {
      for (std::uint64_t n = 0; n < numbers; ++n) {
        matrix.put(i, (c * numbers + n) * count, bits.of(blocks.word(i, c, n)), count);
      }
    }
  }
  return blocks.count() - matrix.eliminate();
}

/// Words of streams B i that XOR to zero at every number, one of which always exists among more
/// blocks than the state has dimensions, and at how many places of the other streams of the blocks
/// they do too.
struct BlockRelation {
  Window words;
  std::uint64_t places = 0;
  std::uint64_t zeros = 0;
};
inline BlockRelation block_relation(const Blocks& blocks, Bits bits) {
  WordTable firsts(blocks.count(), blocks.table.numbers());
  for (std::uint64_t i = 0; i < blocks.count(); ++i) {
    for (std::uint64_t n = 0; n < firsts.numbers(); ++n) firsts(i, n) = blocks.word(i, 0, n);
  }
  BlockRelation found;
  found.words = xor_relation(firsts, product_window(blocks.count(), {0}), bits);
  for (std::uint64_t c = 1; c < blocks.length; ++c) {
    for (std::uint64_t n = 0; n < firsts.numbers(); ++n) {
      std::uint32_t sum = 0;
      for (const Offset& one : found.words) sum ^= bits.of(blocks.word(one.stream, c, n));
      ++found.places;
      found.zeros += sum == 0 ? 1 : 0;
    }
  }
  return found;
}

}  // namespace rivulet::independence
