// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/sweep/sweep_options.hpp"

#include "streams/ranmar_plan.hpp"

namespace rivulet {

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
          "Times RANMAR through the library's buffered and unbuffered interfaces against the "
          "sequential generator.",
          {{"sweep", "What is varied.", bind}, checkpoint.schema(), output.schema()}};
}

}  // namespace rivulet
