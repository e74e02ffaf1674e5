// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "io/deck/deck.hpp"
#include "io/mpi/communicator.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/run_options.hpp"

namespace rivulet::test {

/// Checks and runs a job on a deck (YAML), as the program does. Returns its report on root.
inline std::string report_of(Job& job, const std::string& deck,
                             const io::Communicator& communicator = io::Communicator::self()) {
  io::Deck::parse(deck, "deck").read_into(job.schema());
  job.check(communicator);
  std::ostringstream text;
  io::Report report(communicator, text);
  io::PhaseTimer timer;
  JobContext context{communicator, report, timer, job.output().file, io::resolved(job.schema())};
  job.run(context);
  return text.str();
}

inline std::vector<std::string> lines_of(const std::string& report) {
  std::vector<std::string> lines;
  std::istringstream text(report);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace rivulet::test
