// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <rivulet/parameters/published.hpp>
#include <rivulet/rng/dcmt.hpp>
#include <rivulet/rng/mt_init.hpp>
#include <rivulet/version.hpp>

// An engine of the headers, with parameters that the library holds: both are the installed ones.
int main() {
  const rivulet::DcmtSet& set = rivulet::published_dcmt521().sets.at(0);
  rivulet::Dcmt<521>::State state;
  rivulet::init_genrand(state.x, rivulet::Dcmt<521>::State::words, 5489);
  rivulet::Dcmt<521> engine({set.a, set.b, set.c}, state);

  const std::uint32_t expected = 3023362024u;  // tests/data/dc_p521_seed000_32sets.json, set 0
  const std::uint32_t word = engine();
  std::printf("Rivulet %s (%s): first word %u, expected %u\n", rivulet::version, rivulet::git_hash,
              word, expected);
  return word == expected ? 0 : 1;
}
