// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/equidistribution.hpp"

#include <vector>

#include "parameters/pivot_reduction.hpp"

namespace rivulet {
namespace {

/// How many leading bits keep all their best masks; the Dynamic Creator's LIMIT_V_BEST_OPT.
constexpr int exhaustive_bits = 15;

constexpr std::uint32_t leading_bit(int i) { return std::uint32_t{1} << (31 - i); }

/// The masks to try for output bit v (from 0, the most significant), given those of the bits before
/// it, in the Dynamic Creator's order, which decides between equally good ones. The bit sees b_v,
/// c_v and, where c_v is set, b_{v+15}; b_v is already chosen if bit v - 15 used it.
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

struct Choice {
  TemperingMasks masks;
  int dimension;
};

/// All best masks up to bit v, grown from all best masks up to bit v - 1. The last one found comes
/// first, as in the Dynamic Creator's list.
template <class Reduction>
std::vector<TemperingMasks> best_for_bit(Reduction& reduction, int v,
                                         const std::vector<TemperingMasks>& previous) {
  std::vector<Choice> choices;
  int best = -1;
  for (const TemperingMasks& masks : previous) {
    for (const TemperingMasks& candidate : candidates_for_bit(v, masks)) {
      const int dimension = reduction.dimension(candidate.b, candidate.c, v + 1);
      if (dimension < best) continue;
      best = dimension;
      choices.push_back({candidate, dimension});
    }
  }
  std::vector<TemperingMasks> kept;
  for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
    if (choice->dimension == best) kept.push_back(choice->masks);
  }
  return kept;
}

/// The first best masks for bit v.
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
