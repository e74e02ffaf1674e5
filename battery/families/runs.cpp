// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <limits>

#include "battery/families/family.hpp"

// Counts runs of ascending or descending numbers, and runs of equal bits.

namespace rivulet::detail {
namespace {

/// Calls found(length, ends) for length = 1 .. `longest`, as long as `ends` has set bits. A set bit
/// of `ends` marks the element after a run of at least `length` elements. A set bit of `begins`
/// marks the first element of a run. In both masks, the highest bit is the first element.
template <class Found>
KOKKOS_FORCEINLINE_FUNCTION void for_lengths(std::uint64_t ends, std::uint64_t begins, int longest,
                                             const Found& found) {
  for (int length = 1; length <= longest && ends != 0; ++length) {
    found(length, ends);
    ends &= ~(begins >> length);
  }
}

/// Counts ascending (or descending) runs among `count` numbers. Cell k = 1 .. 6 counts runs of at
/// least k numbers. An item counts a run if the next run begins in this item. The last item also
/// counts the last run. Equal numbers do not end a run.
struct NumberRuns {
  static constexpr int longest = 6;
  static constexpr int sums = longest + 1;
  static constexpr int max_grouped = 64 - longest - 1;

  int r;
  bool is_up;
  std::uint64_t count;
  int grouped = 1;  ///< numbers per item

  std::uint64_t words() const { return to_u64(grouped); }
  std::uint64_t history() const { return longest + 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    const std::uint64_t first = item * to_u64(grouped);
    const int before = first < longest ? static_cast<int>(first) : longest;
    // A set bit of `begins` marks the first number of a run. The first number of the history is the
    // highest bit.
    const std::uint32_t flip = is_up ? 0 : ~std::uint32_t{0};
    const std::uint32_t* const from = word - before;
    std::uint64_t begins = first <= longest ? 1 : is_begin(from, flip);
    for (int i = 1; i < before + grouped; ++i) begins = begins << 1 | is_begin(from + i, flip);
    const std::uint64_t group_mask = ~std::uint64_t{0} >> (64 - grouped);
    const std::uint64_t ends = begins & (first == 0 ? group_mask >> 1 : group_mask);
    const auto add = [&](int length, std::uint64_t longer) {
      to.add(length, to_u64(popcount(longer)));
    };
    for_lengths(ends, begins, longest, add);
    if (first + to_u64(grouped) == count) for_lengths(1, begins << 1, longest, add);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t is_begin(const std::uint32_t* number,
                                                     std::uint32_t flip) const {
    return (*number << r ^ flip) < (number[-1] << r ^ flip) ? 1 : 0;
  }
};

/// Returns Knuth's chi-square statistic for runs among n numbers (The Art of Computer Programming
/// 2, 3.3.2 G). `counts` contains the numbers of runs of lengths 1 .. 5, and of longer runs.
ChiSquare number_runs_chi_square(std::uint64_t n, std::span<const std::uint64_t, 6> counts) {
  constexpr std::array<std::array<double, 6>, 6> a = {{
      {4529.35365, 9044.90208, 13567.9452, 18091.2672, 22614.7139, 27892.1588},
      {9044.90208, 18097.0254, 27139.4552, 36186.6493, 45233.8198, 55788.8311},
      {13567.9452, 27139.4552, 40721.3320, 54281.2656, 67852.0446, 83684.5705},
      {18091.2672, 36186.6493, 54281.2656, 72413.6082, 90470.0789, 111580.110},
      {22614.7139, 45233.8198, 67852.0446, 90470.0789, 113261.815, 139475.555},
      {27892.1588, 55788.8311, 83684.5705, 111580.110, 139475.555, 172860.170},
  }};
  constexpr std::array<double, 6> b = {1. / 6, 5. / 24, 11. / 120, 19. / 720, 29. / 5040, 1. / 840};
  double form = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double row = to_double(counts[i]) - to_double(n) * b[i];
    for (std::size_t j = 0; j < 6; ++j) {
      form += a[i][j] * row * (to_double(counts[j]) - to_double(n) * b[j]);
    }
  }
  return {form / (to_double(n) - 6), 6};
}

/// Counts runs of equal bits, with s bits per word. For k = 1 .. `longest`, cell 2 k counts runs of
/// at least k zeros, and cell 2 k + 1 counts runs of at least k ones. The history and one more word
/// must fit into 64 bits.
struct RunsOfBits {
  int r;
  int s;
  int longest;
  int grouped = 1;  ///< words per item

