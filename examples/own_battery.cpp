// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests a user-defined generator: the C standard's example of rand(), but with all 32 bits of the
// state as a result. The streams start from consecutive seeds. The example prints whether each
// p-value fails or passes.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/battery.hpp>

struct Ansi {
  static constexpr const char* name = "ansi";
  struct Engine {
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffffff; }
    KOKKOS_FUNCTION result_type operator()() { return state = state * 1103515245 + 12345; }
    result_type state;
  };
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    return {static_cast<std::uint32_t>(seed + stream)};
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const rivulet::Streams<Ansi> streams({.count = 1000, .seed = 42});
  for (const rivulet::BatteryPValue& one : rivulet::battery(streams, "small")) {
    std::printf("%-30s%s\n", one.name.c_str(), one.fails ? "fails" : "passes");
  }
}
