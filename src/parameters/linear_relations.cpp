// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/linear_relations.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <utility>
#include <vector>

namespace rivulet {
namespace {

constexpr std::size_t word_bits = 32;
constexpr std::size_t max_power = 8;

/// Number of outputs whose bits can be in a relation: the outputs at lags 0 .. q, q m and q n. For
/// q = 1, the outputs at lags m - 1 and n - 1 are added.
constexpr std::size_t relation_numbers = max_power + 3;
constexpr std::size_t relation_bits = relation_numbers * word_bits;
using Relation = std::bitset<relation_bits>;
using Relations = std::vector<Relation>;

/// Row i: mask of the operand's bits whose sum is bit i of the product.
using Matrix = std::array<std::uint32_t, word_bits>;

void add_product(Matrix& to, const Matrix& left, const Matrix& right) {
  for (std::size_t i = 0; i < word_bits; ++i) {
    for (std::size_t j = 0; j < word_bits; ++j) {
      if ((left[i] >> j & 1) != 0) to[i] ^= right[j];
    }
  }
}

using Lags = std::vector<Matrix>;

/// Returns the matrices A and B of the twist.
Lags twist(const DcmtShape& shape, std::uint32_t a) {
  Lags lags(2, Matrix{});
  for (std::size_t i = 0; i < word_bits; ++i) {
    const std::uint32_t shifted = i + 1 < word_bits ? std::uint32_t{2} << i : 0;
    const std::uint32_t bits = shifted ^ (a >> i & 1);
    lags[0][i] = bits & shape.upper_mask;
    lags[1][i] = bits & shape.lower_mask;
  }
  return lags;
}

Lags square(const Lags& lags) {
  Lags product(2 * lags.size() - 1, Matrix{});
  for (std::size_t i = 0; i < lags.size(); ++i) {
    for (std::size_t j = 0; j < lags.size(); ++j) add_product(product[i + j], lags[i], lags[j]);
  }
  return product;
}

/// Converts a mask of an untempered word's bits to the mask of the tempered number's bits that have
/// the same sum. Applies the inverse transposes of the tempering's steps.
std::uint32_t tempered_bits(const DcmtSet& set, std::uint32_t bits) {
  const auto undo = [](std::uint32_t sum, const auto& shifted) {
    std::uint32_t undone = sum;
    // All shifts are by 7 bits or more, so five terms of the inverse's power series suffice.
    for (int i = 0; i < 4; ++i) undone = sum ^ shifted(undone);
    return undone;
  };
  bits = undo(bits, [](std::uint32_t v) { return v << dcmt_shift_0; });
  bits = undo(bits, [&](std::uint32_t v) { return (v & set.b) >> dcmt_shift_b; });
  bits = undo(bits, [&](std::uint32_t v) { return (v & set.c) >> dcmt_shift_c; });
  return undo(bits, [](std::uint32_t v) { return v << dcmt_shift_1; });
}

void add_bits(Relation& relation, std::size_t number, std::uint32_t bits) {
  relation ^= Relation(bits) << (number * word_bits);
}

/// Returns the relations between the words at the last two lags and the words at the first lags.
Relations relations_of(const DcmtSet& set, const Lags& lags) {
  Relations relations(word_bits);
  for (std::size_t i = 0; i < word_bits; ++i) {
    for (std::size_t lag = 0; lag < lags.size(); ++lag) {
      add_bits(relations[i], lag, tempered_bits(set, lags[lag][i]));
    }
    const std::uint32_t sum = tempered_bits(set, std::uint32_t{1} << i);
    add_bits(relations[i], lags.size(), sum);
    add_bits(relations[i], lags.size() + 1, sum);
  }
  return relations;
}

/// Adds the r relations of the previous step that have no bit of the word before lag 0. The
/// relations among n + 1 numbers are then complete: there are 32 (n + 1) - p of them.
void add_earlier(Relations& relations, const DcmtSet& set, const Lags& lags) {
  for (std::size_t i = 0; i < word_bits; ++i) {
    if (lags[0][i] != 0) continue;
    Relation earlier;
    add_bits(earlier, 0, tempered_bits(set, lags[1][i]));
    const std::uint32_t sum = tempered_bits(set, std::uint32_t{1} << i);
    add_bits(earlier, lags.size() + 2, sum);
    add_bits(earlier, lags.size() + 3, sum);
    relations.push_back(earlier);
  }
}

/// Performs Gauss-Jordan elimination in the given columns. Moves rows with a pivot to the front,
/// and removes the pivots' columns from `columns`. Returns the rank.
std::size_t eliminate(Relations& rows, Relation& columns) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < relation_bits && rank < rows.size(); ++column) {
    if (!columns[column]) continue;
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
                                    [&](const Relation& row) { return row[column]; });
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[rank]);
    for (Relation& row : rows) {
      if (&row != &rows[rank] && row[column]) row ^= rows[rank];
    }
    columns.reset(column);
    ++rank;
  }
  return rank;
}

