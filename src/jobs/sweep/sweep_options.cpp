// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/sweep/sweep_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

void require_distinct(const char* key, std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  const auto twice = std::ranges::adjacent_find(values);
  if (twice == values.end()) return;
  throw Error(fmt::format("sweep.{} names {} more than once", key, *twice),
              "the same case would be measured twice and reported as two", "Name each value once.");
}

}  // namespace

io::Schema SweepOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    binder.integer("numbers", numbers, {1000, 1000000000000000},
                   "numbers drawn in each measurement", "numbers");
    binder.integers("fetch", fetch, {1, 1000000000},
                    "numbers drawn at a time: the size of the buffer, or of an unbuffered call",
                    "numbers");
    binder.integers("instances", instances, {1, 100000},
                    "streams per sequence; each generates its share of a fetch", "streams");
    binder.integers("per_team", per_team, {1, 16},
                    "instances that share a team of threads (a block on a GPU)", "streams");
    binder.integer("call", call, {1, 1000000}, "numbers per buffered call", "numbers");
    binder.integer("ij", own.at(ij_option), {ij_option.least, ij_option.most},
                   "first published seed of instance 0");
    binder.integer("kl", own.at(kl_option), {kl_option.least, kl_option.most},
                   "second published seed of instance 0; the next instances count up");
  };
  return {"sweep",
          "Times RANMAR through the library's buffered and unbuffered interfaces, and the "
          "sequential generator.",
          {{"sweep", "The parameters.", bind}, checkpoint.schema(), output.schema()}};
}

void SweepOptions::check() const {
  require_distinct("fetch", fetch);
  require_distinct("instances", instances);
  require_distinct("per_team", per_team);
  const std::uint64_t most_instances = *std::ranges::max_element(instances);
  for (const std::uint64_t one : fetch) {
    if (one < most_instances) {
      throw Error(fmt::format("sweep.fetch={} for {} instances", one, most_instances),
                  "each instance makes its share of a fetch, which would be less than one number",
                  "Give a larger fetch or fewer instances.");
    }
    if (one < call) {
      throw Error(fmt::format("sweep.fetch={} for calls of {} numbers", one, call),
                  "a buffered call would ask for more than the buffer holds",
                  "Give a larger fetch or a smaller sweep.call.");
    }
  }
}

}  // namespace rivulet
