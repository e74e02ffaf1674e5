// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: this generator has no streams by team, so that there is no policy for any.

#include "rivulet/rivulet.hpp"

Kokkos::TeamPolicy<> policy(const rivulet::Streams<rivulet::Lfsr113>& streams) {
  return streams.team_policy(Kokkos::DefaultExecutionSpace());
}
