// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <limits>
#include <numbers>
#include <utility>

#include "battery/families/family.hpp"

// Finds integer relations between consecutive numbers u of a stream. A relation has coefficients
// c_j for which the sum of c_j u_(i+j) is nearly an integer at several offsets i. Relations are
// short vectors of a lattice, found by the reduction of Lenstra, Lenstra & Lovasz (LLL; Math. Ann.
// 261 (1982) 515). Linear generators have relations (Knuth, The Art of Computer Programming 2,
// 3.3.4). Bad generators have short relations: MIXMAX (L'Ecuyer, Wambergue & Bourceret, INFORMS J.
// Comput. 32 (2020) 135), RANLUX at luxury level 0, and lagged Fibonacci generators with short
// lags.

namespace rivulet::detail {
namespace {

constexpr std::size_t classes = 128;
constexpr std::uint64_t min_step = 48;
constexpr int number_bits = 28;  ///< bits kept per number: inner products then fit into 64 bits

using Vector = std::span<const std::int64_t>;

double inner(Vector a, Vector b) {
  return static_cast<double>(std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0}));
}

/// Reduces a lattice basis with the LLL algorithm. Gram-Schmidt coefficients are computed in double
/// precision from exact inner products. For each vector, they are recomputed until the vector no
/// longer changes (Nguyen & Stehle, SIAM J. Comput. 39 (2009) 874).
class Reduction {
 public:
  explicit Reduction(Lattice basis)
      : basis_(std::move(basis)),
        mu_(basis_.size(), std::vector<double>(basis_.size())),
        squares_(basis_.size()) {
    for (std::size_t k = 0; k < basis_.size();) k = insert(k) + 1;
  }

  const Lattice& basis() const { return basis_; }

 private:
  /// Computes the Gram-Schmidt coefficients of vector k for all earlier vectors.
  void project(std::size_t k) {
    std::vector<double> products(k);
    for (std::size_t j = 0; j < k; ++j) products[j] = inner(basis_[k], basis_[j]);
    for (std::size_t i = 0; i < k; ++i) {
      mu_[i][k] = products[i] / squares_[i];
      for (std::size_t j = i + 1; j < k; ++j) products[j] -= mu_[i][j] * products[i];
    }
  }

  /// Size-reduces vector k: subtracts integer multiples of earlier vectors. Returns false if the
  /// vector was already size-reduced.
  bool shorten(std::size_t k) {
    bool is_changed = false;
    for (std::size_t j = k; j-- > 0;) {
      if (std::abs(mu_[j][k]) <= 0.51) continue;
      is_changed = true;
      const double times = std::nearbyint(mu_[j][k]);
      const auto factor = static_cast<std::int64_t>(times);
      for (std::size_t i = 0; i < basis_.size(); ++i) basis_[k][i] -= factor * basis_[j][i];
      for (std::size_t i = 0; i < j; ++i) mu_[i][k] -= times * mu_[i][j];
    }
    return is_changed;
  }

  /// Size-reduces vector k, and moves it before the vectors that violate Lovasz's condition.
  /// Returns its new index.
  std::size_t insert(std::size_t k) {
    do project(k);
    while (shorten(k));
    const auto part = [&](std::size_t j) { return mu_[j][k] * mu_[j][k] * squares_[j]; };
    double square = inner(basis_[k], basis_[k]);
    for (std::size_t j = 0; j < k; ++j) square -= part(j);
    std::size_t to = k;
    for (; to > 0 && square + part(to - 1) < 0.99 * squares_[to - 1]; --to) square += part(to - 1);
    for (std::size_t i = k; i > to; --i) std::swap(basis_[i], basis_[i - 1]);
    for (std::size_t j = 0; j < to; ++j) mu_[j][to] = mu_[j][k];
    squares_[to] = square;
    return to;
  }

  Lattice basis_;
  std::vector<std::vector<double>> mu_;  ///< mu_[j][k]: coefficient of vector k for vector j
  std::vector<double> squares_;          ///< squared norms of the orthogonalized vectors
};

