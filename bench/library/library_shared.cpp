// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers on demand: words a second that the warps of teams take, K = 1, 4 and 10 at a time, with
// nothing else to do, and with 200 and 2000 dependent instructions between takes, where the same
// work without takes says what these cost. Usage: library_shared [TEAMS [REPETITIONS]].
// OMP_NUM_THREADS=1 for one core.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

#include "timing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Team = Kokkos::TeamPolicy<Exec>::member_type;

constexpr int warps = 8;
/// Blocks of 32 numbers that each warp takes.
constexpr int blocks = 1000;

/// Without takes: what the work costs alone.
template <class G, int K, bool takes>
struct Take {
  Streams<G> streams;
  int work;  ///< instructions between takes
  std::uint32_t impossible;
  Kokkos::View<std::uint32_t, Exec> sink;

  /// One after the other, of two instructions each.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t worked(std::uint32_t x) const {
    for (int i = 0; i < work; i += 2) x = (x ^ (x >> 3)) + 0x9e3779b9u;
    return x;
  }
  template <class Numbers>
  KOKKOS_FORCEINLINE_FUNCTION void use(const Team& team, const Numbers& numbers,
                                       std::uint32_t& sum) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
      for (int k = 0; k < K; ++k) sum ^= static_cast<std::uint32_t>(numbers(lane, k));
      sum = worked(sum);
    });
  }
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    std::uint32_t sum = 0;
    if constexpr (takes) {
      auto shared = streams.open_shared(team);
      for (int turn = 0; turn < turns(team); ++turn) use(team, shared.template take<K>(), sum);
      streams.close(team, shared);
    } else {
      for (int turn = 0; turn < turns(team); ++turn) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int) { sum = worked(sum); });
      }
    }
    if (sum == impossible) sink() = sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int turns(const Team& team) {
    return blocks / K * (team.team_size() == 1 ? warps : 1);
  }
};

struct Cases {
  std::vector<timing::Case> cases;
  std::vector<double> words;

  template <class G, int K, bool takes>
  void add(const Streams<G>& streams, const char* name, int work) {
    const Take<G, K, takes> take{streams, work, 12345, Kokkos::View<std::uint32_t, Exec>("sink")};
    const auto policy = streams.shared_policy(Exec(), warps);
    cases.push_back({std::string(streams.name()) + ", " + name + ", K " + std::to_string(K) + ", " +
                         std::to_string(work) + " instructions between",
                     [=] { Kokkos::parallel_for("take", policy, take); }});
    words.push_back(32.0 * (blocks / K * K) * warps * static_cast<double>(streams.count()));
  }
  template <class G, int K>
  void add_both(const Streams<G>& streams, int work) {
    add<G, K, true>(streams, "on demand", work);
    if (work > 0) add<G, K, false>(streams, "the work alone", work);
  }
  template <class G>
  void add(std::uint64_t teams) {
    const Streams<G> streams({.count = teams, .seed = 42});
    add_both<G, 1>(streams, 0);
    add_both<G, 4>(streams, 0);
    add_both<G, 10>(streams, 0);
    add_both<G, 1>(streams, 200);
    add_both<G, 1>(streams, 2000);
  }
};

void run(std::uint64_t teams, int repetitions) {
  Cases all;
  all.add<Philox4x32>(teams);
  all.add<Mt19937>(teams);
  all.add<Mtgp11213>(teams);
  all.add<Dcmt521>(teams);
  all.add<Ranmar24>(teams);
  timing::measure(all.cases, repetitions);
  std::printf("%-64s %14s %12s\n", "", "G words/s", "ms");
  for (std::size_t i = 0; i < all.cases.size(); ++i) {
    const double seconds = all.cases[i].median();
    std::printf("%-64s %14.3f %12.3f\n", all.cases[i].name.c_str(), all.words[i] / seconds / 1e9,
                1e3 * seconds);
  }
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // Six times as many teams as an H200 has room for at once (132 multiprocessors of 8), so that it
  // matters little that fewer fit where a kernel needs many registers.
  const std::uint64_t teams = rivulet::device_build ? 6336 : 16;
  rivulet::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : teams,
               argc > 2 ? std::max(1, std::atoi(argv[2])) : 9);
}
