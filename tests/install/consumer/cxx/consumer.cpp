// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <rivulet/parameters/published.hpp>
#include <rivulet/rng/dcmt.hpp>
#include <rivulet/rng/mt_init.hpp>
#include <rivulet/rng/ranmar_seeding.hpp>
#include <rivulet/streams/ranmar_jump.hpp>
#include <rivulet/version.hpp>

namespace {

bool is_expected(const char* what, std::uint32_t word, std::uint32_t expected) {
  std::printf("%s: %u, expected %u\n", what, word, expected);
  return word == expected;
}

/// An engine of the headers, with parameters that the library holds: both are the installed ones.
bool first_word_of_a_twister() {
  const rivulet::DcmtSet& set = rivulet::published_dcmt521().sets.at(0);
  rivulet::Dcmt<521>::State state;
  rivulet::init_genrand(state.x, rivulet::Dcmt<521>::State::words, 5489);
  rivulet::Dcmt<521> engine({set.a, set.b, set.c}, state);

  // tests/data/dc_p521_opencl_book_32sets.json, set 0
  return is_expected("first word of dcmt521", engine(), 3023362024u);
}

/// The test that RANMAR's authors print: numbers 20001 and following of the pair (1802, 9373).
bool a_number_after_a_jump_of_ranmar() {
  auto state = rivulet::published_start<rivulet::Ranmar24>({1802, 9373});
  state = rivulet::ranmar_jump(state, rivulet::LaggedFibonacciJump(20000));
  rivulet::Ranmar<rivulet::Ranmar24> engine(state);

  return is_expected("number 20001 of RANMAR", engine(), 6533892u);
}

}  // namespace

int main() {
  std::printf("Rivulet %s (%s)\n", rivulet::version, rivulet::git_hash);
  return first_word_of_a_twister() && a_number_after_a_jump_of_ranmar() ? 0 : 1;
}
