// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "jobs/merge/results_part.hpp"

namespace rivulet {

/// Throws Error, with the first key that differs, unless the two decks differ only in which of the
/// family's streams they draw, in where they write, and in keys that do not change results: those
/// given, and how streams meet hardware. Compares also what the streams were made of, such as the
/// contents of a parameter file.
void require_same_deck(const ResultsPart& one, const ResultsPart& other,
                       const std::vector<std::string>& free_keys);

/// The resolved deck of a single run with all parts' streams.
std::string merged_deck(const std::vector<ResultsPart>& parts, const std::string& output);

}  // namespace rivulet
