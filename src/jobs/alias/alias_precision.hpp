// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "rivulet/detail/alias_precision.hpp"

namespace rivulet {

using detail::AliasPrecision;

/// Weights become the probabilities that they ask for. `sum` is in units of 2^exponent, largest the
/// table's largest weight.
void ask_for(std::span<double> weights, double largest, Uint128 sum, int exponent);

/// From the probabilities of the layout's part. Collective.
AliasPrecision alias_precision(const io::Communicator& ranks, const AliasLayout& layout,
                               std::span<const double> asked, std::span<const double> drawn);

}  // namespace rivulet
