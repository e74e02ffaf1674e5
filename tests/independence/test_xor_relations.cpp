// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "known_words.hpp"
#include "library_words.hpp"
#include "xor_relations.hpp"

namespace rivulet::independence {
namespace {

// A relation is a set of words at fixed offsets that XOR to zero at every position. If a generator
// is linear over GF(2) and has a state of k bits, any k + 1 of its words have a relation. The
// windows have k - 40 words, so words of random states have a relation in only about one window in
// 2^40.
constexpr std::uint64_t slack = 40;

std::uint64_t window_of(const LinearSubject& subject) { return subject.dimension - slack; }

void expect_none(const LinearSubject& subject, const WordTable& table, const Window& window) {
  const Window found = xor_relation(table, window, subject.bits);
  EXPECT_TRUE(found.empty()) << subject.name << ": " << text_of(found);
}

/// Tests windows of n adjacent streams and as many successive numbers as fit. The positions of a
/// window are far apart, because a twister takes a long time to spread a few bits over its state.
void expect_none_among_neighbours(const LinearSubject& subject) {
  const WordTable many_numbers = subject.make_table(ids(16), 60000);
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 8, 16}) {
    expect_none(subject, many_numbers, product_window(n, ids(window_of(subject) / n)));
  }
  // In 1000 numbers, the positions would be too close together for dcmt1279.
  const WordTable many_streams = subject.make_table(ids(window_of(subject)), 4000);
  for (std::uint64_t n = window_of(subject); n > 16; n /= 2) {
    expect_none(subject, many_streams, product_window(n, ids(window_of(subject) / n)));
  }
}

/// Returns 0, the powers of two up to 2^39, and some sums of two powers.
std::vector<std::uint64_t> powers_of_two_and_sums() {
  std::vector<std::uint64_t> ids{0};
  for (int i = 0; i < 40; ++i) ids.push_back(std::uint64_t{1} << i);
  for (int i = 0; i < 16; ++i) ids.push_back(std::uint64_t{3} << i);
  for (int i = 0; i < 16; ++i) ids.push_back(std::uint64_t{5} << i);
  return ids;
}

void expect_none_among_powers_of_two(const LinearSubject& subject) {
  auto streams = powers_of_two_and_sums();
  streams.resize(std::min<std::size_t>(streams.size(), window_of(subject)));
  const WordTable table = subject.make_table(streams, 700);
  expect_none(subject, table,
              product_window(streams.size(), ids(window_of(subject) / streams.size())));
}

class XorRelations : public testing::TestWithParam<LinearSubject> {};

/// Returns the generators whose streams share one recurrence, and dcmt521 with all its sets.
std::vector<LinearSubject> subjects() {
  std::vector<LinearSubject> all = linear_subjects();
  all.push_back(
      {"dcmt521", table_of_streams({.generator = "dcmt521", .sets = shipped_dcmt(521)}), 521});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Native, XorRelations, testing::ValuesIn(subjects()),
                         [](const auto& info) { return info.param.name; });

TEST_P(XorRelations, NoneAmongNeighbours) { expect_none_among_neighbours(GetParam()); }
TEST_P(XorRelations, NoneAmongPowersOfTwo) { expect_none_among_powers_of_two(GetParam()); }

// Modulo a component's period 2^k - 1, every power of two equals a power of two below 2^k. Let the
// streams start d steps apart, where d is a power of two. In the components, jumps of 2^a, 2^b, ...
// steps then lead from one stream to the next. Each component therefore has an operator (next
// stream) XOR (2^a numbers later) that maps its words to zero, and the product of these operators
// maps the generator's words to zero.

/// Calls use(powers) for every sum of `count` distinct powers of two below 2^limit.
void for_each_sum(int count, int limit, const std::function<void(std::uint64_t)>& use) {
  for (std::uint64_t powers = 0; powers < std::uint64_t{1} << limit; ++powers) {
    if (std::popcount(powers) == count) use(powers);
  }
}

/// Returns the first relation in windows of `components` + 1 streams that are `stride` apart. The
/// numbers of a window are the subset sums of `components` distinct powers of two.
Window relation_of_components(const LinearSubject& subject, int components, std::uint64_t stride) {
  constexpr int limit = 15;
  const auto streams = static_cast<std::uint64_t>(components) + 1;
  const WordTable table = subject.make_table(ids(streams, 0, stride), 40000);
  Window found;
  for_each_sum(components, limit, [&](std::uint64_t powers) {
    if (!found.empty()) return;
    found = xor_relation(table, product_window(streams, subset_sums(powers)), subject.bits);
  });
  return found;
}

