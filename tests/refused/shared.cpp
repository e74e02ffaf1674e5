// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: this generator has no streams by team, and so none that a team's warps share.

#include "rivulet/rivulet.hpp"

struct OpenShared {
  rivulet::Streams<rivulet::Lfsr113> streams;
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto shared = streams.open_shared(team);
    streams.close(team, shared);
  }
};

void open(const OpenShared& kernel) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), kernel); }
