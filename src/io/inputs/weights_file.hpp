// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rivulet::io {

/// A table of numbers that any program may have written, read by one process: root reads, and
/// broadcasts. Numbers of any type come as doubles. Everything throws Error. An interface, as jobs
/// are compiled without HDF5's headers.
class WeightsFile {
 public:
  virtual ~WeightsFile() = default;

  /// One extent or more; any may be 0.
  virtual const std::vector<std::uint64_t>& extents() const = 0;
  /// Elements of the indices first .. first + rows - 1 of the first dimension, the last dimension
  /// the fastest.
  virtual void read(std::uint64_t first, std::uint64_t rows, double* to) const = 0;
  /// Another dataset of the same file, of one dimension.
  virtual std::vector<double> axis(const std::string& name) const = 0;
  /// Its attribute `unit`; "" if it has none, or one that is not a text.
  virtual std::string unit(const std::string& name) const = 0;
};

/// A dataset of an HDF5 file, of integers or reals of any size and any number of dimensions.
std::unique_ptr<WeightsFile> open_weights(const std::string& path, const std::string& dataset);

}  // namespace rivulet::io
