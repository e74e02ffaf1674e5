// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A user-defined generator can be used like Rivulet's generators. Such a generator is a type with a
// name, and with a function that returns a stream's engine.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <rivulet/rivulet.hpp>

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) mixes the steps of a Weyl sequence. Here each
/// stream has its own increment.
struct SplitMix {
  static constexpr const char* name = "splitmix64";

  /// An engine is a uniform random bit generator. Its results are all integers from 0 to 2^b - 1,
  /// where b is 24, 32, 48 or 64. An engine must be trivially copyable, because Streams stores its
  /// bytes.
  class Engine {
   public:
    using result_type = std::uint64_t;
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

    KOKKOS_FUNCTION Engine(std::uint64_t state, std::uint64_t increment)
        : state_(state), increment_(increment | 1) {}  // an odd increment has period 2^64

    KOKKOS_FUNCTION std::uint64_t operator()() { return mix(state_ += increment_); }

    /// Optional. Streams::jump requires this function.
    KOKKOS_FUNCTION void discard(std::uint64_t count) { state_ += count * increment_; }

    KOKKOS_FUNCTION static std::uint64_t mix(std::uint64_t z) {
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      return z ^ (z >> 31);
    }

   private:
    std::uint64_t state_;
    std::uint64_t increment_;
  };

  /// Returns the engine of stream `stream` of a seed. Can be called in kernels and on the host.
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // 2^64 / the golden ratio
    const std::uint64_t start = Engine::mix(seed + golden) + stream;
    return Engine(Engine::mix(start), Engine::mix(start ^ golden));
  }
};
static_assert(rivulet::OwnGenerator<SplitMix>);

namespace {

constexpr std::uint64_t players = 100000;
constexpr int throws = 60;

/// Counts sixes. The kernel constructs each player's stream in place.
std::uint64_t sixes_in_place() {
  std::uint64_t sixes = 0;
  Kokkos::parallel_reduce(
      "dice", players,
      KOKKOS_LAMBDA(const std::uint64_t player, std::uint64_t& sum) {
        rivulet::Stream<SplitMix> rng(42, player);
        const rivulet::Below die(6);
        for (int i = 0; i < throws; ++i) sum += die(rng) == 5 ? 1 : 0;
      },
      sixes);
  return sixes;
}

/// Counts sixes with streams in memory. Each kernel throws ten times per player, and continues
/// where the last kernel stopped.
std::uint64_t sixes_by_streams() {
  const Kokkos::DefaultExecutionSpace exec;
  const rivulet::Streams<SplitMix> streams(exec, {.count = players, .seed = 42});
  std::uint64_t sixes = 0;
  for (int round = 0; round < throws / 10; ++round) {
    std::uint64_t round_sixes = 0;
    Kokkos::parallel_reduce(
        "ten_throws", players,
        KOKKOS_LAMBDA(const std::uint64_t player, std::uint64_t& sum) {
          auto rng = streams.open(player);
          const rivulet::Below die(6);
          for (int i = 0; i < 10; ++i) sum += die(rng) == 5 ? 1 : 0;
          streams.close(player, rng);
        },
        round_sixes);
    sixes += round_sixes;
  }
  return sixes;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::uint64_t in_place = sixes_in_place();
  const std::uint64_t by_streams = sixes_by_streams();
  std::printf("sixes %llu\n", static_cast<unsigned long long>(in_place));
  std::printf("the same by streams in memory: %s\n", in_place == by_streams ? "yes" : "no");
  return in_place == by_streams ? 0 : 1;
}
