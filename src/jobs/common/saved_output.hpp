// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "io/results/results_file.hpp"
#include "jobs/common/saved_run.hpp"

namespace rivulet {

/// Writes what a checkpoint must know of results that are written as they are drawn, after their
/// elements so far were brought to the disk. Collective.
void save_output(const io::Communicator& ranks, io::ResultsFile& checkpoint,
                 const io::ResultsFile& output);
/// What it wrote. Collective.
io::UnfinishedFile saved_output(const SavedRun& saved);

}  // namespace rivulet
