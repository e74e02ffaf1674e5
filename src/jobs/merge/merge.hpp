// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/terminal/report.hpp"

namespace rivulet {

/// `rivulet merge`: merges the results of several runs that drew different streams of one family
/// (streams.first, streams.of) with otherwise equal decks. Its digest is that of a single run with
/// all these streams. Throws Error for files that do not fit together, and then leaves no output
/// behind.
void merge_results(const io::Communicator& world, const std::vector<std::string>& inputs,
                   const std::string& output, io::Report& report);

}  // namespace rivulet
