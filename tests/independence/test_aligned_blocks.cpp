// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "known_words.hpp"
#include "library_words.hpp"
#include "xor_relations.hpp"

// Starts E(s) are additive if E(a + b) = E(a) + E(b) whenever a and b share no bit. Additive starts
// make the words of stream B i + c bilinear in i and c, in blocks of B = 2^k streams.
namespace rivulet::independence {
namespace {

/// A table's streams in blocks of fixed size.
struct Blocks {
  const WordTable& table;
  std::uint64_t length;

  std::uint64_t count() const { return table.streams() / length; }
  std::uint32_t word(std::uint64_t block, std::uint64_t c, std::uint64_t number) const {
    return table(block * length + c, number);
  }
};

/// Returns the rank deficiency of a matrix, whose rows are the bits of all numbers of each block's
/// streams.
std::size_t block_deficiency(const Blocks& blocks, Bits bits) {
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

/// A relation: words of streams B i that XOR to zero at every number. If there are more blocks than
/// state dimensions, a relation exists. `places` counts the checks of this relation in the blocks'
/// other streams, and `zeros` counts the checks in which it also holds.
struct BlockRelation {
  Window words;
  std::uint64_t places = 0;
  std::uint64_t zeros = 0;
};
BlockRelation block_relation(const Blocks& blocks, Bits bits) {
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

/// Omits dcmt2203, which takes long and has the same kind of starts as dcmt1279.
std::vector<LinearSubject> aligned_subjects() {
  std::vector<LinearSubject> all = linear_subjects();
  std::erase_if(all, [](const LinearSubject& one) {
    return one.dimension > 1300 || one.name == "lowest_of_ranmar48";
  });
  return all;
}

class AlignedBlocks : public testing::TestWithParam<LinearSubject> {};

INSTANTIATE_TEST_SUITE_P(Native, AlignedBlocks, testing::ValuesIn(aligned_subjects()),
                         [](const auto& info) { return info.param.name; });

/// Draws dimension + 40 blocks of streams. `dimension` is that of the state.
WordTable blocks_of(const TableFunction& make_table, std::uint64_t dimension, std::uint64_t length,
                    std::uint64_t numbers) {
  return make_table(ids((dimension + 40) * length), numbers);
}

TEST_P(AlignedBlocks, AreNotDependent) {
  constexpr std::uint64_t length = 64;
  // The matrix has at least twice as many columns as rows. A random matrix of this size is
  // rank-deficient with a probability below 2^-500.
  const std::uint64_t numbers = GetParam().bits.count == 1 ? 16 : 2;
  const auto table = blocks_of(GetParam().make_table, GetParam().dimension, length, numbers);
  EXPECT_EQ(block_deficiency({table, length}, GetParam().bits), 0U);
}

/// A relation of the blocks' first streams holds for other streams only by chance.
TEST_P(AlignedBlocks, HaveNoRelationInCommon) {
  constexpr std::uint64_t length = 16;
  const std::uint64_t numbers = GetParam().dimension * 4;
  const auto table = blocks_of(GetParam().make_table, GetParam().dimension, length, numbers);
  const BlockRelation found = block_relation({table, length}, GetParam().bits);
  ASSERT_FALSE(found.words.empty());
  const double chance = std::exp2(-GetParam().bits.count);
  const double expected = chance * static_cast<double>(found.places);
  EXPECT_LT(std::abs(static_cast<double>(found.zeros) - expected),
            6 * std::sqrt(expected * (1 - chance)) + 2);
}

// Additive starts are E(s) without the hash (IrregularStarts). The tests above detect them.

void expect_dependent(const TableFunction& additive, std::uint64_t dimension,
                      std::uint64_t numbers) {
  const WordTable table = blocks_of(additive, dimension, 16, numbers);
  EXPECT_EQ(block_deficiency({table, 16}, {0, 32}), 40U);
}

TEST(KnownWords, StreamsOfAdditiveStartsAreDependent) {
  const TableFunction lfsr113 = tausworthe_of_additive_starts<Lfsr113>();
  expect_dependent(lfsr113, 113, 452);
  expect_dependent(twister_of_additive_starts<521>(one_set(521).sets[0]), 521, 4);
  const WordTable table = blocks_of(lfsr113, 113, 16, 452);
  const BlockRelation found = block_relation({table, 16}, {0, 32});
  EXPECT_EQ(found.zeros, found.places);
}

}  // namespace
}  // namespace rivulet::independence
