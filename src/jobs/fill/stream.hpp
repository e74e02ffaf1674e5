// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>

#include "jobs/common/job.hpp"

namespace rivulet {

/// `rivulet stream`: writes the numbers of a fill deck to standard output, little-endian and raw;
/// without end, or, if `ends`, the first fill.numbers of them. run() returns when they are written
/// or the reader has closed the pipe. Throws Error for any job but fill.
std::unique_ptr<Job> make_stream_job(const std::string& job, const std::string& place, bool ends);

}  // namespace rivulet
