// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <bit>
#include <numbers>

#include "battery/families/family.hpp"

// Counts spacings between equal blocks of bits. The blocks of a tile are sorted by value. Equal
// blocks stay in index order.

namespace rivulet::detail {
namespace {

/// Longer spacings are counted as this spacing.
constexpr std::uint64_t longest_spacing = std::uint64_t{1} << 20;
/// Number of blocks sorted together.
constexpr std::uint64_t spacings_at_once = std::uint64_t{1} << 22;
/// The lowest index_bits bits of a key are the block's index in the tile, and the higher bits are
/// the block's value.
constexpr int index_bits = std::bit_width(spacings_at_once) - 1;

/// Blocks of bits. Either a block spans several words, or a word contains several blocks. In a
/// word, the first block occupies the lowest bits.
struct BlocksOfWords : Blocks {
  KOKKOS_FUNCTION std::uint64_t blocks_per_word() const {
    return s >= length ? to_u64(s / length) : 1;
  }
  KOKKOS_FUNCTION std::uint64_t value(const std::uint32_t* word, std::uint64_t i) const {
    if (s < length) return bits_of_block(word + i * words(), r, s, length);
    const std::uint64_t bits = strip_bits(word[i / blocks_per_word()], r, s);
    return bits >> (i % blocks_per_word() * to_u64(length)) & ((std::uint64_t{1} << length) - 1);
  }
};
BlocksOfWords blocks_of_words(Test test) { return {blocks_of(test)}; }

void put_keys(const Space& space, const BlocksOfWords& blocks, const std::uint32_t* words,
              std::uint64_t count, std::uint64_t* keys) {
  for_each(
      space, count, "rivulet::battery_blocks",
      KOKKOS_LAMBDA(const std::uint64_t i) { keys[i] = blocks.value(words, i) << index_bits | i; });
}

/// Sorted blocks of a tile.
struct SortedBlocks {
  const std::uint64_t* keys;
  std::uint64_t count;
  std::uint64_t first;  ///< index of the tile's first block
  std::uint64_t* last;  ///< per value, index of the last block in earlier tiles

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t value(std::uint64_t i) const {
    return keys[i] >> index_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index(std::uint64_t i) const {
    return first + (keys[i] & (spacings_at_once - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t spacing(std::uint64_t i) const {
    const bool is_repeat = i > 0 && value(i - 1) == value(i);
    return index(i) - (is_repeat ? index(i - 1) : last[value(i)]);
  }
};

/// Counts the spacings of blocks with index `from` or higher, and updates `blocks.last`.
void add_spacings(const Space& space, const SortedBlocks& blocks, std::uint64_t from,
                  const Histogram& histogram) {
  for_each(
      space, blocks.count, "rivulet::battery_spacings", KOKKOS_LAMBDA(const std::uint64_t i) {
        if (blocks.index(i) < from) return;
        const std::uint64_t spacing = blocks.spacing(i);
        histogram.add(0, spacing < longest_spacing ? spacing : longest_spacing);
      });
  for_each(
      space, blocks.count, "rivulet::battery_last", KOKKOS_LAMBDA(const std::uint64_t i) {
        if (i + 1 == blocks.count || blocks.value(i + 1) != blocks.value(i)) {
          blocks.last[blocks.value(i)] = blocks.index(i);
        }
      });
}

/// Returns the number of words in `count` blocks.
std::uint64_t words_of_blocks(Test test, std::uint64_t count) {
  const BlocksOfWords blocks = blocks_of_words(test);
  return count / blocks.blocks_per_word() * blocks.words();
}
std::uint64_t words_of_appearances(Test test) { return words_of_blocks(test, test.d + test.n); }

/// Counts n blocks, except the first d, by their distance to the previous block of equal value. The
/// last cell, longest_spacing, includes longer distances.
std::vector<std::uint64_t> count_spacings(const Sample& sample, Test test, std::uint64_t n) {
  const Space& space = sample.space();
  const BlocksOfWords blocks = blocks_of_words(test);
  const std::uint64_t blocks_per_word = blocks.blocks_per_word(), words = blocks.words();
  const std::uint64_t at_once =
      std::min(spacings_at_once, sample.tiles.capacity() / words * blocks_per_word);
  const Histogram histogram(space, longest_spacing + 1);
  const Owned<std::uint64_t> last("rivulet::battery_last", std::uint64_t{1} << test.L);
  SortedKeys keys(space, at_once);
  for (std::uint64_t done = 0; done < n; done += at_once) {
    const std::uint64_t count = std::min(at_once, n - done);
    const std::uint64_t needed = (count + blocks_per_word - 1) / blocks_per_word * words;
    put_keys(space, blocks, sample.read(done / blocks_per_word * words, needed), count,
             keys.data());
    keys.use(count);
    keys.sort(test.L + index_bits, index_bits);
    add_spacings(space, {keys.data(), count, done, last.data()}, test.d, histogram);
  }
  return histogram.sums(space);
}

std::uint64_t bytes_of_spacings(Test) {
  return SortedKeys::bytes(spacings_at_once) + histogram_bytes(longest_spacing + 1);
}

/// Counts spacings by the integer part of their base-2 logarithm, and sums their natural
/// logarithms.
Replication count_appearances(const Sample& sample, Test test) {
  const std::vector<std::uint64_t> spacings = count_spacings(sample, test, test.d + test.n);
  Replication found{
      std::vector<std::uint64_t>(std::bit_width(longest_spacing)), words_of_appearances(test), {0}};
  for (std::uint64_t spacing = 1; spacing < spacings.size(); ++spacing) {
    const std::uint64_t blocks = spacings[spacing];
    found.counts[static_cast<std::size_t>(std::bit_width(spacing)) - 1] += blocks;
    found.reals[0] += to_double(blocks) * std::log(to_double(spacing));
  }
  return found;
}

/// Returns the standard normal statistic of the sum of ln(spacing) over K blocks of L bits, L >= 3.
/// Maurer, J. Cryptol. 5 (1992) 89; Coron & Naccache, SAC'98, Lecture Notes in Computer Science
/// 1556 (1999) 57.
double appearance_z(int L, std::uint64_t K, double log_sum) {
  struct Moments {
    double mean;      // of the base-2 logarithm of a spacing
    double variance;  // of one spacing's logarithm
    double d, e;      // dependence multiplies the mean's variance by d + e 2^L / K
  };
  // The first entry is for L = 3.
  constexpr std::array<Moments, 14> table = {{
      {2.40160681, 1.90133, 0.2732725, 0.4890883},
      {3.31122472, 2.35774, 0.3045101, 0.4435381},
      {4.25342659, 2.70455, 0.3296587, 0.4137196},
      {5.21770525, 2.95403, 0.3489769, 0.3941338},
      {6.19625065, 3.12539, 0.3631815, 0.3813210},
      {7.18366555, 3.23866, 0.3732189, 0.3730195},
      {8.17642476, 3.31120, 0.3800637, 0.3677118},
      {9.17232431, 3.35646, 0.3845867, 0.3643695},
      {10.1700323, 3.38409, 0.3874942, 0.3622979},
      {11.1687649, 3.40065, 0.3893189, 0.3610336},
      {12.1680703, 3.41043, 0.3904405, 0.3602731},
      {13.1676926, 3.41614, 0.3911178, 0.3598216},
      {14.1674884, 3.41943, 0.3915202, 0.3595571},
      {15.1673788, 3.42130, 0.3917561, 0.3594040},
  }};
  const Moments limit{L - 0.832746, 3.423715, 0.3920729, 0.3592016};
  const Moments moments = L > 16 ? limit : table[static_cast<std::size_t>(L - 3)];
  const double factor = moments.d + moments.e * std::ldexp(1 / to_double(K), L);
  const double mean = log_sum / (std::numbers::ln2 * to_double(K));
  return (mean - moments.mean) / std::sqrt(factor * moments.variance / to_double(K));
}

/// ValueGaps has one cell for each spacing below this value, and one cell for all longer spacings.
constexpr std::uint64_t exact_spacings = std::uint64_t{1} << 17;

Replication count_value_gaps(const Sample& sample, Test test) {
  std::vector<std::uint64_t> counts = count_spacings(sample, test, test.n);
  const auto longer = counts.begin() + exact_spacings;
  *longer = std::accumulate(longer, counts.end(), std::uint64_t{0});
  counts.resize(exact_spacings + 1);
  return {counts, words_of_blocks(test, test.n)};
}

/// Returns the expected number of spacings of each length, among `count` spacings. The lengths have
/// a geometric distribution.
std::vector<double> spacings_expected(int L, double count) {
  std::vector<double> expected{0};
  while (expected.size() < exact_spacings) {
    expected.push_back(std::ldexp(count, -L));
    count -= expected.back();
  }
  expected.push_back(count);
  return expected;
}

/// Returns the smaller tail of the Poisson distribution. The tail includes half of the probability
/// of y. If both tails included this entire probability, many tests together would have a p-value
/// near 1.
double middle_tail(std::uint64_t y, double mean) {
  const Tails tails = poisson_tails(y, mean);
  const double here =
      std::exp(to_double(y) * std::log(mean) - mean - std::lgamma(to_double(y) + 1));
  return std::max(std::min(tails.left, tails.right) - here / 2, 0.0);
}

/// Returns the p-value of the least probable count among spacings below exact_spacings.
PValue largest_spacing(const std::vector<double>& expected,
                       const std::vector<std::uint64_t>& counts) {
  double min_p = 1;
  double trials = 0;
  PValue found{"largest", 0, 1};
  for (std::size_t spacing = 1; spacing < exact_spacings; ++spacing) {
    const double mean = expected[spacing];
    if (mean < min_expected) break;
    ++trials;
    const double p = middle_tail(counts[spacing], mean);
    if (p >= min_p) continue;
    min_p = p;
    found.value = (to_double(counts[spacing]) - mean) / std::sqrt(mean);
    found.note = "distance " + std::to_string(spacing);
  }
  found.p = any_p(std::min(2 * min_p, 1.0), trials);
  return found;
}

/// Judges by chi-square with one degree of freedom fewer than usual. Among m spacings, the counts
/// of different spacings k and l have the covariance -m p(k) p(l) (1 + (1 - a) (1 - b)) for small
/// p, where a = k / 2^L and b = l / 2^L. Two quantities are therefore constant: the number of
/// spacings, and the sum of 1 - a over all spacings.
std::vector<PValue> judge_value_gaps(Test test, Counters counters, Reals) {
  const std::vector<std::uint64_t> counts = sum_over_rows(test, counters);
  const std::vector<double> expected =
      spacings_expected(test.L, to_double(test.N) * to_double(test.n - test.d));
  ChiSquare all = chi_square(expected, counts);
  if (all.degrees > 1) --all.degrees;
  return {{"Chi", all.statistic, all.p()}, largest_spacing(expected, counts)};
}

}  // namespace

/// svaria_AppearanceSpacings: sums the logarithms of the spacings of the n blocks of L bits that
/// follow the first d blocks.
TestClass families::appearance_spacings() {
  TestClass appearances("AppearanceSpacings", "Q = {d}, s = {s}, L = {L}");
  appearances.counters = [](Test) { return std::uint64_t{std::bit_width(longest_spacing)}; };
  appearances.reals = [](Test) { return std::uint64_t{1}; };
  appearances.item_words = words_of_block;
  appearances.words = words_of_appearances;
  appearances.bytes = bytes_of_spacings;
  appearances.counted = count_appearances;
  appearances.judge = [](Test test, Counters, Reals reals) {
    std::vector<double> z;
    for (const double sum : reals) z.push_back(appearance_z(test.L, test.n, sum));
    return std::vector{normal(z)};
  };
  return appearances;
}

/// Counts distances between equal blocks of L bits among n blocks, except the first d (PractRand's
/// Gap-16). If a value does not occur among these d blocks, its first distance is unknown. This
/// distance is correctly counted as longer if d is at least exact_spacings. If d is smaller, but at
/// least 16 * 2^L, nearly all values occur among the first d blocks.
TestClass families::value_gaps() {
  TestClass gaps("ValueGaps", "d = {d}, s = {s}, L = {L}");
  gaps.counters = [](Test) { return exact_spacings + 1; };
  gaps.item_words = words_of_block;
  gaps.words = [](Test test) { return words_of_blocks(test, test.n); };
  gaps.bytes = bytes_of_spacings;
  gaps.counted = count_value_gaps;
  gaps.judge = judge_value_gaps;
  gaps.pools = true;
  gaps.min_chunk_words = [](Test test) { return words_of_blocks(test, 2 * test.d); };
  gaps.min_items = [](Test test) { return std::uint64_t{32} << test.L; };
  return gaps;
}

}  // namespace rivulet::detail
