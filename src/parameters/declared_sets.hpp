// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/results/result_tree.hpp"
#include "parameters/parameter_file.hpp"

namespace rivulet {

/// Declares what a parameter file holds in its root; all ranks call it with equal arguments.
void declare_sets(io::Results& out, const DcmtSets& sets, std::span<const SetFigures> figures,
                  std::uint64_t seed, const std::string& candidates);

}  // namespace rivulet
