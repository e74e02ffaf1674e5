// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "battery/families/family.hpp"

// A point is t consecutive numbers. Its cell is one of d^t <= 2^64 cubes, or one of the t!
// orderings of its numbers.

namespace rivulet::detail {
namespace {

/// Computes the cell index of a point. The point's t numbers below d are the digits of the index in
/// base d, the most significant first.
struct CellOfPoint : Numbers {
  std::uint32_t d;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t place = 0;
    for (int j = 0; j < t; ++j) place = place * d + strip_number(word[j], r, d);
    return place;
  }
};
CellOfPoint point_of(Test test) { return {{test.r, test.t}, d_of(test)}; }

/// Computes the cell index of t words. Its digits in base 3 are the words modulo 3.
struct CellOfRemainders : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t place = 0;
    for (int j = 0; j < t; ++j) place = place * 3 + word[j] % 3;
    return place;
  }
};

/// Computes the cell index of t words from their 4 t bytes. The index's digits in base 3 are the
/// bytes modulo 3.
struct RemaindersOfBytes : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t place = 0;
    for (int j = 0; j < 4 * t; ++j) place = place * 3 + (word[j / 4] >> (24 - j % 4 * 8) & 255) % 3;
    return place;
  }
};

/// Encodes the ordering of t <= 20 numbers as an integer from 0 to t! - 1. Its first mixed-radix
/// digit is the index of the largest number, the next digit is the index of the largest remaining
/// number, and so on (Knuth, The Art of Computer Programming 2, 3.3.2 P). Among equal numbers, the
/// first counts as the largest.
struct NumberOrder : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint32_t number[20];
    for (int j = 0; j < t; ++j) number[j] = word[j] << r;
    std::uint64_t order = 0;
    for (int remaining = t; remaining > 1; --remaining) {
      int largest = 0;
      for (int j = 1; j < remaining; ++j) largest = number[j] > number[largest] ? j : largest;
      order = order * to_u64(remaining) + to_u64(largest);
      number[largest] = number[remaining - 1];
    }
    return order;
  }
};
NumberOrder order_of(Test test) { return {{test.r, test.t}}; }

/// Splits a word into parts of `length` bits, and counts the value of each part.
struct WordParts {
  int length;

  std::uint64_t words() const { return 1; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t, auto& to) const {
    for (int first = 0; first + length <= 32; first += length) {
      to.add(strip_bits(*word, first, length));
    }
  }
};

/// Returns d^t modulo 2^64.
std::uint64_t cells_of(Test test) {
  std::uint64_t all = 1;
  for (int j = 0; j < test.t; ++j) all *= d_of(test);
  return all;
}
double real_cells(Test test) { return std::pow(to_double(test.d), static_cast<double>(test.t)); }

/// Returns t!
std::uint64_t orders_of(Test test) {
  std::uint64_t orders = 1;
  for (std::uint64_t i = 2; i <= to_u64(test.t); ++i) orders *= i;
  return orders;
}

/// Returns the width in bits of numbers below `cells` (0 for 2^64).
int bits_below(std::uint64_t cells) { return static_cast<int>(std::bit_width(cells - 1)); }

/// Adds n overlapping items to the histogram. An item begins at each of n words. Items near the end
/// wrap around to the first words.
template <class Item>
void add_overlapping(const Sample& sample, const Item& item, const Histogram& histogram) {
  const std::uint64_t shared = item.words() - 1;
  const auto add = [&](const std::uint32_t* words, std::uint64_t first, std::uint64_t items) {
    const LaneItems share = lane_items(sample.space(), items);
    count_tile(sample.space(), CountItems<Item>{item, histogram, share, words, 1, first});
  };
  // This view holds the last words followed by the first words, for the points that wrap around.
  const Owned<std::uint32_t> around("rivulet::battery_around", 2 * shared);
  const auto keep = [&](std::uint64_t at, std::uint64_t to) {
    copy_words(sample.tiles, sample.position + at,
               Kokkos::subview(around, Kokkos::make_pair(to, to + shared)));
  };
  keep(0, shared);
  const std::uint64_t at_once = sample.tiles.capacity() - shared;
  for (std::uint64_t done = 0; done < sample.n - shared; done += at_once) {
    const std::uint64_t points = std::min(at_once, sample.n - shared - done);
    add(sample.read(done, points + shared), done, points);
  }
  keep(sample.n - shared, 0);
  add(around.data(), sample.n - shared, shared);
  sample.space().fence();
}

