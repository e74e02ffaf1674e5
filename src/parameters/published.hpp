// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {

/// The 32 sets of p = 521, ids 0..31, printed in List 6.17 of the OpenCL Mersenne Twister program.
/// Their id is the low 6 bits of a only (published_id_mask).
const DcmtSets& published_dcmt521();

}  // namespace rivulet