/// Adds each combination of `count` rows, from row `first` on, to `sum`. Lowers `min_weight` to the
/// least weight of these sums if that is less.
void update_min_weight(const Relations& rows, std::size_t first, std::size_t count,
                       const Relation& sum, std::size_t& min_weight) {
  if (count == 0) {
    min_weight = std::min(min_weight, sum.count());
    return;
  }
  for (std::size_t i = first; i + count <= rows.size(); ++i) {
    update_min_weight(rows, i + 1, count - 1, sum ^ rows[i], min_weight);
  }
}

/// Returns the least weight of the nonzero sums of the independent relations, or `min_weight` if
/// that is less. Uses the algorithm of Brouwer and Zimmermann: in several disjoint sets of columns,
/// the rows are reduced to unit vectors or zero. In a set where z rows are zero, a sum of more than
/// t rows then has a weight of at least t + 1 - z.
std::size_t least_weight(Relations rows, std::size_t min_weight) {
  std::vector<std::pair<Relations, std::size_t>> forms;
  Relation remaining_columns = Relation().set();
  while (const std::size_t rank = eliminate(rows, remaining_columns))
    forms.emplace_back(rows, rank);
  for (std::size_t t = 1, bound = 0; bound < min_weight; ++t) {
    bound = 0;
    for (const auto& [form, rank] : forms) {
      update_min_weight(form, 0, t, {}, min_weight);
      const std::size_t without_unit = form.size() - rank;
      bound += t + 1 - std::min(t + 1, without_unit);
    }
  }
  return min_weight;
}

constexpr std::size_t window_bits = 4;

/// Returns bits `first` .. `first` + window_bits - 1 of all numbers.
Relation window_from(std::size_t first) {
  constexpr std::uint32_t low = (1U << window_bits) - 1;
  Relation window;
  for (std::size_t number = 0; number < relation_numbers; ++number) {
    add_bits(window, number, low << first);
  }
  return window;
}

/// True if some nonzero sum of the relations has all its bits in one window. The relations must be
/// independent.
bool are_in_window(const Relations& relations) {
  for (std::size_t first = 0; first + window_bits <= word_bits; ++first) {
    Relations rows = relations;
    Relation outside = ~window_from(first);
    if (eliminate(rows, outside) < rows.size()) return true;
  }
  return false;
}

}  // namespace

LinearRelations linear_relations(const DcmtShape& shape, const DcmtSet& set) {
  Lags lags = twist(shape, set.a);
  Relations relations = relations_of(set, lags);
  add_earlier(relations, set, lags);
  const bool in_window = are_in_window(relations);
  std::size_t min_weight = least_weight(std::move(relations), relation_bits);
  for (std::size_t q = 2; q <= max_power; q *= 2) {
    lags = square(lags);
    min_weight = least_weight(relations_of(set, lags), min_weight);
  }
  return {static_cast<std::uint32_t>(min_weight), in_window};
}

}  // namespace rivulet
