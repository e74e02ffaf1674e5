// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Peers on a CPU, each on one core: the standard library's twister; Random123 and the GNU
// Scientific Library where CMake found them. Elsewhere than on a CPU or an NVIDIA GPU there are
// none.

#include <random>

#include "generators/peers.hpp"
#include "kernels/pi/pi_point.hpp"
#include "standard_peer.hpp"
#if RIVULET_HAVE_RANDOM123
#include <Random123/philox.h>
#endif
#if RIVULET_HAVE_GSL
#include "gsl_peer.hpp"
#endif

namespace rivulet::peer {
namespace {

constexpr std::int64_t at_a_time = 1 << 22;

void standard_bulk(benchmark::State& state) {
  std::mt19937 generator;
  std::vector<std::uint32_t> words(std::size_t{1} << 26);
  for (auto _ : state) {
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(4 * words.size()));
}

#if RIVULET_HAVE_RANDOM123
void philox_pi(benchmark::State& state) {
  r123::Philox4x32 generator;
  const r123::Philox4x32::key_type key = {{1234, 0}};
  r123::Philox4x32::ctr_type counter = {{0, 0, 0, 0}};
  for (auto _ : state) {
    std::uint32_t hits = 0;
    for (std::int64_t i = 0; i < at_a_time / 4; ++i) {
      ++counter[0];
      for (const std::uint32_t word : generator(counter, key)) {
        PackedCentred::count(word, std::uint32_t{0}, hits);
      }
    }
    ++counter[1];
    benchmark::DoNotOptimize(hits);
  }
  state.SetItemsProcessed(state.iterations() * at_a_time);
}
#endif

}  // namespace

std::vector<Peer> pi() {
  if (device_build) return {};
  std::vector<Peer> peers{{"std_mt19937_pi", standard_pi}};
#if RIVULET_HAVE_RANDOM123
  peers.push_back({"philox_pi", philox_pi});
#endif
  return peers;
}

std::vector<Peer> bulk() {
  if (device_build) return {};
  return {{"std_mt19937_uint32", standard_bulk}};
}

std::vector<Peer> alias([[maybe_unused]] const std::vector<double>& weights) {
#if RIVULET_HAVE_GSL
  if (!device_build) {
    return {{"gsl_alias", [weights](benchmark::State& state) { gsl_sample(state, weights); }}};
  }
#endif
  return {};
}

std::vector<Peer> issue() { return {}; }

}  // namespace rivulet::peer
