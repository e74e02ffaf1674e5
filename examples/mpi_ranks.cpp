// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each MPI rank draws from a range of the streams. The ranks need not communicate while they draw.
// The sum is the same for any number of ranks.

#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

namespace {

/// Draws `points` points in the unit square from each stream. Returns the number of points that lie
/// in the quarter circle.
std::uint64_t hits(const rivulet::Streams<rivulet::HybridTausworthe>& streams, int points) {
  std::uint64_t sum = 0;
  Kokkos::parallel_reduce(
      "hits", streams.count(),
      KOKKOS_LAMBDA(const std::uint64_t stream, std::uint64_t& inside) {
        auto rng = streams.open(stream);
        const rivulet::Uniform<float> coordinate;
        for (int i = 0; i < points; ++i) {
          // The squares of 24-bit numbers are exact in double, so all compilers round the same way.
          const double x = coordinate(rng);
          const double y = coordinate(rng);
          inside += x * x + y * y < 1 ? 1 : 0;
        }
        streams.close(stream, rng);
      },
      sum);
  return sum;
}

void run() {
  constexpr std::uint64_t total_streams = 10001;
  constexpr int points = 100;
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  // Stream s has the same numbers on every rank.
  const std::uint64_t first = total_streams * rank / ranks;
  const std::uint64_t end = total_streams * (rank + 1) / ranks;
  const rivulet::Streams<rivulet::HybridTausworthe> streams(
      {.count = end - first, .seed = 42, .first = first});

  const std::uint64_t local_hits = hits(streams, points);
  std::uint64_t sum = 0;
  MPI_Reduce(&local_hits, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("hits %llu of %llu\n", static_cast<unsigned long long>(sum),
              static_cast<unsigned long long>(total_streams * points));
  std::printf("pi %.6f\n", 4.0 * static_cast<double>(sum) / (total_streams * points));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);  // Kokkos must end before MPI
    run();
  }
  MPI_Finalize();
}