  std::uint64_t words() const { return to_u64(grouped); }
  std::uint64_t history() const { return to_u64(words_for(longest + 1, s)); }
  /// Returns how many words fit into 64 bits after the history.
  int max_grouped() const { return 64 / s - words_for(longest + 1, s); }

  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    const std::uint64_t first = item * to_u64(grouped);
    const int all = words_for(longest + 1, s);
    const int before = first < to_u64(all) ? static_cast<int>(first) : all;
    const std::uint64_t bits = bits_of_block(word - before, r, s, (before + grouped) * s);
    const std::uint64_t highest = std::uint64_t{1} << ((before + grouped) * s - 1);
    // A bit that differs from the previous bit begins a run. The first bit also begins a run.
    // Without a history, the first bit ends no run.
    const std::uint64_t differ = ((bits ^ bits >> 1) & (highest - 1)) | highest;
    const std::uint64_t group_mask = ~std::uint64_t{0} >> (64 - grouped * s);
    const std::uint64_t ends = differ & group_mask & ~(before == 0 ? highest : 0);
    for_lengths(ends, differ, longest, [&](int length, std::uint64_t longer) {
      // A run that ends before a 1 is a run of zeros.
      const int zeros = popcount(longer & bits);
      to.add(2 * to_u64(length), to_u64(zeros));
      to.add(2 * to_u64(length) + 1, to_u64(popcount(longer) - zeros));
    });
  }
};

/// Counts the runs of ones that begin in a word.
struct RunsOfOnes {
  static constexpr int sums = 1;

  int r;
  int s;
  /// Earlier words to keep in memory for RunsOfBits. RunsOfOnes itself reads only one.
  std::uint64_t history_words;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return history_words; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    const std::uint32_t bits = strip_bits(*word, r, s);
    const std::uint32_t before = item > 0 ? strip_bits(word[-1], r, s) & 1 : 0;
    to.add(0, static_cast<std::uint64_t>(popcount(bits & ~(bits >> 1 | before << (s - 1)))));
  }
};

/// Adds the items of words `from` .. from + n - 1 to the histogram. Items have `grouped` words, and
/// begin at multiples of `grouped`. Each remaining word at either end is a separate item.
template <class Item>
void add_grouped(const Sample& sample, std::uint64_t from, Item item, int grouped,
                 const Histogram& histogram) {
  const std::uint64_t each = to_u64(grouped);
  const std::uint64_t end = from + sample.n;
  const std::uint64_t first = std::min(end, (from + each - 1) / each * each);
  const std::uint64_t last = std::max(first, end / each * each);
  item.grouped = 1;
  add_items(sample.with(first - from), from, item, histogram);
  item.grouped = grouped;
  add_items(sample.with((last - first) / each), first / each, item, histogram);
  item.grouped = 1;
  add_items(sample.with(end - last), last, item, histogram);
}

/// Returns the number of length classes for n runs of equal bits (zeros or ones).
std::uint64_t bit_run_classes(Test test) {
  return 1 + static_cast<std::uint64_t>(std::log2(to_double(test.n) / 10));
}
/// Returns the maximum number of words to read. This maximum allows 16 bits per run of ones; the
/// mean is 4 bits. (TestU01 ends without a result after a run of n bits.)
std::uint64_t max_words_of_runs(Test test) { return 16 * test.n / to_u64(test.s) + 1; }

/// Counts runs of zeros and runs of ones by length, from 1. The function stops after the word
/// in which the n-th run of ones begins. The last counter is the number of words read, or 0 if
/// these words contain fewer than n runs of ones.
Replication count_runs_of_bits(const Sample& sample, Test test) {
  const auto longest = static_cast<int>(bit_run_classes(test));
  const Histogram histogram(sample.space(), 2 * to_u64(longest + 1));
  const RunsOfBits runs{test.r, test.s, longest};
  const RunsOfOnes begin{test.r, test.s, runs.history()};
  const std::uint64_t max_words = max_words_of_runs(test);
  Replication found;
  std::uint64_t counted_runs = 0;
  // A step reads at most half a tile of words, which therefore stay in memory for the second pass.
  // Steps are halved until the n-th run of ones begins in a step of one word.
  for (std::uint64_t step = sample.tiles.capacity() / 2;
       counted_runs < sample.n && found.words < max_words;) {
    const Sample words = sample.with(std::min(step, max_words - found.words));
    const Histogram ones(sample.space(), 1);
    add_items(words, found.words, begin, ones);
    const std::uint64_t more = ones.sums(sample.space())[0];
    if (counted_runs + more >= sample.n && words.n > 1) {
      step = words.n / 2;
      continue;
    }
    add_grouped(words, found.words, runs, runs.max_grouped(), histogram);
    counted_runs += more;
    found.words += words.n;
  }
  std::vector<std::uint64_t>& counts = found.counts = histogram.sums(sample.space());
  for (std::size_t i = 2; i + 2 < counts.size(); ++i) counts[i] -= counts[i + 2];
  counts.erase(counts.begin(), counts.begin() + 2);  // runs of length 0
  counts.push_back(counted_runs < sample.n ? 0 : found.words);
  return found;
}

