// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// How the numbers of S streams form one sequence.
enum class Order {
  interleaved,  ///< number i is number i / S of stream i % S
  blocked       ///< within each run of B numbers, stream s fills the s-th share of B / S
};

}  // namespace rivulet
