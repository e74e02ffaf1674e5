// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "kernels/alias/alias_sampler.hpp"
#include "sampling/wide_alias.hpp"

namespace rivulet {

/// make_alias_sampler of a table with wide buckets. Sample i of a stream is made of its words
/// 3 L i .. 3 L (i + 1) - 1, L levels. Words go through memory, so that there is one kernel for all
/// generators and mappings.
std::unique_ptr<AliasSampler> make_wide_alias_sampler(const Space& space, const StreamPlan& plan,
                                                      StreamRange range,
                                                      const WideAliasTable& table,
                                                      const AliasMapping& mapping = {});

}  // namespace rivulet
