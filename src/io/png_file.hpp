// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/stop_signals.hpp"

namespace rivulet::io {

/// Whether this build has libpng.
extern const bool have_png;

/// A picture being written by one process under the name PATH.part; complete() gives it its name,
/// in place of an older PNG file but of nothing else. Without it nothing is left behind. Throws
/// Error, in builds without libpng always.
class PngFile {
 public:
  explicit PngFile(const std::string& path);
  ~PngFile();
  PngFile(const PngFile&) = delete;
  PngFile& operator=(const PngFile&) = delete;

  /// Grey values, row by row from the upper left one: less than 2^32 of them.
  void write(std::span<const std::uint8_t> grey, std::uint32_t width, std::uint32_t height);
  /// After write(). Nothing may follow.
  void complete();

 private:
  std::string path_;
  std::string part_;
  PartialFile partial_;
};

}  // namespace rivulet::io
