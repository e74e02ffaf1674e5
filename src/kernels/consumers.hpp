// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/pi/count_hits.hpp"
#include "kernels/pi/pi_stored.hpp"

// The list of consumers that a GPU build compiles with each generator.
// clang-format off
#define RIVULET_CONSUMERS(CONSUMER) \
  CONSUMER(CountHits<PackedCentred>) \
  CONSUMER(CountHits<PairCentred>) \
  CONSUMER(CountHits<PackedPublished>) \
  CONSUMER(CountHits<PairPublished>) \
  CONSUMER(StoreWords<1>) \
  CONSUMER(StoreWords<2>)
// clang-format on
