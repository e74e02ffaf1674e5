// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "built_generators.hpp"
#include "generators/counter_based.hpp"
#include "generators/cycle.hpp"
#include "generators/dcmt.hpp"
#include "generators/mt19937.hpp"
#include "generators/mtgp.hpp"
#include "generators/ranmar.hpp"
#include "generators/tausworthe.hpp"

// The list of generators. Each line is GENERATOR(name, file, type): the header `file` of this
// folder declares `type`, and facts() of `type` sets `name`. CMake reads this list and generates
// RIVULET_BUILT_GENERATORS from the lines that RIVULET_GENERATORS selects. The generated list
// determines which generators decks, `rivulet --list`, the library, tests and benchmarks know. Each
// generator also gets a translation unit with all its kernels (unit.cpp.in).
// clang-format off
#define RIVULET_ALL_GENERATORS(GENERATOR) \
  GENERATOR(dcmt521, dcmt, Twister<521>) \
  GENERATOR(dcmt607, dcmt, Twister<607>) \
  GENERATOR(dcmt1279, dcmt, Twister<1279>) \
  GENERATOR(dcmt2203, dcmt, Twister<2203>) \
  GENERATOR(ranmar24, ranmar, RanmarGenerator<Ranmar24>) \
  GENERATOR(ranmar48, ranmar, RanmarGenerator<Ranmar48>) \
  GENERATOR(ranmar48_scaled, ranmar, RanmarGenerator<Ranmar48Scaled>) \
  GENERATOR(ranmar48x, ranmar, RanmarGenerator<Ranmar48x>) \
  GENERATOR(mt19937, mt19937, Mt19937Generator) \
  GENERATOR(mtgp11213, mtgp, MtgpGenerator) \
  GENERATOR(philox4x32, counter_based, CounterGenerator<Philox4x32>) \
  GENERATOR(philox4x32_7, counter_based, CounterGenerator<Philox4x32x7>) \
  GENERATOR(threefry4x64, counter_based, CounterGenerator<Threefry4x64>) \
  GENERATOR(philox4x64, counter_based, CounterGenerator<Philox4x64>) \
  GENERATOR(xoshiro256pp, cycle, CycleGeneratorOf<Xoshiro256pp>) \
  GENERATOR(pcg64dxsm, cycle, CycleGeneratorOf<Pcg64dxsm>) \
  GENERATOR(sfc64, cycle, CycleGeneratorOf<Sfc64>) \
  GENERATOR(mrg32k3a, cycle, CycleGeneratorOf<Mrg32k3a>) \
  GENERATOR(ranluxpp, cycle, CycleGeneratorOf<Ranluxpp>) \
  GENERATOR(mixmax17, cycle, CycleGeneratorOf<Mixmax17>) \
  GENERATOR(hybrid_tausworthe, tausworthe, TauswortheGenerator<HybridTausworthe>) \
  GENERATOR(lfsr113, tausworthe, TauswortheGenerator<Lfsr113>) \
  GENERATOR(hybrid_tausworthe_listing, tausworthe, TauswortheGenerator<HybridTauswortheListing>)
// clang-format on
