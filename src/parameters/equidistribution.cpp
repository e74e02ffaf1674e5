// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/equidistribution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "parameters/creator.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Computes k(v) of a twister with exponent P by reducing the lattice of its v leading output bits
/// over F_2((1/t)). A lattice vector is stored as a generator state (P bits) and the number of
/// steps that led to this state. See Harase, Matsumoto & Saito, "Fast lattice reduction for
/// F2-linear pseudorandom number generators", Math. Comp. 80 (2011). Not thread-safe: each thread
/// needs its own object.
template <int P>
class PivotReduction {
 public:
  explicit PivotReduction(std::uint32_t a) : a_(a) {}

  /// Returns the exact k(v), 1 <= v <= 32, for tempering masks b and c. The characteristic
  /// polynomial must be irreducible. Throws Error if P successive outputs are zero, which proves
  /// that the polynomial is reducible.
  int dimension(std::uint32_t b, std::uint32_t c, int v) {
    start(b, c, v);
    while (steps_in_basis_ < P) reduce_once();
    int min_steps = P;
    for (int i = 0; i < v; ++i) min_steps = std::min(min_steps, row(i).steps);
    return min_steps;
  }

 private:
  static constexpr DcmtShape shape_ = dcmt_shape(P);
  static constexpr int n_ = shape_.n;
  /// Words per addition: n rounded up to whole 512-bit registers. Words beyond n are unused.
  static constexpr int added_words_ = (n_ + 15) / 16 * 16;
  /// Words per row before the padding. A step moves the state up by one word; from the end of the
  /// row, the state is copied back to the beginning.
  static constexpr int capacity_ = 128 + added_words_;

  struct Row {
    std::uint32_t leading;  ///< v leading output bits of the newest word
    int steps;              ///< the vector's degree is -steps
    int position;           ///< index of the state's oldest word
    alignas(64) std::array<std::uint32_t, capacity_ + added_words_> words;
  };

  Row& row(int i) { return rows_[basis_[static_cast<std::size_t>(i)]]; }

  /// Sets the initial basis: the unit vectors, whose states are zero. The row below the basis is an
  /// arbitrary state, stepped until a leading bit is nonzero.
  void start(std::uint32_t b, std::uint32_t c, int v) {
    b_ = b;
    c_ = c;
    leading_mask_ = ~std::uint32_t{0} << (32 - v);
    steps_in_basis_ = 0;
    row_below_basis_ = static_cast<std::size_t>(v);
    for (std::size_t i = 0; i <= row_below_basis_; ++i) {
      Row& fresh = rows_[i];
      basis_[i] = i;
      fresh.leading = i < row_below_basis_ ? std::uint32_t{1} << (31 - i) : 0;
      fresh.steps = 0;
      fresh.position = 0;
      std::fill_n(fresh.words.begin(), added_words_, 0u);
    }
    rows_[row_below_basis_].words[n_ - 1] = std::uint32_t{1} << 31;
    step_to_nonzero(rows_[row_below_basis_]);
  }

  /// Cancels one leading bit of the row below the basis by adding the basis row with that pivot.
  /// The row with more steps stays in the basis. The lattice is reduced when the steps in the basis
  /// add up to P.
  void reduce_once() {
    const int pivot = 31 - std::countr_zero(rows_[row_below_basis_].leading);
    std::size_t& in_basis = basis_[static_cast<std::size_t>(pivot)];
    const int gained = rows_[row_below_basis_].steps - rows_[in_basis].steps;
    if (gained > 0) {
      std::swap(in_basis, row_below_basis_);
      steps_in_basis_ += gained;
      if (steps_in_basis_ == P) return;
    }
    Row& changed = rows_[row_below_basis_];
    add(changed, rows_[in_basis]);
    if (changed.leading == 0) step_to_nonzero(changed);
  }

  static void add(Row& to, const Row& from) {
    std::uint32_t* x = to.words.data() + to.position;
    const std::uint32_t* y = from.words.data() + from.position;
    for (int i = 0; i < added_words_; ++i) x[i] ^= y[i];
    to.leading ^= from.leading;
  }

  /// Steps until a leading bit is nonzero. Throws Error after P zero outputs, which a nonzero state
  /// of an irreducible recurrence never has.
  void step_to_nonzero(Row& stepped) {
    const int limit = stepped.steps + P;
    do {
      if (stepped.steps == limit) {
        throw Error("equidistribution cannot be computed",
                    "the characteristic polynomial is reducible",
                    "Use a twist coefficient that was proved irreducible.");
      }
      step(stepped);
    } while (stepped.leading == 0);
  }

  void step(Row& stepped) {
    if (stepped.position + n_ == capacity_) {
      std::copy_n(stepped.words.begin() + stepped.position, n_, stepped.words.begin());
      stepped.position = 0;
    }
    std::uint32_t* x = stepped.words.data() + stepped.position;
    const std::uint32_t y = (x[0] & shape_.upper_mask) | (x[1] & shape_.lower_mask);
    const std::uint32_t newest = x[shape_.m] ^ (y >> 1) ^ ((y & 1) * a_);
    x[n_] = newest;
    stepped.leading = tempered(newest) & leading_mask_;
    ++stepped.position;
    ++stepped.steps;
  }

  /// Tempers without the last shift. The last shift only maps the v leading bits one-to-one to v
  /// leading bits, which does not change k(v).
  std::uint32_t tempered(std::uint32_t x) const {
    x ^= x >> dcmt_shift_0;
    x ^= (x << dcmt_shift_b) & b_;
    x ^= (x << dcmt_shift_c) & c_;
    return x;
  }

