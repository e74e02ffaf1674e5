// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "companies.hpp"

namespace rivulet::independence {
namespace {

/// The linear complexity of the upper bits of the first streams interleaved.
std::size_t interleaved_complexity(const DcmtSets& sets, std::uint64_t streams, std::size_t bits) {
  LibraryStreams twisters{"dcmt" + std::to_string(sets.p)};
  twisters.sets = sets;
  const WordTable table = company("", twisters).draw(ids(streams), bits / streams + 1);
  const auto row = arranged(table, 1);
  return complexity_profile(bit_sequence(std::span(row).first(bits), 0)).complexity;
}

/// S streams on S sets obey the product of S polynomials f(t^S), of degree S^2 p in all; on one set
/// f(t^S), of degree S p. As long as that is less than half of the bits, it is what a test finds.
TEST(TwistersInterleaved, HaveTheComplexityOfTheirRecurrences) {
  for (const int p : {521, 607}) {
    const auto degree = static_cast<std::size_t>(p);
    for (const std::size_t streams : {1, 2, 4, 8}) {
      EXPECT_EQ(interleaved_complexity(one_set(p), streams, 2 * streams * degree + 500),
                streams * degree);
      if (streams == 8) continue;
      EXPECT_EQ(
          interleaved_complexity(shipped_dcmt(p), streams, 2 * streams * streams * degree + 500),
          streams * streams * degree);
    }
  }
}

/// So 12 streams of 521 bits fail with 200000 bits, and pass with 100000.
TEST(TwistersInterleaved, PassFromAsManyStreamsOnAsTheBitsAreTooFew) {
  EXPECT_EQ(interleaved_complexity(shipped_dcmt(521), 7, 60000), 7U * 7U * 521U);
  EXPECT_NEAR(static_cast<double>(interleaved_complexity(shipped_dcmt(521), 8, 60000)), 30000, 20);
}

}  // namespace
}  // namespace rivulet::independence