/// Judges one replication. TestU01 divides squared differences by E (1 - P) instead of E, where E
/// is the expected number in a class of probability P. For the number of bits in 2 n runs, TestU01
/// uses the variance 8 n instead of 4 n.
std::vector<PValue> judge_runs_of_bits(Test test, Counters counters, Reals) {
  if (counters.back() == 0) {
    const double infinity = std::numeric_limits<double>::infinity();
    return {{"NRuns", infinity, 0}, {"NBits", infinity, 0}};
  }
  const double runs = to_double(test.n);
  const std::uint64_t last = bit_run_classes(test);
  double chi_square = 0;
  double testu01 = 0;
  for (std::uint64_t length = 1; length <= last; ++length) {
    const double p = std::ldexp(1., -static_cast<int>(std::min(length, last - 1)));
    for (const std::uint64_t count : counters.subspan(2 * length - 2, 2)) {
      const double difference = to_double(count) - runs * p;
      const double term = difference * difference / (runs * p);
      chi_square += term;
      testu01 += term / (1 - p);
    }
  }
  const double degrees = to_double(2 * (last - 1));
  const double bits = to_double(counters.back() * to_u64(test.s));
  const double excess = bits - 4 * runs;
  return {{"NRuns", chi_square, chi_square_p(chi_square, degrees), chi_square_p(testu01, degrees)},
          {"NBits", bits, normal_p(excess / std::sqrt(4 * runs)),
           normal_p(excess / std::sqrt(8 * runs))}};
}

/// Summary of the runs of ones in a piece of a sequence. The operator += appends the next piece.
struct OnesRuns {
  std::uint64_t bits = 0;
  std::uint64_t head = 0;     ///< number of leading ones, at most `bits`
  std::uint64_t tail = 0;     ///< number of trailing ones, at most `bits`
  std::uint64_t longest = 0;  ///< length of the longest run

  KOKKOS_FUNCTION OnesRuns& operator+=(const OnesRuns& next) {
    const std::uint64_t joined = tail + next.head;
    if (head == bits) head += next.head;
    tail = next.tail == next.bits ? joined : next.tail;
    if (next.longest > longest) longest = next.longest;
    if (joined > longest) longest = joined;
    bits += next.bits;
    return *this;
  }
  /// Appends the lowest `count` < 64 bits of a word. The highest of these bits comes first.
  KOKKOS_FUNCTION void add(std::uint64_t word, int count) {
    const std::uint64_t zeros = ~word & ((std::uint64_t{1} << count) - 1);
    std::uint64_t below = zeros;  // mask of the first zero and all later bits
    for (int shift = 1; shift < 64; shift *= 2) below |= below >> shift;
    OnesRuns next;
    next.bits = to_u64(count);
    next.head = to_u64(count - popcount(below));
    next.tail = zeros == 0 ? next.bits : to_u64(popcount((zeros & (0 - zeros)) - 1));
    for (; word != 0; word &= word >> 1) ++next.longest;
    *this += next;
  }
};
using LaneRuns = Owned<OnesRuns>;

/// Summarizes the runs in each piece of each block, one lane per piece.
void find_runs(const Space& space, const std::uint32_t* words, std::uint64_t blocks,
               LaneItems pieces, int r, int s, const LaneRuns& found) {
  for_each(
      space, blocks * pieces.lanes, "rivulet::battery_runs",
      KOKKOS_LAMBDA(const std::uint64_t lane) {
        const std::uint32_t* const first = words + lane / pieces.lanes * pieces.items;
        const std::uint64_t piece = lane % pieces.lanes;
        const std::uint64_t end = pieces.range_begin(piece + 1);
        const auto grouped = static_cast<std::uint64_t>(63 / s);
        OnesRuns all;
        for (std::uint64_t i = pieces.range_begin(piece); i < end; i += grouped) {
          const auto some = static_cast<int>(grouped < end - i ? grouped : end - i);
          all.add(bits_of_block(first + i, r, s, some * s), some * s);
        }
        found(lane) = all;
      });
}

std::uint64_t words_of_run_block(Test test) { return to_u64(test.L / test.s); }
double bits_of_run_block(Test test) { return static_cast<double>(test.L / test.s * test.s); }

