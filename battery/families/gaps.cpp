// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>

#include "battery/families/family.hpp"

// Counts gaps between marks by length. A mark is a word below a limit.

namespace rivulet::detail {
namespace {

/// Returns a bit mask of the marks among `count` <= 64 words. The lowest bit is the first word.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t marks_of(const std::uint32_t* words, std::uint64_t count,
                                                   int r, std::uint32_t max_value) {
  std::uint64_t marks = 0;
  for (std::uint64_t j = 0; j < count; ++j) {
    marks |= std::uint64_t{words[j] << r <= max_value ? 1U : 0U} << j;
  }
  return marks;
}

/// Stores the indices of the marks among the words. Returns the number of marks. If this number
/// exceeds the size of `places`, not all marks are stored. Blocking.
std::uint64_t find_marks(const Space& space, const std::uint32_t* words, std::uint64_t count, int r,
                         std::uint64_t limit, const Owned<std::uint32_t>& places) {
  const auto max_value = static_cast<std::uint32_t>(limit - 1);
  const std::uint64_t room = places.extent(0);
  std::uint64_t all = 0;
  Kokkos::parallel_scan(
      "rivulet::battery_marks", LaneRange(space, 0, (count + 63) / 64),
      KOKKOS_LAMBDA(const std::uint64_t group, std::uint64_t& before, const bool is_last) {
        const std::uint64_t first = 64 * group;
        std::uint64_t marks = first + 64 <= count
                                  ? marks_of(words + first, 64, r, max_value)
                                  : marks_of(words + first, count - first, r, max_value);
        const std::uint64_t end = before + to_u64(popcount(marks));
        if (is_last && end <= room) {
          for (std::uint64_t i = before; i < end; ++i, marks &= marks - 1) {
            places(i) = static_cast<std::uint32_t>(first) +
                        static_cast<std::uint32_t>(popcount((marks & (0 - marks)) - 1));
          }
        }
        before = end;
      },
      all);
  return all;
}

/// Computes the lengths of gaps. Gap i ends at mark i, which is word places(i).
struct GapLengths {
  Owned<std::uint32_t> places;
  std::uint64_t open;  ///< words of the first gap before index 0

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(std::uint64_t i) const {
    return i == 0 ? open + places(0) : places(i) - places(i - 1) - 1;
  }
};

/// Returns the index of the first of `count` gaps with n words or more, or `count` if there is
/// none. Blocking.
std::uint64_t find_long_gap(const Space& space, const GapLengths& lengths, std::uint64_t count,
                            std::uint64_t n) {
  std::uint64_t found = count;
  Kokkos::parallel_reduce(
      "rivulet::battery_long_gaps", LaneRange(space, 0, count),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& first) {
        if (i < first && lengths(i) >= n) first = i;
      },
      Kokkos::Min<std::uint64_t>(found));
  return std::min(found, count);
}

void add_gaps(const Space& space, const GapLengths& lengths, std::uint64_t count,
              const Histogram& histogram) {
  const LaneItems share = lane_items(space, count);
  const std::uint64_t longest = histogram.cells() - 1;
  for_each(
      space, share.lanes, "rivulet::battery_gaps", KOKKOS_LAMBDA(const std::uint64_t lane) {
        for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
          const std::uint64_t length = lengths(i);
          histogram.add(lane, length < longest ? length : longest);
        }
      });
}

/// Returns the expected numbers of gaps by length, among n gaps. The last class includes all longer
/// gaps. Each of the last two classes has an expected number of at least 10.
std::vector<double> gap_expected(std::uint64_t n, double p) {
  const double gaps = to_double(n);
  const double log_outside = std::log1p(-p);
  const int last = std::max(
      0, std::min(static_cast<int>(std::log(min_expected / gaps) / log_outside),
                  static_cast<int>(1 + std::log(min_expected / (gaps * p)) / log_outside)));
  std::vector<double> expected;
  for (int length = 0; length <= last; ++length) {
    expected.push_back(gaps * (length < last ? p : 1) * std::exp(length * log_outside));
  }
  return expected;
}

}  // namespace

Replication count_gaps(const Sample& sample, int r, std::uint64_t limit, std::uint64_t longest) {
  const Space& space = sample.space();
  const Histogram histogram(space, longest + 1);
  // There is room for marks at a quarter of the words. If more words are marks, only the first
  // `room` words are processed.
  const std::uint64_t at_once = std::min(sample.tiles.capacity(), std::uint64_t{1} << 31);
  const std::uint64_t room = std::max<std::uint64_t>(at_once / 4, 1);
  const auto places = uninitialised<std::uint32_t>("rivulet::battery_places", room);
  const double words_per_gap = std::ldexp(1.0, 32) / to_double(limit);
  std::uint64_t gaps = 0;
  std::uint64_t begin = 0;  // position where the current gap begins
  std::uint64_t at = 0;
  while (gaps < sample.n && at - begin < sample.n) {
    const double expected_words = to_double(sample.n - gaps) * words_per_gap;
    auto words =
        static_cast<std::uint64_t>(std::min(1.02 * expected_words + 1e5, to_double(at_once)));
    const std::uint32_t* const read = sample.read(at, words);
    std::uint64_t marks = find_marks(space, read, words, r, limit, places);
    if (marks > room) {
      words = room;
      marks = find_marks(space, read, words, r, limit, places);
    }
    const GapLengths lengths{places, at - begin};
    const std::uint64_t wanted = std::min(marks, sample.n - gaps);
    const std::uint64_t counted = find_long_gap(space, lengths, wanted, sample.n);
    add_gaps(space, lengths, counted, histogram);
    gaps += counted;
    if (counted > 0) {
      std::uint32_t last = 0;
      Kokkos::deep_copy(last, Kokkos::subview(places, counted - 1));
      begin = at + last + 1;
    }
    if (counted < wanted) break;
    at += words;
  }
  // TestU01 reads n + 1 numbers of a gap that is too long.
  return {histogram.sums(space), gaps < sample.n ? begin + sample.n + 1 : begin};
}

/// sknuth_Gap: counts n gaps between numbers in [0, 1/d) by length. A gap of n or more numbers ends
/// the count, and the test fails.
TestClass families::gap() {
  TestClass gap("Gap", "alpha = 0, beta = 1/{d}");
  gap.expected = [](Test test) {
    std::vector<double> expected = gap_expected(test.n, 1 / to_double(test.d));
    for (double& mean : expected) mean *= to_double(test.N / test.rows());
    return expected;
  };
  gap.words = [](Test test) { return test.n * test.d; };
  gap.max_words = [](Test test) { return test.n * (test.n + 1); };  // at most n + 1 words per gap
  gap.counted = [](const Sample& sample, Test test) {
    return count_gaps(sample, test.r, (std::uint64_t{1} << 32) / test.d,
                      class_of(test).counters(test) - 1);
  };
  gap.judge = [](Test test, Counters counters, Reals reals) {
    const auto gaps = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    if (gaps >= test.n * test.N) return chi_squares_of_expected(chi_square)(test, counters, reals);
    return std::vector<PValue>{{"", std::numeric_limits<double>::infinity(), 0}};
  };
  gap.pools = true;
  // A chunk must allow n >= 64 d: the probability that a gap reaches n words is then below e^-64.
  // The chunk must also hold n gaps with a margin of 8 standard deviations.
  gap.min_chunk_words = [](Test test) {
    return std::max(64 * test.d, std::uint64_t{7000}) * test.d / 8 * 9;
  };
  return gap;
}

}  // namespace rivulet::detail
