// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls, one a line, of functions that the other examples call within longer statements or not at
// all: the reference shows them.

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>
#include <rivulet/sobol.hpp>
#include <string>
#include <string_view>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using Team = Kokkos::TeamPolicy<Exec>::member_type;
using Words = Kokkos::View<std::uint64_t*, Exec>;

namespace {

constexpr std::uint64_t count = 10;

std::uint64_t sum_of(const Exec& exec, const Words& words) {
  std::uint64_t total = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Exec>(exec, 0, words.extent(0)),
      KOKKOS_LAMBDA(const int i, std::uint64_t& sum) { sum += words(i); }, total);
  return total;
}

void one_stream(std::uint64_t seed, std::uint64_t id) {
  rivulet::Stream<rivulet::Philox4x32> rng(seed, id);
  const rivulet::Uniform<double> uniform(-1, 1);
  const double x = uniform(rng);
  const rivulet::StandardUniform<double> standard;
  const double u = standard(rng);
  const rivulet::Below die(6);
  const std::uint64_t face = die(rng);
  const rivulet::Bernoulli coin(0.25);
  const bool is_head = coin(rng);
  const rivulet::Poisson poisson(100);
  const std::uint64_t photons = poisson(rng);
  const rivulet::Uniform<double, rivulet::Interval::open> inside;
  const double v = inside(rng);
  std::printf("%.4f %.4f %llu %d %llu %.4f\n", x, u, static_cast<unsigned long long>(face), is_head,
              static_cast<unsigned long long>(photons), v);

  rivulet::StreamKey key;
  const rivulet::KeyField<40> particle(7);
  key.particle = particle;
  rivulet::Stream<rivulet::Philox4x32> keyed(seed, key);
  const std::uint32_t word = keyed();
  const rivulet::Half half(0.1F);
  const float rounded = float(half);
  const rivulet::BFloat16 bfloat16(0.1F);
  const float coarse = float(bfloat16);
  std::printf("%08lx %.6f %.6f\n", static_cast<unsigned long>(word), static_cast<double>(rounded),
              static_cast<double>(coarse));
}

void permutation_and_table() {
  const rivulet::Permutation permutation(42, 3, 1000);
  const std::uint64_t size = permutation.size();
  const std::uint64_t place = permutation(17);
  const std::uint64_t back = permutation.inverse(place);
  std::printf("%llu places, back at %llu\n", static_cast<unsigned long long>(size),
              static_cast<unsigned long long>(back));
  const std::vector<double> weights = {1, 2, 3, 4};
  const rivulet::DiscreteTable<> table(weights);
  const std::uint32_t cells = table.cells();
  const int bits = table.bits();
  const double change = table.largest_change();
  std::printf("%u cells, %d bits, exact: %d\n", cells, bits, change < 1e-6);
}

void sobol_points() {
  const rivulet::Sobol<> sobol(8);
  const std::uint64_t dimensions = sobol.dimensions();
  const std::uint64_t seed = sobol.seed();
  const std::uint32_t word = sobol.word(1, 0);
  const rivulet::Sobol<> other = sobol.with_seed(7);
  std::printf("%llu dimensions, seeds %llu and %llu, unscrambled %08lx\n",
              static_cast<unsigned long long>(dimensions), static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(other.seed()), static_cast<unsigned long>(word));
  double scrambled = 0;
  Kokkos::parallel_reduce(
      "sobol", 1,
      KOKKOS_LAMBDA(const int, double& to) {
        const double x = sobol.uniform(1, 0);
        to += x;
      },
      scrambled);
  std::printf("scrambled %.4f\n", scrambled);
}

void child_of_a_stream(const rivulet::StreamsOptions& options) {
  const rivulet::Streams<rivulet::Philox4x32> streams(options);
  auto rng = streams.child(2, 0);
  const std::uint32_t first = rng();
  std::printf("child 0 of stream 7: %08lx\n", static_cast<unsigned long>(first));
}

