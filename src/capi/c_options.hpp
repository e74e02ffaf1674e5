// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "capi/rivulet.h"
#include "sequences/sequence_options.hpp"

namespace rivulet::capi {

rivulet_options default_options();

/// The options that the caller gave, or the defaults for a null pointer. Throws SequenceError
/// (option, seed, out_of_range) for unknown enumerators and negative numbers.
SequenceOptions sequence_options(const rivulet_options* given);

}  // namespace rivulet::capi
