// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams of the highest numbers, whose sums and products of ids do not fit in 64 bits.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "library_drawing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

/// The number after the last stream's.
template <class G>
std::uint64_t end_of_streams() {
  if constexpr (detail::TauswortheGenerator<G>) return tausworthe_cycle<G>().fit();
  if constexpr (detail::CycleGenerator<G> && !detail::CountsSteps<G>) return two_to_63 >> 1;
  return ~std::uint64_t{0};
}

template <class G>
Streams<G> make(std::uint64_t first, std::uint64_t count) {
  return Streams<G>(Exec(), with_sets<G>({.count = count, .seed = 1, .first = first}));
}

template <class G>
class LibraryLastStreams : public testing::Test {};
TYPED_TEST_SUITE(LibraryLastStreams, LibraryGenerators, NameOfLibraryGenerator);

/// Ranges share jumps among their streams, from the seeded states of several sets; single streams
/// do not.
template <class G>
void expect_single_streams(std::uint64_t first, std::uint64_t count) {
  const NumberList all = drawn(Exec(), make<G>(first, count), 3);
  for (std::uint64_t s = 0; s < count; s += s + 2 < count && s > 1 ? count / 3 : 1) {
    EXPECT_TRUE(drawn(Exec(), make<G>(first + s, 1), 3) == part(all, 3 * count, 3 * s, 3))
        << first << " + " << s << " of " << count;
  }
}
TYPED_TEST(LibraryLastStreams, AreEachItself) {
  const std::uint64_t end = end_of_streams<TypeParam>();
  for (const std::uint64_t count : {1, 2, 5, 600}) {
    if (count > 100 && enough_streams<TypeParam> < 1000) continue;  // twisters of many words
    expect_single_streams<TypeParam>(end - count, count);
    if (end <= two_to_63) continue;
    for (const std::uint64_t first : {two_to_63 - count / 2, two_to_63, two_to_63 + 7}) {
      expect_single_streams<TypeParam>(first, count);
    }
  }
  for (const std::uint64_t first : {0xc000000000000005u, 0 - std::uint64_t{512}}) {
    if (first < end) expect_single_streams<TypeParam>(first, 3);
  }
}

/// Numbers 0 and 1 of the last stream of seed 1, by the formulas of docs/starts.md alone
/// (tests/cli/starts.py, starts_on_a_cycle.py).
const std::map<std::string_view, NumberList> by_formulas{
    {"philox4x32", {0x6195df20, 0xded9e447}},
    {"philox4x32_7", {0xeacd388b, 0xeff007e8}},
    {"xoshiro256pp", {0x5ea66629, 0xc5aa96d8}},
    {"pcg64dxsm", {0x947eeda7, 0xc4de8b9e}},
    {"sfc64", {0xfdbc9cfc, 0x7d05ff85}},
    {"mrg32k3a", {0x381d1a72, 0x2dc38a3a}},
    {"ranluxpp", {0x8e39e86aeed2, 0x59c2b3a6eb38}},
    {"mixmax17", {0xa1f4525c9ca0, 0x8fd972c1c904}},
    {"hybrid_tausworthe", {0x37fcb6b8, 0x1607ba57}},
    {"lfsr113", {0x5fbe1af9, 0xca2c4061}},
    {"dcmt521", {0x04009dc2, 0xfc65c0ff}},
    {"dcmt607", {0xe4aca5e0, 0x0d81ba51}},
    {"mt19937", {0xf05a2954, 0xade2b40c}},
    {"mtgp11213", {0xb02ef420, 0x88dbf83b}},
    {"ranmar24", {0x0098ec3a, 0x00c34610}},
    {"ranmar48", {0x880ebf55eaef, 0xe85196a77fe1}},
    {"ranmar48_scaled", {0xdba04702b6b7, 0x9f6b9a718705}},
    {"ranmar48x", {0x4dba54dd556b, 0xa44f951f7fca}},
};
TYPED_TEST(LibraryLastStreams, AreWhereTheFormulasSay) {
  const auto found = by_formulas.find(Streams<TypeParam>::name());
  if (found == by_formulas.end()) return;  // made of parameter sets, or of words of 64 bits
  EXPECT_EQ(drawn(Exec(), make<TypeParam>(end_of_streams<TypeParam>() - 1, 1), 2), found->second);
}

}  // namespace
}  // namespace rivulet
