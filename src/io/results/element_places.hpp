// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/sealed_file.hpp"

namespace rivulet::io {

/// The attribute of a dataset whose elements are not under the file's seal (TableExtents::sealed).
inline constexpr const char* not_sealed = "not_sealed";

/// Where the elements of all datasets with that attribute lie in a complete HDF5 file without a
/// user block, ascending. What HDF5 cannot tell, or only in time that grows with the square of the
/// chunks (before 1.14), is read in the chunks' index itself; datasets stored in other ways than
/// Rivulet's are left out of the answer.
std::vector<Extent> places_of_unsealed_elements(const std::string& path);

}  // namespace rivulet::io
