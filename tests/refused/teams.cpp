// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: this generator has no streams by team.

#include "rivulet/rivulet.hpp"

struct OpenByTeam {
  rivulet::Streams<rivulet::HybridTausworthe> streams;
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto rng = streams.open(team);
    streams.close(team, rng);
  }
};

void open(const OpenByTeam& kernel) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), kernel); }