/// Returns the number of replications whose squared counts are summed in one row of counters.
std::uint64_t replications_per_row(Test test) { return test.N / test.rows(); }

/// Returns Pearson's chi-square statistic of `rows` replications with n points each. The cells are
/// equally likely, and `squares` is the sum of their squared counts.
double pearson(std::uint64_t n, std::uint64_t cells, std::uint64_t squares, std::uint64_t rows) {
  const auto points = static_cast<long double>(n);
  return static_cast<double>(static_cast<long double>(squares) * static_cast<long double>(cells) /
                                 points -
                             static_cast<long double>(rows) * points);
}

/// Corrects Pearson's statistic for its mean and variance at n points, as TestU01 does (Read &
/// Cressie, Goodness-of-Fit Statistics for Discrete Multivariate Data, 1988). Returns the corrected
/// statistic and the degrees of freedom.
ChiSquare corrected(double pearson, std::uint64_t n, std::uint64_t cells, std::uint64_t rows) {
  const double sigma = std::sqrt(1 - 1 / to_double(n));
  const std::uint64_t degrees = rows * (cells - 1);
  return {(pearson - to_double(degrees) * (1 - sigma)) / sigma, degrees};
}

/// Returns the corrected statistic for n points per replication in equally likely cells. `squares`
/// is the sum of the squared counts.
ChiSquare multinomial(std::uint64_t n, std::uint64_t cells, std::uint64_t squares,
                      std::uint64_t rows = 1) {
  return corrected(pearson(n, cells, squares, rows), n, cells, rows);
}

/// Returns the sum of a series whose first term is `term`. next(j, term) returns the term after
/// `term`; j starts at 3.
template <class Next>
double series(double term, const Next& next) {
  double sum = term;
  for (int j = 3; std::abs(term) > 1e-18 * sum; ++j) sum += term = next(j, term);
  return sum;
}

/// Returns the exact mean number of collisions (points that fall into an occupied cell).
double collision_mean(double n, double cells) {
  if (n / cells > 0.1) {
    const long double k = cells;
    return static_cast<double>(n + k * std::expm1(n * std::log1p(-1 / k)));
  }
  // This series equals n - k + k (1 - 1/k)^n for k cells, but avoids cancellation.
  return series(n * (n - 1) / (2 * cells),
                [=](int j, double term) { return term * (-(n - j + 1) / (cells * j)); });
}

/// Returns the mean number of collisions of n overlapping tuples of t numbers, for n < cells.
double collision_over_mean(double n, double cells, int t) {
  const double density = (n - t + 1) / cells;
  if (density > 0.1) return cells * (density + std::expm1(-density));
  return cells *
         series(density * density / 2, [=](int j, double term) { return term * (-density / j); });
}

/// Counts the items whose cell an earlier item occupied. Cell indices are below `cells`.
template <class Item>
Replication count_repeated(const Sample& sample, const Item& item, std::uint64_t cells) {
  return {{sorted_cells(sample, item, bits_below(cells)).repeated()}, sample.n * item.words()};
}

/// Returns a class with one count per replication. The count has a Poisson distribution whose mean
/// is mean(test).
template <class Mean>
TestClass sorted_points(std::string_view name, Mean mean) {
  TestClass test_class(name, "d = {d}, t = {t}");
  test_class.item_words = words_of_group;
  test_class.bytes = bytes_of_keys;
  test_class.judge = [mean](Test test, Counters counters, Reals) {
    const std::uint64_t sum = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    const double all = to_double(test.N) * mean(test);
    return std::vector<PValue>{{"", to_double(sum), poisson_p(all, sum)}};
  };
  test_class.pools = true;
  return test_class;
}

