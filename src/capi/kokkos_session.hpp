// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet::capi {

/// Initializes Kokkos unless the program has. Throws SequenceError: ended if Kokkos has been
/// finalized, kokkos if it cannot start.
void start_kokkos();

/// Destroys all sequences, and finalizes Kokkos if start_kokkos() initialized it. Throws
/// SequenceError (kokkos), with all sequences alive, if it cannot end here.
void finish_kokkos();

}  // namespace rivulet::capi
