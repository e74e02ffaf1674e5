// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: an engine without discard() cannot jump.

#include "../unit/library_own_generators.hpp"

void jump(const rivulet::Streams<rivulet::Padded24>& streams) {
  streams.jump(Kokkos::DefaultExecutionSpace(), 7);
}