/// Counts blocks by their longest run of ones. The last counter is the length of the longest run in
/// the sequence. This run may span several blocks.
Replication count_longest_runs(const Sample& sample, Test test) {
  const std::uint64_t block = words_of_run_block(test);
  const LaneItems pieces = lane_items(sample.space(), block, min_piece_words);
  const std::uint64_t at_once = std::min(sample.n, sample.tiles.capacity() / block);
  const LaneRuns lanes("rivulet::battery_lanes", at_once * pieces.lanes);
  const std::uint64_t cells = class_of(test).counters(test);
  Replication found{std::vector<std::uint64_t>(cells), sample.n * block};
  OnesRuns all;
  for (std::uint64_t done = 0; done < sample.n; done += at_once) {
    const std::uint64_t blocks = std::min(at_once, sample.n - done);
    const std::uint32_t* const words = sample.read(done * block, blocks * block);
    find_runs(sample.space(), words, blocks, pieces, test.r, test.s, lanes);
    const std::vector<OnesRuns> each = on_host(sample.space(), lanes);
    for (std::uint64_t b = 0; b < blocks; ++b) {
      OnesRuns block_runs;
      for (std::uint64_t i = 0; i < pieces.lanes; ++i) block_runs += each[b * pieces.lanes + i];
      ++found.counts[std::min(block_runs.longest, cells - 2)];
      all += block_runs;
    }
  }
  found.counts.back() = all.longest;
  return found;
}

/// Returns the probability that the longest run of ones among `bits` bits is shorter than `length`.
double longest_run_below(int length, double bits) {
  return std::exp(-std::ldexp(bits, -length - 1));
}

/// Returns the expected numbers of blocks by longest run, up to a length of negligible probability.
std::vector<double> longest_run_expected(Test test) {
  const double bits = bits_of_run_block(test);
  std::vector<double> expected;
  double below = 0;  // P(longest run < j)
  for (int j = 0;; ++j) {
    const double here = longest_run_below(j + 1, bits) - longest_run_below(j, bits);
    const bool is_last = here <= std::numeric_limits<double>::epsilon() && below > 0.5;
    expected.push_back(to_double(test.n) * (is_last ? 1 - below : here));
    if (is_last) return expected;
    below += here;
  }
}

std::vector<PValue> judge_longest_runs(Test test, Counters counters, Reals) {
  const std::vector<double> blocks = longest_run_expected(test);
  std::uint64_t longest = 0;
  for (const Counters row : rows_of(test, counters)) longest = std::max(longest, row.back());
  const auto chi = [&](Counters row) { return chi_square(blocks, row.first(blocks.size())); };
  const auto length = static_cast<int>(longest);
  const double bits = to_double(test.N * test.n) * bits_of_run_block(test);
  const Tails tails{longest_run_below(length + 1, bits),
                    -std::expm1(-std::ldexp(bits, -length - 1))};
  return {summed(test, counters, chi, "Chi"), {"Disc", to_double(longest), discrete_p(tails)}};
}

}  // namespace

/// sknuth_Run: counts ascending (or descending) runs among n numbers by length. The last class
/// includes all lengths from 6.
TestClass families::number_run() {
  TestClass runs("Run of U01", "{direction}");
  runs.counters = [](Test) { return std::uint64_t{NumberRuns::sums}; };
  runs.item_words = [](Test) { return std::uint64_t{64}; };
  runs.words = every_word;
  runs.counted = [](const Sample& sample, Test test) {
    const Histogram histogram(sample.space(), NumberRuns::sums);
    // On a device, numbers are not grouped, so adjacent threads read adjacent numbers (coalesced
    // loads).
    add_grouped(sample, 0, NumberRuns{test.r, test.t != 0, sample.n},
                device_build ? 1 : NumberRuns::max_grouped, histogram);
    Replication found{histogram.sums(sample.space()), sample.n};
    for (std::size_t i = 1; i < NumberRuns::longest; ++i) found.counts[i] -= found.counts[i + 1];
    return found;
  };
  runs.judge = chi_squares([](Test test, Counters found) {
    return number_runs_chi_square(test.n, found.subspan<1, NumberRuns::longest>());
  });
  return runs;
}

/// sstring_Run: counts runs of zeros and runs of ones by length.
TestClass families::bit_run() {
  TestClass runs("Run of bits", "s = {s}");
  runs.counters = [](Test test) { return 2 * bit_run_classes(test) + 1; };
  runs.item_words = [](Test test) { return 64 / to_u64(test.s); };
  runs.words = [](Test test) { return 4 * test.n / to_u64(test.s); };
  runs.max_words = max_words_of_runs;
  runs.counted = count_runs_of_bits;
  runs.judge = judge_runs_of_bits;
  return runs;
}

/// sstring_LongestHeadRun: counts blocks by their longest run of ones.
TestClass families::longest_head_run() {
  TestClass longest("LongestHeadRun", "s = {s}, L = {L}");
  longest.expected = longest_run_expected;
  longest.counters = [](Test test) { return longest_run_expected(test).size() + 1; };
  longest.item_words = words_of_run_block;
  longest.counted = count_longest_runs;
  longest.judge = judge_longest_runs;
  return longest;
}

}  // namespace rivulet::detail
