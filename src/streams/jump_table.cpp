// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/jump_table.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t lowest_bit(std::uint64_t i) { return i & (~i + 1); }

JumpTable empty_table(int p, std::uint64_t sets) {
  const auto words = static_cast<std::uint64_t>((p + 31) / 32);
  return {sets, std::vector<std::uint32_t>(words * sets, 0)};
}

/// Each set writes a column of its own, so several threads may fill one table.
void put(JumpTable& table, std::uint64_t set, const Gf2Polynomial& polynomial) {
  const std::uint64_t rows = table.bits.size() / table.sets;
  for (std::uint64_t row = 0; row < rows; ++row) {
    table.bits[row * table.sets + set] = polynomial.half_word(row);
  }
}

/// The indices i of a range whose i less its lowest set bit lies before `first`: first itself and
/// what follows by adding that bit.
std::vector<std::uint64_t> heads(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> indices;
  for (std::uint64_t i = first; i <= last; i += lowest_bit(i)) {
    indices.push_back(i);
    if (i == 0) break;
  }
  return indices;
}

/// The streams of each index that have no other to start from. The range's first index may lack
/// streams, so those of the next one count as first ones too.
std::vector<RangeJumps::FromSeeds> seeded_streams(const SetsPlan& plan, StreamRange range) {
  const std::uint64_t end = range.first + range.count;
  const std::uint64_t first = plan.index_of(range.first);
  const std::uint64_t last = plan.index_of(end - 1);
  std::vector<std::uint64_t> indices = heads(first, last);
  std::ranges::copy(heads(first + 1, last), std::back_inserter(indices));
  std::ranges::sort(indices);
  const auto twice = std::ranges::unique(indices);
  indices.erase(twice.begin(), twice.end());

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

}  // namespace

RangeJumps range_jumps(const SetsPlan& plan, StreamRange range) {
  RangeJumps jumps;
  if (range.count == 0) return jumps;
  const std::uint64_t columns = std::min(range.count, plan.sets());
  jumps.from_seeds = seeded_streams(plan, range);
  for (auto& part : jumps.from_seeds) {
    if (plan.index_of(part.first) > 0) part.jump = empty_table(plan.degree(), columns);
  }
  const auto bits = static_cast<std::size_t>(std::bit_width((range.count - 1) / plan.sets()));
  jumps.of_bits.assign(bits, empty_table(plan.degree(), columns));
  const std::uint64_t farthest = plan.index_of(jumps.from_seeds.back().first);
  const std::uint64_t most = std::max(farthest, (std::uint64_t{1} << bits) - 1);
  if (most == 0) return jumps;

  for_each_on_host("rivulet::jump_polynomials", columns, [&](std::size_t j) {
    const std::uint64_t last = range.first + j + (range.count - 1 - j) / columns * columns;
    if (plan.index_of(last) == 0) return;  // it starts at its seeded state
    const auto of_set = plan.jumps(plan.set_of(range.first + j), most);
    for (auto& part : jumps.from_seeds) {
      const std::uint64_t behind = (j + columns - (part.first - range.first) % columns) % columns;
      const bool has_column = behind < part.last - part.first;
      if (has_column && !part.jump.bits.empty()) {
        put(part.jump, j, of_set->of(plan.index_of(part.first)));
      }
    }
    for (unsigned r = 0; r < bits; ++r) put(jumps.of_bits[r], j, of_set->bit(r));
  });
  return jumps;
}

JumpTable common_jump(const SetsPlan& plan, StreamRange range, Uint128 steps) {
  return doubling_jumps(plan, range, steps, 1).front();
}

std::vector<JumpTable> doubling_jumps(const SetsPlan& plan, StreamRange range, Uint128 steps,
                                      unsigned count) {
  const std::uint64_t base = std::min(range.count, plan.sets());
  std::vector<JumpTable> tables(count, empty_table(plan.degree(), base));
  for_each_on_host("rivulet::jump_polynomials", base, [&](std::size_t j) {
    const auto powers =
        doubling_powers_of_t(steps, count, plan.polynomial(plan.set_of(range.first + j)));
    for (unsigned r = 0; r < count; ++r) put(tables[r], j, powers[r]);
  });
  return tables;
}

}  // namespace rivulet
