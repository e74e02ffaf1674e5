// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Peers on a CPU, each on one core: the standard library's twister; Random123, dSFMT and the GNU
// Scientific Library where CMake found them. Elsewhere than on a CPU or an NVIDIA GPU there are
// none.

#include "generators/peers.hpp"
#include "standard_peer.hpp"
#if RIVULET_HAVE_RANDOM123
#include "random123_peer.hpp"
#endif
#if RIVULET_HAVE_DSFMT
#include "dsfmt_peer.hpp"
#endif
#if RIVULET_HAVE_GSL
#include "gsl_peer.hpp"
#endif

namespace rivulet::peer {
std::vector<Peer> pi() {
  if (device_build) return {};
  std::vector<Peer> peers{{"std_mt19937_pi", standard_pi}};
#if RIVULET_HAVE_RANDOM123
  // One counter at a time, and as many as a loop of vectors likes.
  peers.push_back({"philox_pi_1", random123_pi<PhiloxBlock<1>>, "philox_pi*"});
  peers.push_back({"philox_pi_256", random123_pi<PhiloxBlock<256>>, "philox_pi*"});
#if R123_USE_AES_NI
  peers.push_back({"ars_pi", random123_pi<ArsBlock<256>>});
#endif
#endif
#if RIVULET_HAVE_DSFMT
  peers.push_back({"dsfmt_pi", dsfmt_pi});
#endif
  return peers;
}

std::vector<Peer> bulk() {
  if (device_build) return {};
  std::vector<Peer> peers{
      {"std_mt19937_uint32", [](benchmark::State& state) { standard_words(state, 1 << 26); }}};
#if RIVULET_HAVE_RANDOM123
  peers.push_back({"random123_philox_uint32", random123_bulk<PhiloxBlock<64>>});
#if R123_USE_AES_NI
  // So few that they stay in registers.
  peers.push_back({"random123_ars_uint32", random123_bulk<ArsBlock<8>>});
#endif
#endif
#if RIVULET_HAVE_DSFMT
  peers.push_back({"dsfmt_double", dsfmt_bulk});
#endif
  return peers;
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
