// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Checks the processor against the compiler's flags. processor.cpp itself runs on any processor.

// X(a compiler's macro without its underscores, the compiler's name of the feature)
// clang-format off
#define RIVULET_FEATURES(X) \
  X(SSE4_2, "sse4.2") X(POPCNT, "popcnt") X(AVX, "avx") X(AVX2, "avx2") X(FMA, "fma") \
  X(FMA4, "fma4") X(XOP, "xop") X(BMI, "bmi") X(BMI2, "bmi2") X(AVX512F, "avx512f") \
  X(AVX512CD, "avx512cd") X(AVX512BW, "avx512bw") X(AVX512DQ, "avx512dq") \
  X(AVX512VL, "avx512vl") X(AVX512IFMA, "avx512ifma") X(AVX512VBMI, "avx512vbmi") \
  X(AVX512VBMI2, "avx512vbmi2") X(AVX512VNNI, "avx512vnni") X(GFNI, "gfni") \
  X(AVX512BITALG, "avx512bitalg") X(AVX512VPOPCNTDQ, "avx512vpopcntdq")
// clang-format on

#define RIVULET_FIRST(text) #text[0]
#define RIVULET_FIRST_OF(macro) RIVULET_FIRST(macro)
#define RIVULET_MARK(macro, name) RIVULET_FIRST_OF(__##macro##__),

namespace rivulet {

/// Contains one character per feature: '1' if the compiler flags of the including source enable the
/// feature, else '_'.
static constexpr char compiled_features[] = {RIVULET_FEATURES(RIVULET_MARK) '\0'};

/// Returns the reason why code with these features cannot run here, or a null pointer.
const char* refusal_of(const char* features) noexcept;

/// If refusal_of() returns a message, prints it and ends the program with status 1.
void require_processor(const char* features) noexcept;

}  // namespace rivulet
