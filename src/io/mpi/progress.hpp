// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>

#include "io/mpi/communicator.hpp"
#include "io/mpi/timing.hpp"

namespace rivulet::io {

/// Options of Progress. The defaults of unset options depend on whether the descriptor is a
/// terminal.
struct ProgressOptions {
  int descriptor = STDERR_FILENO;
  std::optional<bool> terminal = std::nullopt;  ///< true for a bar, false for lines
  /// Seconds between two updates. The default is 0.2 for a bar and 60 for lines.
  std::optional<double> interval = std::nullopt;
  bool shown = true;
};

/// On root, shows the progress of a long run as a bar on a terminal, otherwise as a line per
/// minute. No-op on the other ranks. Local: no rank waits for another.
class Progress {
 public:
  /// `what` names the things that `total` and advance() count, such as "points" or "sets".
  Progress(const Communicator& communicator, std::uint64_t total, std::string what,
           const ProgressOptions& options = {});
  ~Progress();  ///< clears the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::uint64_t done);

 private:
  void show();

  int descriptor_;
  bool active_;
  bool terminal_;
  double interval_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::string what_;
  Stopwatch watch_;
  double last_shown_ = 0;
  std::size_t width_ = 0;
};

}  // namespace rivulet::io
