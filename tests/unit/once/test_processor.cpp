// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/processor.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace rivulet {
namespace {

#if defined(__x86_64__)

const std::string all(sizeof compiled_features - 1, '1');
const std::string none(sizeof compiled_features - 1, '_');

TEST(Processor, RefusesFeaturesThatItLacks) {
  EXPECT_EQ(refusal_of(none.c_str()), nullptr);
  EXPECT_EQ(refusal_of(compiled_features), nullptr);  // otherwise, this test could not run
  // No processor has all features, because FMA4 and XOP were dropped before AVX-512 appeared.
  const char* const why = refusal_of(all.c_str());
  ASSERT_NE(why, nullptr);
  EXPECT_NE(std::string(why).find("(it was built for "), std::string::npos) << why;
  EXPECT_NE(std::string(why).find("RIVULET_NATIVE=OFF"), std::string::npos) << why;
}

TEST(Processor, EndsAProgramBuiltForAnother) {
  EXPECT_EXIT(require_processor(all.c_str()), testing::ExitedWithCode(1),
              "^rivulet: Rivulet cannot run on this processor");
  EXPECT_EXIT((require_processor(compiled_features), std::exit(5)), testing::ExitedWithCode(5), "");
}

/// Characters are in the order of RIVULET_FEATURES: AVX has index 2, and AVX512F has index 9.
TEST(Processor, KnowsTheFlagsOfItsCompiler) {
#if defined(__AVX512F__)
  EXPECT_EQ(compiled_features[9], '1');
#else
  EXPECT_EQ(compiled_features[9], '_');
#endif
#if defined(__AVX__)
  EXPECT_EQ(compiled_features[2], '1');
#else
  EXPECT_EQ(compiled_features[2], '_');
#endif
}

#endif

}  // namespace
}  // namespace rivulet
