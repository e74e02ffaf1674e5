// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/short_waits.hpp"

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <alloca.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <string_view>
#endif

namespace rivulet {

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)

void wait_shortly(char** argv, char** environment) {
  // Without a loader's base the loader itself was called, with the program as its argument.
  if (getauxval(AT_BASE) == 0) return;
  std::size_t variables = 0;
  for (; environment[variables] != nullptr; ++variables) {
    const std::string_view one = environment[variables];
    if (one.starts_with("GOMP_SPINCOUNT=") || one.starts_with("OMP_WAIT_POLICY=")) return;
  }
  static char spins[] = "GOMP_SPINCOUNT=1000";
  auto** const with_spins = static_cast<char**>(alloca((variables + 2) * sizeof(char*)));
  std::copy_n(environment, variables, with_spins);
  with_spins[variables] = spins;
  with_spins[variables + 1] = nullptr;
  // By its own path, after which the process is named. Where that fails, the program goes on as it
  // is.
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) > 0) execve(path, argv, with_spins);
}

#else

void wait_shortly(char**, char**) {}

#endif

}  // namespace rivulet