/// Returns a basis of the lattice of vectors (c, e). Here, c contains the coefficients of a
/// relation. For each offset, e contains the distance of the relation's sum from an integer, times
/// 2^28.
Lattice lattice_of(const std::uint32_t* word, RelationPlaces places, std::size_t t) {
  Lattice basis(t + places.count, std::vector<std::int64_t>(t + places.count));
  for (std::size_t k = 0; k < places.count; ++k) {
    basis[k][t + k] = std::int64_t{1} << number_bits;
    for (std::size_t j = 0; j < t; ++j) {
      basis[places.count + j][t + k] = word[k * places.step + j] >> (32 - number_bits);
    }
  }
  for (std::size_t j = 0; j < t; ++j) basis[places.count + j][j] = 1;
  return basis;
}

/// Returns the squared norm of the shortest vector in a reduced basis, or infinity if no vector
/// counts. With t > 24 numbers, a vector counts only if the squared norm of its coefficients is
/// <= 64. Even good linear generators have relations with larger coefficients: mrg32k3a, with 191
/// bits of state, has relations with norm 28.
double shortest_square(const Lattice& basis, std::size_t t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double max_square = t > 24 ? 64 : infinity;
  double shortest = infinity;
  for (const Vector vector : basis) {
    const Vector coefficients = vector.first(t);
    if (inner(coefficients, coefficients) <= max_square)
      shortest = std::min(shortest, inner(vector, vector));
  }
  return shortest;
}

/// Returns the class c with 2^-(c+1) <= p < 2^-c. Here p is an upper bound on the probability that
/// the lattice of random words contains a vector this short. A vector and its negative are in the
/// lattice with probability 2^-28 per offset. The number of vectors with at most this norm is
/// estimated by the volume of the ball with this radius. The estimate is inaccurate only for p in
/// the last class. The code uses only operations that IEEE 754 requires to be correctly rounded.
std::size_t class_of_square(double square, std::size_t t, std::size_t places) {
  double p = std::ldexp(0.5, -number_bits * static_cast<int>(places));
  for (std::size_t i = 1; i <= (t + places) / 2; ++i) {
    p *= std::numbers::pi * square / to_double(i);
  }
  return p < 1 ? std::min(classes - 1, static_cast<std::size_t>(-1 - std::ilogb(p))) : 0;
}

/// Returns the number of words in the shortest row, whose offsets have the smallest step.
std::uint64_t min_row_words(Test test) {
  return (to_u64(test.t) / 3 - 1) * min_step + to_u64(test.t);
}
std::uint64_t words_of_row(Test test) { return std::max(to_u64(test.L), min_row_words(test)); }

std::vector<std::uint64_t> count_relations(const std::uint32_t* words, Test test) {
  const std::uint64_t row = words_of_row(test);
  const std::size_t t = to_u64(test.t);
  const RelationPlaces places = relation_places(row, t);
  std::vector<std::uint64_t> found(classes);
  for (std::uint64_t i = 0; i < test.n; ++i) {
    const Lattice basis = reduced(lattice_of(words + i * row, places, t));
    ++found[class_of_square(shortest_square(basis, t), t, places.count)];
  }
  return found;
}

/// Judges by the highest class of all rows. p is at most 1/2, because a lack of short relations is
/// not suspicious.
std::vector<PValue> judge_relations(Test test, Counters counters, Reals) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i] > 0) best = std::max(best, i % classes);
  }
  const double each = std::ldexp(1, -static_cast<int>(best));
  const double p = -std::expm1(to_double(test.N * test.n) * std::log1p(-each));
  return {{"", to_double(best), std::min(p, 0.5)}};
}

}  // namespace

RelationPlaces relation_places(std::uint64_t length, std::size_t t) {
  const std::size_t count = t / 3;
  for (const std::uint64_t step : {1680, 240}) {
    if ((count - 1) * step + t <= length) return {count, step};
  }
  return {count, min_step};
}

Lattice reduced(const Lattice& basis) { return Reduction(basis).basis(); }

/// Searches for integer relations between t consecutive words, at t / 3 offsets in each of n rows
/// of L words. t is a multiple of 12.
TestClass families::relations() {
  TestClass all("Relations", "t = {t}, L = {L}");
  all.counters = [](Test) { return std::uint64_t{classes}; };
  all.min_row_words = min_row_words;
  all.words = [](Test test) { return test.n * words_of_row(test); };
  all.counted_on_host = count_relations;
  all.judge = judge_relations;
  all.pools = true;
  all.min_items = [](Test) { return std::uint64_t{1}; };
  return all;
}

}  // namespace rivulet::detail