  std::uint32_t a_;
  std::uint32_t b_ = 0;
  std::uint32_t c_ = 0;
  std::uint32_t leading_mask_ = 0;
  int steps_in_basis_ = 0;
  std::size_t row_below_basis_ = 0;      ///< index of the row being reduced
  std::array<std::size_t, 33> basis_{};  ///< entry i: index of the row whose pivot is leading bit i
  std::array<Row, 33> rows_;
};

/// Returns use(PivotReduction<P>&) for the shape's exponent P. Throws Error for exponents that are
/// not offered.
template <class F>
auto with_pivot_reduction(const DcmtShape& shape, std::uint32_t a, F&& use) {
  const auto with = [&]<int p>() {
    PivotReduction<p> reduction(a);
    return use(reduction);
  };
  const int exponent = offered_dcmt_shape(shape.p).p;
  if (exponent == 521) return with.template operator()<521>();
  if (exponent == 607) return with.template operator()<607>();
  if (exponent == 1279) return with.template operator()<1279>();
  return with.template operator()<2203>();
}

namespace {

/// Number of leading bits for which all best masks are kept: the Dynamic Creator's
/// LIMIT_V_BEST_OPT.
constexpr int exhaustive_bits = 15;

constexpr std::uint32_t leading_bit(int i) { return std::uint32_t{1} << (31 - i); }

/// Returns the masks to try for output bit v (0 is the most significant), given the masks for the
/// earlier bits. The masks are in the Dynamic Creator's order, which breaks ties. Bit v depends on
/// b_v, c_v and, if c_v is set, on b_{v+15}. If bit v - 15 used b_v, then b_v is already fixed.
std::vector<TemperingMasks> candidates_for_bit(int v, TemperingMasks masks) {
  const bool has_b = v + dcmt_shift_b < 32;
  const bool has_c = v + dcmt_shift_c < 32;
  const bool has_b_below = v + dcmt_shift_b + dcmt_shift_c < 32;
  const std::uint32_t here = leading_bit(v);
  const std::uint32_t below = has_c ? leading_bit(v + dcmt_shift_c) : 0;

  std::vector<TemperingMasks> candidates;
  for (int c_off = has_c ? 0 : 1; c_off < 2; ++c_off) {
    const std::uint32_t c = c_off == 0 ? masks.c | here : masks.c;
    const bool b_chosen = v >= dcmt_shift_c && (c & leading_bit(v - dcmt_shift_c)) != 0;
    for (int below_off = has_b_below && (c & here) != 0 ? 0 : 1; below_off < 2; ++below_off) {
      const std::uint32_t b_below = below_off == 0 ? below : 0;
      const std::uint32_t b_rest = (masks.b & ~here & ~below) | b_below;
      if (has_b && b_chosen) {
        candidates.push_back({b_rest | (masks.b & here), c});
        continue;
      }
      if (has_b) candidates.push_back({b_rest | here, c});
      candidates.push_back({b_rest, c});
    }
  }
  return candidates;
}

/// Returns all best masks for bits 0 .. v, each an extension of one of the `previous` masks for
/// bits 0 .. v - 1. The masks found last come first, as in the Dynamic Creator's list.
template <class Reduction>
std::vector<TemperingMasks> best_for_bit(Reduction& reduction, int v,
                                         const std::vector<TemperingMasks>& previous) {
  std::vector<TemperingMasks> best_masks;
  int best = -1;
  for (const TemperingMasks& masks : previous) {
    for (const TemperingMasks& candidate : candidates_for_bit(v, masks)) {
      const int dimension = reduction.dimension(candidate.b, candidate.c, v + 1);
      if (dimension < best) continue;
      if (dimension > best) best_masks.clear();
      best = dimension;
      best_masks.push_back(candidate);
    }
  }
  std::ranges::reverse(best_masks);
  return best_masks;
}

/// Returns the first of the best masks for bit v.
template <class Reduction>
TemperingMasks greedy_for_bit(Reduction& reduction, int v, TemperingMasks masks) {
  const std::vector<TemperingMasks> candidates = candidates_for_bit(v, masks);
  if (candidates.size() == 1) return candidates.front();
  int best = -1;
  for (const TemperingMasks& candidate : candidates) {
    const int dimension = reduction.dimension(candidate.b, candidate.c, v + 1);
    if (dimension <= best) continue;
    best = dimension;
    masks = candidate;
  }
  return masks;
}

}  // namespace

Equidistribution dimensions_of_equidistribution(const DcmtShape& shape, const DcmtSet& set) {
  return with_pivot_reduction(shape, set.a, [&set](auto& reduction) {
    Equidistribution k{};
    for (int v = 1; v <= 32; ++v) {
      k[static_cast<std::size_t>(v - 1)] =
          static_cast<std::uint32_t>(reduction.dimension(set.b, set.c, v));
    }
    return k;
  });
}

std::uint64_t total_defect(int p, const Equidistribution& k) {
  std::uint64_t defect = 0;
  for (std::size_t i = 0; i < k.size(); ++i) {
    defect += static_cast<std::uint64_t>(p) / (i + 1) - k[i];
  }
  return defect;
}

TemperingMasks find_tempering(const DcmtShape& shape, std::uint32_t a) {
  return with_pivot_reduction(shape, a, [](auto& reduction) {
    std::vector<TemperingMasks> best{{0, 0}};
    for (int v = 0; v < exhaustive_bits; ++v) best = best_for_bit(reduction, v, best);
    TemperingMasks masks = best.front();
    for (int v = exhaustive_bits; v < 32; ++v) masks = greedy_for_bit(reduction, v, masks);
    return masks;
  });
}

}  // namespace rivulet
