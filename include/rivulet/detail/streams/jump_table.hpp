// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Jump polynomials of several parameter sets, ready for the kernel that applies them: word w of
/// set j's polynomial, 32 coefficients with the lowest first, is bits[w * sets + j].
struct JumpTable {
  std::uint64_t sets = 0;
  std::vector<std::uint32_t> bits;

  static JumpTable zeros(int degree, std::uint64_t sets) {
    const auto words = static_cast<std::uint64_t>((degree + 31) / 32);
    return {sets, std::vector<std::uint32_t>(words * sets, 0)};
  }
  /// Each set writes a column of its own, so several threads may fill one table.
  void put(std::uint64_t set, const Gf2Polynomial& polynomial) {
    const std::uint64_t words = bits.size() / sets;
    for (std::uint64_t w = 0; w < words; ++w) bits[w * sets + set] = polynomial.half_word(w);
  }
};

/// The jumps that make the start states of a range. The streams of an index (SetsPlan::index_of)
/// are made from those of the index less its lowest set bit where the range has these, and from the
/// seeded states of their sets where it has not.
struct RangeJumps {
  /// Streams first .. last - 1 (global ids, all of one index) that start from seeded states, and
  /// the jump that they take from there: column j is that of the range's streams j, j + sets, ...;
  /// empty for the index 0.
  struct FromSeeds {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    JumpTable jump;
  };
  std::vector<FromSeeds> from_seeds;
  /// The jump of bit r of an index, likewise in columns, for streams that have another in the range
  /// 2^r indices before them.
  std::vector<JumpTable> of_bits;
};

namespace detail {

constexpr std::uint64_t lowest_bit(std::uint64_t i) { return i & (~i + 1); }

/// Adds the indices i <= last whose i less its lowest set bit lies before `first`: first itself and
/// what follows by adding that bit.
inline void add_heads(std::uint64_t first, std::uint64_t last,
                      std::vector<std::uint64_t>& indices) {
  for (std::uint64_t i = first; i <= last; i += lowest_bit(i)) {
    indices.push_back(i);
    if (i == 0) break;
  }
}

/// The streams of each index that have no other to start from. The range's first index may lack
/// streams, so those of the next one count as first ones too.
inline std::vector<RangeJumps::FromSeeds> seeded_streams(const SetsPlan& plan, StreamRange range) {
  const std::uint64_t end = range.first + range.count;
  const std::uint64_t first = plan.index_of(range.first);
  const std::uint64_t last = plan.index_of(end - 1);
  std::vector<std::uint64_t> indices;
  add_heads(first, last, indices);
  add_heads(first + 1, last, indices);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());

  std::vector<RangeJumps::FromSeeds> parts;
  for (const std::uint64_t i : indices) {
    const std::uint64_t begin = std::max(range.first, i * plan.sets());
    std::uint64_t upto = std::min(end, (i + 1) * plan.sets());
    // Those from there on have one in the range.
    if (i > 0) upto = std::min(upto, range.first + lowest_bit(i) * plan.sets());
    if (begin < upto) parts.push_back({begin, upto, {}});
  }
  return parts;
}

}  // namespace detail

/// Computes them on the threads of a host space; cost: some log2_jump squarings modulo the
/// characteristic polynomial of each set, nothing where every set has one stream.
template <class Host>
RangeJumps range_jumps(const Host& host, const SetsPlan& plan, StreamRange range) {
  RangeJumps jumps;
  if (range.count == 0) return jumps;
  const std::uint64_t columns = std::min(range.count, plan.sets());
  jumps.from_seeds = detail::seeded_streams(plan, range);
  for (auto& part : jumps.from_seeds) {
    if (plan.index_of(part.first) > 0) part.jump = JumpTable::zeros(plan.degree(), columns);
  }
  const auto bits = static_cast<std::size_t>(std::bit_width((range.count - 1) / plan.sets()));
  jumps.of_bits.assign(bits, JumpTable::zeros(plan.degree(), columns));
  const std::uint64_t farthest = plan.index_of(jumps.from_seeds.back().first);
  const std::uint64_t most = std::max(farthest, (std::uint64_t{1} << bits) - 1);
  if (most == 0) return jumps;

  for_each_on_host(host, "rivulet::jump_polynomials", columns, [&](std::size_t j) {
    const std::uint64_t last = range.first + j + (range.count - 1 - j) / columns * columns;
    if (plan.index_of(last) == 0) return;  // it starts at its seeded state
    const auto of_set = plan.jumps(plan.set_of(range.first + j), most);
    for (auto& part : jumps.from_seeds) {
      const std::uint64_t behind = (j + columns - (part.first - range.first) % columns) % columns;
      const bool has_column = behind < part.last - part.first;
      if (has_column && !part.jump.bits.empty()) {
        part.jump.put(j, of_set->of(plan.index_of(part.first)));
      }
    }
    for (unsigned r = 0; r < bits; ++r) jumps.of_bits[r].put(j, of_set->bit(r));
  });
  return jumps;
}

/// Jumps of steps, 2 * steps, 4 * steps, ..., `count` of them: column j is that of streams
/// first + j, first + j + sets, ...
template <class Host>
std::vector<JumpTable> doubling_jumps(const Host& host, const SetsPlan& plan, StreamRange range,
                                      Uint128 steps, unsigned count) {
  const std::uint64_t base = std::min(range.count, plan.sets());
  std::vector<JumpTable> tables(count, JumpTable::zeros(plan.degree(), base));
  for_each_on_host(host, "rivulet::jump_polynomials", base, [&](std::size_t j) {
    const auto powers =
        doubling_powers_of_t(steps, count, plan.polynomial(plan.set_of(range.first + j)));
    for (unsigned r = 0; r < count; ++r) tables[r].put(j, powers[r]);
  });
  return tables;
}

}  // namespace rivulet
