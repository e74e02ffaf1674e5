// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/job.hpp"

#include <fmt/format.h>

#include "io/words/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

const std::vector<JobEntry>& jobs() {
  static const std::vector<JobEntry> list {
    {"pi", "Monte Carlo estimate of pi: points in a quarter circle, counted exactly", make_pi_job},
        {"fill", "random numbers in bulk: to memory, to an HDF5 dataset, or raw (`rivulet stream`)",
         make_fill_job},
        {"alias",
         "samples of a table of weights in any number of dimensions, by Walker's alias method",
         make_alias_job},
        {"correlate", "correlations of streams with themselves, or with each other, at many lags",
         make_correlate_job},
        {"occlusion", "ambient occlusion of a scene: rays that ask for numbers as they go",
         make_occlusion_job},
#if RIVULET_BATTERY
        {"battery", "statistical tests of streams: overlaps, relations, TestU01's batteries",
         make_battery_job},
#endif
        {"create", "creates parameter sets of Mersenne Twisters and proves them", make_create_job},
  };
  return list;
}

std::unique_ptr<Job> make_job(const std::string& name, const std::string& place) {
  if (name == "sweep") {
    throw Error(
        place + ": job 'sweep' was removed", "earlier versions of Rivulet had it",
        "Use `scripts/bench --only sweep` in a clone, which builds a benchmark and runs its "
        "grid.");
  }
  if (name == "battery" && !RIVULET_BATTERY) {
    throw Error(place + ": this build has no job 'battery'",
                "it was configured with RIVULET_BATTERY=OFF",
                "Configure Rivulet with -DRIVULET_BATTERY=ON.");
  }
  std::string list;
  std::vector<std::string> names;
  for (const JobEntry& entry : jobs()) {
    if (entry.name == name) return entry.make();
    list += (list.empty() ? "" : ", ") + entry.name;
    names.push_back(entry.name);
  }
  throw Error(place + ": unknown job '" + name + "'", "jobs: " + list,
              io::did_you_mean(name, names, "`rivulet --list` describes them."));
}

std::string ExpectedDigest::remark(const std::string& found) const {
  if (!changed.empty()) return fmt::format("(not compared: {} was given)", changed);
  if (digest.empty()) return "";
  return found == digest ? "(as expected)" : "(NOT as expected)";
}

int ExpectedDigest::status_of(const std::string& found, const io::Communicator& ranks) const {
  if (digest.empty() || found == digest) return 0;
  if (ranks.is_root()) {
    const Error unexpected(
        fmt::format("the digest is {}, not {} as output.expect says", found, digest),
        "the deck was changed, or this machine or build gives wrong results",
        "Remove output.expect if you changed the deck; otherwise do not trust this run.");
    io::write_message(fmt::format("rivulet: {}\n", unexpected.what()));
  }
  return unexpected_status;
}

}  // namespace rivulet