void several_streams(const Exec& exec, const rivulet::StreamsOptions& options) {
  const rivulet::Streams<rivulet::Dcmt521> streams(exec, options);
  const std::string_view name = streams.name();
  const std::uint64_t number = streams.count();
  const std::uint64_t first = streams.first();
  const std::uint64_t seed = streams.seed();
  const std::uint64_t bytes = streams.bytes();
  const rivulet::Certificate certificate = streams.certificate();
  const std::vector<std::byte> saved = streams.save(exec);
  streams.restore(exec, saved);
  rivulet::Streams<rivulet::Dcmt521> later;
  later = streams;
  later.jump(exec, rivulet::Uint128{1} << 70);
  later.restart(exec);
  std::printf("%s: %llu streams from %llu on of seed %llu, %llu B, %zu reasons, saved: %d\n",
              std::string(name).c_str(), static_cast<unsigned long long>(number),
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(bytes), certificate.size(),
              static_cast<int>(!saved.empty()));

  const Words words("words", count);
  Kokkos::parallel_for(
      "with", Kokkos::RangePolicy<Exec>(exec, 0, count), KOKKOS_LAMBDA(const int i) {
        const auto s = static_cast<std::uint64_t>(i);
        streams.with(s, [&](auto& rng) { words(i) = rng(); });
      });
  std::printf("one of each stream: %llu\n", static_cast<unsigned long long>(sum_of(exec, words)));
}

// All threads of a team together; then its warps, each when it needs numbers.
void teams(const Exec& exec, const rivulet::StreamsOptions& options) {
  const rivulet::Streams<rivulet::Dcmt521> streams(exec, options);
  const Words words("words", count);
  const std::size_t scratch = streams.team_scratch_bytes();
  const std::size_t fill = streams.team_fill_bytes();
  const std::size_t shared_scratch = streams.shared_scratch_bytes();
  std::printf("scratch memory: %d\n", scratch > 0 && fill > 0 && shared_scratch > 0);

  const auto policy = streams.team_policy(exec);
  Kokkos::parallel_for(
      "each", policy, KOKKOS_LAMBDA(const Team& team) {
        auto rng = streams.open(team);
        std::uint64_t* const to = &words(team.league_rank());
        rng.each(team, 100,
                 [=](std::uint64_t i, std::uint32_t u) { Kokkos::atomic_add(to, i * u); });
        streams.close(team, rng);
      });
  std::printf("weighted sums: %llu\n", static_cast<unsigned long long>(sum_of(exec, words)));

  const int warps = 2;
  const auto shared_policy = streams.shared_policy(exec, warps);
  Kokkos::parallel_for(
      "on_demand", shared_policy, KOKKOS_LAMBDA(const Team& team) {
        const auto s = count - 1 - static_cast<std::uint64_t>(team.league_rank());
        auto shared = streams.open_shared(team, s, rivulet::on_demand{});
        for (int w = team.team_rank(); w < warps; w += team.team_size()) {
          const auto numbers = shared.take<1>();
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](const int lane) {
            const std::uint64_t number = numbers(lane);
            Kokkos::atomic_add(&words(static_cast<int>(s)), number);
          });
        }
        streams.close(team, shared);
      });
  std::printf("and of blocks: %llu\n", static_cast<unsigned long long>(sum_of(exec, words)));

  Kokkos::parallel_for(
      "engines", shared_policy, KOKKOS_LAMBDA(const Team& team) {
        auto shared = streams.open_shared(team);
        for (int w = team.team_rank(); w < warps; w += team.team_size()) {
          const auto numbers = shared.take<2>();
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](const int lane) {
            auto engine = numbers.engine(lane);
            const std::uint64_t index = numbers.index(lane, 1);
            Kokkos::atomic_add(&words(team.league_rank()), index * engine());
          });
        }
        streams.close(team, shared);
      });
  std::printf("and of indices: %llu\n", static_cast<unsigned long long>(sum_of(exec, words)));
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  const rivulet::StreamsOptions options{.count = count, .seed = 42, .first = 5};
  one_stream(42, 7);
  permutation_and_table();
  sobol_points();
  child_of_a_stream(options);
  several_streams(exec, options);
  teams(exec, options);
}
