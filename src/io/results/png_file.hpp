// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/mpi/communicator.hpp"
#include "io/outputs/output_claim.hpp"

namespace rivulet::io {

/// Whether this build has libpng.
extern const bool have_png;

/// A picture being written by root, and by no other run, under a name of its own
/// (io/outputs/output_claim.hpp); complete() gives it PATH, in place of an older PNG file but of
/// nothing else. Without it nothing is left behind. Throws Error, in builds without libpng always.
/// Collective but for write().
class PngFile {
 public:
  PngFile(const Communicator& communicator, const std::string& path);

  /// Grey values, row by row from the upper left one: less than 2^32 of them. Root's alone.
  void write(std::span<const std::uint8_t> grey, std::uint32_t width, std::uint32_t height);
  /// After write(). Nothing may follow.
  void complete();

 private:
  std::string path_;
  std::optional<OutputClaim> claim_;
};

}  // namespace rivulet::io
