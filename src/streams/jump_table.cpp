// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/jump_table.hpp"

#include <algorithm>
#include <bit>

#include "algebra/gf2_polynomial.hpp"
#include "host_parallel.hpp"

namespace rivulet {
namespace {

JumpTable empty_table(int p, std::uint64_t sets) {
  const auto words = static_cast<std::uint64_t>((p + 31) / 32);
  return {sets, std::vector<std::uint32_t>(words * sets, 0)};
}

/// Each set writes a column of its own, so several threads may fill one table.
void put(JumpTable& table, std::uint64_t set, const Gf2Polynomial& polynomial) {
  const std::uint64_t rows = table.bits.size() / table.sets;
  const auto& words = polynomial.words();
  for (std::uint64_t row = 0; row < rows && row / 2 < words.size(); ++row) {
    const std::uint64_t half = words[row / 2] >> (row % 2 * 32);
    table.bits[row * table.sets + set] = static_cast<std::uint32_t>(half);
  }
}

}  // namespace

BlockJumps block_jumps(const DcmtPlan& plan, StreamBlock block) {
  const DcmtSets& sets = plan.parameter_sets();
  BlockJumps jumps;
  if (block.count == 0) return jumps;
  jumps.base = std::min(block.count, plan.sets());
  const std::uint64_t last_base = block.first + jumps.base - 1;
  const std::uint64_t last_round = (block.count - 1) / plan.sets();
  const bool starts_move = plan.jump_of(last_base) > 0;
  if (!starts_move && last_round == 0) return jumps;

  if (starts_move) jumps.start = empty_table(sets.p, jumps.base);
  jumps.doublings.assign(static_cast<std::size_t>(std::bit_width(last_round)),
                         empty_table(sets.p, jumps.base));
  const std::uint64_t highest_doubling = last_round == 0 ? 0 : std::bit_floor(last_round);
  const std::uint64_t highest = std::max(plan.jump_of(last_base), highest_doubling);
  const DcmtShape shape = dcmt_shape(sets.p);
  for_each_on_host("rivulet::jump_polynomials", jumps.base, [&](std::size_t j) {
    const std::uint64_t stream = block.first + j;
    const DcmtSet& set = sets.sets[plan.set_of(stream)];
    const JumpPolynomials of_set(dcmt_characteristic_polynomial(shape, set.a),
                                 static_cast<unsigned>(plan.request().log2_jump), highest);
    if (starts_move) put(jumps.start, j, of_set.of(plan.jump_of(stream)));
    for (unsigned b = 0; b < jumps.doublings.size(); ++b) {
      put(jumps.doublings[b], j, of_set.doubling(b));
    }
  });
  return jumps;
}

JumpTable common_jump(const DcmtPlan& plan, StreamBlock block, Uint128 steps) {
  const DcmtSets& sets = plan.parameter_sets();
  const std::uint64_t base = std::min(block.count, plan.sets());
  JumpTable table = empty_table(sets.p, base);
  const DcmtShape shape = dcmt_shape(sets.p);
  for_each_on_host("rivulet::jump_polynomials", base, [&](std::size_t j) {
    const DcmtSet& set = sets.sets[plan.set_of(block.first + j)];
    put(table, j, power_of_t(steps, dcmt_characteristic_polynomial(shape, set.a)));
  });
  return table;
}

}  // namespace rivulet
