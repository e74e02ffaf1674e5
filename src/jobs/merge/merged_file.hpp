// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "jobs/merge/results_part.hpp"

namespace rivulet {

/// Writes a dataset over streams, with its description and unit: every part's rows, one part after
/// the other. Holds one part's at a time.
void join_rows(io::ResultsFile& file, const std::vector<ResultsPart>& parts,
               const std::string& path);

/// Writes the attributes of an object of the first part, but for some.
void copy_attributes(io::ResultsFile& file, const ResultsPart& part, const std::string& object,
                     const std::vector<std::string>& except);

/// Writes /config with the merged deck, /streams and /timing. The figure of merit is the parts'
/// sum: what they give together where they run side by side.
void write_common(io::ResultsFile& file, const std::vector<ResultsPart>& parts,
                  const std::string& deck);

/// Of all parts together, and its unit.
struct FigureOfMerit {
  double value = 0;
  std::string unit;
};
FigureOfMerit figure_of_merit(const std::vector<ResultsPart>& parts);

}  // namespace rivulet
