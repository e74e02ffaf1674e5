// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rivulet::io {

/// A table of numbers that any program may have written. Local: root reads the table and broadcasts
/// it. Numbers of any type are converted to double. Every function throws Error on failure. The
/// class is abstract because jobs are compiled without HDF5's headers.
class WeightsFile {
 public:
  virtual ~WeightsFile() = default;

  /// Returns the extents. There is at least one, and any extent may be 0.
  virtual const std::vector<std::uint64_t>& extents() const = 0;
  /// Reads the elements whose first index is first .. first + rows - 1, in row-major order.
  virtual void read(std::uint64_t first, std::uint64_t rows, double* to) const = 0;
  /// Returns the elements of another dataset of the file, which must have one dimension.
  virtual std::vector<double> axis(const std::string& name) const = 0;
  /// Returns the attribute `unit` of a dataset, or "" if there is none or if it is not a string.
  virtual std::string unit(const std::string& name) const = 0;
};

/// Opens an HDF5 dataset with any number of dimensions. Its elements may be integers or reals of
/// any size.
std::unique_ptr<WeightsFile> open_weights(const std::string& path, const std::string& dataset);

}  // namespace rivulet::io
