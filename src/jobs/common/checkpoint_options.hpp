// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/deck/schema.hpp"

namespace rivulet {

/// The deck's section `checkpoint`.
struct CheckpointOptions {
  std::string file;    ///< empty for no checkpoints
  double every = 600;  ///< seconds between two of them
  std::string signals = "SIGTERM SIGINT SIGUSR1";
  bool keep = false;

  io::SectionSchema schema();
  bool asked() const { return !file.empty(); }
  /// Throws Error for signals that there are not.
  void check() const;
};

}  // namespace rivulet