/// Returns a class with two counters for overlapping points. The counters are the sums of squared
/// counts over the cells of t numbers and over the cells of t - 1 numbers. cell(test) returns the
/// functor that computes a point's cell.
template <class Cell>
TestClass serial(std::string_view name, std::string_view parameters, Cell cell) {
  TestClass test_class(name, parameters);
  test_class.counters = [](Test) { return std::uint64_t{2}; };
  test_class.item_words = words_of_group;
  test_class.words = every_word;
  test_class.bytes = [](Test test) { return histogram_bytes(cells_of(test)); };
  test_class.counted = [cell](const Sample& sample, Test test) {
    const Histogram histogram(sample.space(), cells_of(test));
    add_overlapping(sample, cell(test), histogram);
    return Replication{
        {histogram.squares(sample.space()), histogram.squares(sample.space(), test.d)}, sample.n};
  };
  test_class.judge = chi_squares([](Test test, Counters squares) {
    const std::uint64_t n = test.n, cells = cells_of(test), marginal_cells = cells / test.d;
    const std::uint64_t rows = replications_per_row(test);
    // TestU01 applies the correction for `cells - marginal_cells` cells. The degrees of freedom are
    // also `cells - marginal_cells`, one more per row than corrected() returns.
    ChiSquare chi = corrected(
        pearson(n, cells, squares[0], rows) - pearson(n, marginal_cells, squares[1], rows), n,
        cells - marginal_cells, rows);
    chi.degrees += rows;
    return chi;
  });
  test_class.pools = true;
  // A chunk needs 10 points per cell, because corrected() is accurate only to first order in 1 / n.
  test_class.min_chunk_words = [](Test test) { return 10 * cells_of(test); };
  return test_class;
}

}  // namespace

/// smarsa_BirthdaySpacings of order 1: sorts the spacings between sorted cells, and counts the
/// spacings that equal their predecessor.
TestClass families::birthday_spacings() {
  TestClass birthdays = sorted_points("BirthdaySpacings", [](Test test) {
    const double n = to_double(test.n), cells = real_cells(test);
    // The mean n^3 / (4 cells) is approximate. Pooled replications are numerous enough to reveal
    // the error. Their mean is therefore n (n - 1)^2 / (4 cells), minus n^5 / (18 cells^2) for
    // triples of equal spacings.
    const double exact = test.pooled ? (1 - 1 / n) * (1 - 1 / n) - 2. / 9 * n * n / cells : 1;
    return exact * (n * n / cells * (n / 4));
  });
  birthdays.counted = [](const Sample& sample, Test test) {
    const std::uint64_t cells = cells_of(test);
    SortedKeys keys = sorted_cells(sample, point_of(test), bits_below(cells));
    keys.to_spacings(cells);
    keys.sort(keys.bits());
    return Replication{{keys.repeated()}, sample.n * words_of_group(test)};
  };
  return birthdays;
}

/// sknuth_Collision: counts points that fall into an occupied cell.
TestClass families::collision() {
  TestClass collisions = sorted_points(
      "Collision", [](Test test) { return collision_mean(to_double(test.n), real_cells(test)); });
  collisions.counted = [](const Sample& sample, Test test) {
    return count_repeated(sample, point_of(test), cells_of(test));
  };
  return collisions;
}

