// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"
#include "io/results/results_file.hpp"

namespace rivulet {

/// The deck's section `output` of jobs that write results.
struct OutputOptions {
  std::string file;         ///< empty for none
  std::string expect = {};  ///< digest of a correct run; empty for none
  io::ChunkLayout layout = {};

  void bind_expect(io::Binder& binder);
  io::SectionSchema schema();
  /// Throws Error if the alignment is not a power of two, or exceeds the chunk size.
  void check() const;
};

struct CheckpointOptions {
  std::string file;    ///< empty for no checkpoints
  double every = 600;  ///< seconds between checkpoints
  std::string signals = "SIGTERM SIGINT SIGUSR1 SIGUSR2 SIGXCPU";
  bool keep = false;

  io::SectionSchema schema();
  bool enabled() const { return !file.empty(); }
};

}  // namespace rivulet
