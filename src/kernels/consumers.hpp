// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/alias/alias_sort.hpp"
#include "kernels/alias/count_on_device.hpp"
#include "kernels/pi/count_hits.hpp"
#include "kernels/store_words.hpp"

// The consumers that a GPU build compiles for each generator.
// clang-format off
#define RIVULET_CONSUMERS(CONSUMER)     \
  CONSUMER(CountHits<PackedCentred>)    \
  CONSUMER(CountHits<PairCentred>)      \
  CONSUMER(CountHits<PackedPublished>)  \
  CONSUMER(CountHits<PairPublished>)    \
  CONSUMER(StoreWords<1>)               \
  CONSUMER(StoreWords<2>)               \
  CONSUMER(CountSamplesInScratch<1, 2>) \
  CONSUMER(CountSamplesInScratch<1, 3>) \
  CONSUMER(CountSamplesInScratch<2, 2>) \
  CONSUMER(CountSamplesInScratch<2, 3>) \
  CONSUMER(CountSamplesInMemory<1, 2>)  \
  CONSUMER(CountSamplesInMemory<1, 3>)  \
  CONSUMER(CountSamplesInMemory<2, 2>)  \
  CONSUMER(CountSamplesInMemory<2, 3>)  \
  CONSUMER(AliasSort)
// clang-format on