/// The windows have 32 words for the hybrid's 90 bits, and 80 words for lfsr113's 113 bits. With
/// probability 8e-7, one of lfsr113's 6825 windows has a relation by chance.
TEST(XorRelations, NoneOfTausworthesComponents) {
  for (const LinearSubject& subject : linear_subjects()) {
    if (subject.dimension > 113 || subject.name == "lowest_of_ranmar48") continue;
    const int components = subject.name == "lfsr113" ? 4 : 3;
    for (const std::uint64_t stride : {1ULL, 2ULL, 64ULL, 4096ULL, 65536ULL}) {
      const Window found = relation_of_components(subject, components, stride);
      EXPECT_TRUE(found.empty()) << subject.name << ", streams " << stride
                                 << " apart: " << text_of(found);
    }
  }
}

/// True if the streams obey the set's characteristic polynomial: the streams stride * k, for all k
/// for which the coefficient of t^k is nonzero, XOR to zero in each of the first numbers.
bool obeys_its_polynomial(const TableFunction& make_table, int p, std::uint64_t stride) {
  constexpr std::uint64_t numbers = 8;
  const auto phi = dcmt_characteristic_polynomial(dcmt_shape(p), one_set(p).sets[0].a);
  std::vector<std::uint64_t> ids;
  for (int k = 0; k <= p; ++k) {
    if (phi.coefficient(k)) ids.push_back(stride * static_cast<std::uint64_t>(k));
  }
  const WordTable table = make_table(ids, numbers);
  for (std::uint64_t i = 0; i < numbers; ++i) {
    std::uint32_t sum = 0;
    for (std::uint64_t s = 0; s < ids.size(); ++s) sum ^= table(s, i);
    if (sum != 0) return false;
  }
  return true;
}

TEST(XorRelations, StreamsDoNotObeyTheirSetsPolynomial) {
  for (const int p : {521, 607}) {
    LibraryStreams streams{.generator = "dcmt" + std::to_string(p)};
    for (const DcmtSets& sets : {one_set(p), shipped_dcmt(p)}) {
      streams.sets = sets;
      for (const std::uint64_t stride : {1, 2, 16}) {
        EXPECT_FALSE(obeys_its_polynomial(table_of_streams(streams), p, stride * sets.sets.size()))
            << p << ", one set's every " << stride;
      }
    }
  }
}

/// Some relations are unavoidable. RANMAR's sequences share their arithmetic part, number by
/// number, so the difference of two is a lagged Fibonacci sequence: x_n = x_{n-97} - x_{n-33}. The
/// lowest bits of ranmar48 are such a sequence by themselves.
TEST(XorRelations, SixLowestBitsOfTwoRanmarStreams) {
  const Window six{{0, 0}, {0, 64}, {0, 97}, {1, 0}, {1, 64}, {1, 97}};
  for (const std::string name : {"ranmar24", "ranmar48", "ranmar48_scaled", "ranmar48x"}) {
    const WordTable table = drawn({.generator = name, .shown = Shown::lowest}, ids(2), 1000);
    EXPECT_EQ(xor_relation(table, six, lowest_bit).size(), name == "ranmar48" ? 3U : 6U) << name;
    EXPECT_TRUE(xor_relation(table, six, {30, 1}).empty()) << name;
  }
}

// Positive controls: the functions above find the relations of streams that start powers of two
// apart.

TEST(KnownWords, TausworthesInProgressionHaveRelations) {
  const LinearSubject lfsr113{"lfsr113", tausworthe_in_progression<Lfsr113>(), 113};
  EXPECT_EQ(relation_of_components(lfsr113, 4, 1).size(), 16U);
  // The congruential part cancels in the lowest nine bits.
  const LinearSubject hybrid{"hybrid", tausworthe_in_progression<HybridTausworthe>(), 90, {23, 9}};
  const Window expected{{0, 324}, {1, 68}, {1, 260}, {1, 320}, {2, 4}, {2, 64}, {2, 256}, {3, 0}};
  const Window found = relation_of_components(hybrid, 3, 1);
  EXPECT_TRUE(std::ranges::is_permutation(found, expected)) << text_of(found);
}

TEST(KnownWords, TwistersInProgressionObeyTheirPolynomial) {
  EXPECT_TRUE(obeys_its_polynomial(twister_in_progression<521>(one_set(521).sets[0]), 521, 1));
  EXPECT_TRUE(obeys_its_polynomial(twister_in_progression<521>(one_set(521).sets[0]), 521, 8));
  EXPECT_TRUE(obeys_its_polynomial(twister_in_progression<607>(one_set(607).sets[0]), 607, 1));
}

/// A window always has a relation if it has one word more than the number of state bits.
TEST(KnownWords, OneWordMoreThanTheStateHasARelation) {
  const TableFunction random = tausworthe_of_random_states<Lfsr113>();
  const WordTable table = random(ids(114), 200);
  EXPECT_TRUE(xor_relation(table, product_window(100, {0}), {0, 32}).empty());
  EXPECT_FALSE(xor_relation(table, product_window(114, {0}), {0, 32}).empty());
  EXPECT_FALSE(xor_relation(table, product_window(3, ids(38)), {0, 32}).empty());
}

}  // namespace
}  // namespace rivulet::independence
