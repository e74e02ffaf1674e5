// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/fill/fill_order.hpp"

#include <algorithm>

namespace rivulet {

std::uint64_t FillOrder::count(std::uint64_t stream) const {
  if (in_shares()) return numbers / streams + (stream < numbers % streams ? 1 : 0);
  const std::uint64_t rest = numbers % cycle();
  const std::uint64_t before = stream * run;
  return numbers / cycle() * run + (rest > before ? std::min(rest - before, run) : 0);
}

std::uint64_t FillOrder::count(StreamRange range) const {
  // Numbers of the streams before one in an incomplete last cycle or share.
  const auto before = [&](std::uint64_t rest, std::uint64_t stream, std::uint64_t each) {
    return std::min(rest, stream * each);
  };
  const std::uint64_t cycle_length = in_shares() ? streams : cycle();
  const std::uint64_t each = in_shares() ? 1 : run;
  const std::uint64_t rest = numbers % cycle_length;
  return numbers / cycle_length * each * range.count +
         before(rest, range.first + range.count, each) - before(rest, range.first, each);
}

std::uint64_t FillOrder::place(std::uint64_t stream, std::uint64_t i) const {
  if (in_shares()) {
    return stream * (numbers / streams) + std::min(stream, numbers % streams) + i;
  }
  return i / run * cycle() + stream * run + i % run;
}

std::vector<FillRange> fill_stages(const FillOrder& order, StreamRange range) {
  // Of the streams 0 .. upto-1, the number within the range.
  const auto local = [&](std::uint64_t upto) {
    return std::clamp(upto, range.first, range.first + range.count) - range.first;
  };
  std::vector<FillRange> stages;
  if (order.in_shares()) {
    const std::uint64_t least = order.numbers / order.streams;
    stages = {{range.count, 0, least}, {local(order.numbers % order.streams), least, least + 1}};
  } else {
    const std::uint64_t whole = order.numbers / order.cycle() * order.run;
    const std::uint64_t rest = order.numbers % order.cycle();
    const std::uint64_t full_runs = rest / order.run;
    const std::uint64_t cut = whole + rest % order.run;  // where the array's last run ends
    stages = {{range.count, 0, whole},
              {local(full_runs + 1), whole, cut},
              {local(full_runs), cut, whole + order.run}};
  }
  std::erase_if(stages,
                [](const FillRange& one) { return one.streams == 0 || one.begin == one.end; });
  return stages;
}

std::vector<FillRange> part_of(std::vector<FillRange> stages, std::uint64_t begin,
                               std::uint64_t end) {
  for (FillRange& one : stages) {
    one.begin = std::max(one.begin, begin);
    one.end = std::min(one.end, end);
  }
  std::erase_if(stages, [](const FillRange& one) { return one.begin >= one.end; });
  return stages;
}

}  // namespace rivulet
