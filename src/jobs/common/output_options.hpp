// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"
#include "io/results/results_file.hpp"

namespace rivulet {

/// The deck's section `output` of jobs that write results.
struct OutputOptions {
  std::string file;  ///< empty for none
  io::ChunkLayout layout = {};

  io::SectionSchema schema();
  /// Throws Error for chunks that cannot begin where they are asked to.
  void check() const;
};

}  // namespace rivulet