/// smarsa_CollisionOver: counts collisions among n overlapping points. A point begins at each of n
/// numbers.
TestClass families::collision_over() {
  TestClass collisions = sorted_points("CollisionOver", [](Test test) {
    return collision_over_mean(to_double(test.n), real_cells(test), test.t);
  });
  collisions.words = every_word;
  collisions.counted = [](const Sample& sample, Test test) {
    SortedKeys keys(sample.space(), sample.n);
    add_overlapping(sample, KeptCells<CellOfPoint>{point_of(test), keys.data()},
                    Histogram(sample.space(), 1));
    keys.sort(bits_below(cells_of(test)));
    return Replication{{keys.repeated()}, sample.n};
  };
  return collisions;
}

/// sknuth_CollisionPermut: counts groups of t numbers with the same ordering as an earlier group.
TestClass families::collision_permut() {
  TestClass orders = sorted_points("CollisionPermut", [](Test test) {
    return collision_mean(to_double(test.n), to_double(orders_of(test)));
  });
  orders.parameters = "t = {t}";
  orders.counted = [](const Sample& sample, Test test) {
    return count_repeated(sample, order_of(test), orders_of(test));
  };
  return orders;
}

/// sknuth_Permutation: sums the squared counts of the t! orderings of t numbers.
TestClass families::permutation() {
  TestClass orders("Permutation", "t = {t}");
  orders.item_words = words_of_group;
  orders.bytes = [](Test test) { return histogram_bytes(orders_of(test)); };
  orders.counted = [](const Sample& sample, Test test) {
    return count_squares(sample, orders_of(test), order_of(test));
  };
  orders.judge = chi_squares(
      [](Test test, Counters squares) { return multinomial(test.n, orders_of(test), squares[0]); });
  return orders;
}

/// smarsa_SerialOver: sums the squared counts of overlapping points per cell.
TestClass families::serial_over() { return serial("SerialOver", "d = {d}, t = {t}", point_of); }

/// gjrand's mod3: counts overlapping tuples of t words modulo 3. (SmokeRand's version omits the sum
/// over the cells of t - 1 words.)
TestClass families::mod3() {
  return serial("Mod3", "t = {t}", [](Test test) { return CellOfRemainders{{test.r, test.t}}; });
}

/// Tests the joint distribution of the 4 t bytes of t words, each byte modulo 3. (PractRand's mod3n
/// uses other numbers of bytes.)
TestClass families::byte_rests() {
  TestClass rests = class_of_items("ByteRests", "t = {t}", [](Test test) {
    return RemaindersOfBytes{{test.r, test.t}};
  });
  rests.expected = [](Test test) {
    std::vector<double> all{to_double(test.items())};
    for (int byte = 0; byte < 4 * test.t; ++byte) {
      std::vector<double> next;
      for (const double count : all) {
        for (const double values : {86., 85., 85.}) next.push_back(count * values / 256);
      }
      all = std::move(next);
    }
    return all;
  };
  rests.pools = true;
  return rests;
}

/// Splits words into parts of L bits, and sums the squared counts of the parts' values. The test
/// judges the sum over all rows and, unless pooled, the distribution of the rows' p-values.
TestClass families::word_parts() {
  TestClass parts("WordParts", "L = {L}");
  parts.bytes = [](Test test) { return histogram_bytes(std::uint64_t{1} << test.L); };
  parts.counted = [](const Sample& sample, Test test) {
    return count_squares(sample, std::uint64_t{1} << test.L, WordParts{test.L});
  };
  parts.judge = [](Test test, Counters counters, Reals) -> std::vector<PValue> {
    const auto chi = [&](Counters squares) {
      return multinomial(test.n * to_u64(32 / test.L), std::uint64_t{1} << test.L, squares[0],
                         replications_per_row(test));
    };
    if (test.pooled) return {summed(test, counters, chi, "Chi")};
    std::vector<double> p;
    for (const Counters row : rows_of(test, counters)) p.push_back(chi(row).p());
    return {summed(test, counters, chi, "Chi"),
            {"AD", anderson_darling(p).statistic, second_level_p(p)}};
  };
  parts.pools = true;
  parts.min_chunk_words = [](Test test) { return std::uint64_t{10} << test.L; };
  return parts;
}

}  // namespace rivulet::detail
