// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define RIVULET_FUSING(name) name##_without_fusing
#include "distribution_bits_fused.cpp"
