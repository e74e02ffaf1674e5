// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/generators/dcmt.hpp"
#include "kernels/generators/mt19937.hpp"
#include "kernels/generators/mtgp.hpp"
#include "kernels/generators/philox4x32.hpp"
#include "kernels/generators/ranmar.hpp"
#include "kernels/generators/tausworthe.hpp"

// The list of generators: a line GENERATOR(file, type) each, of a type that the
// header `file` of this folder declares. From this list come `rivulet --list`, decks, the library,
// tests and benchmarks; CMake reads it too and makes a unit of all kernels of each line
// (src/kernels/*/unit.cpp.in).
// clang-format off
#define RIVULET_GENERATORS(GENERATOR)                \
  GENERATOR(dcmt, Twister<521>)                      \
  GENERATOR(dcmt, Twister<607>)                      \
  GENERATOR(dcmt, Twister<1279>)                     \
  GENERATOR(dcmt, Twister<2203>)                     \
  GENERATOR(ranmar, RanmarGenerator<Ranmar24>)       \
  GENERATOR(ranmar, RanmarGenerator<Ranmar48>)       \
  GENERATOR(ranmar, RanmarGenerator<Ranmar48Scaled>) \
  GENERATOR(ranmar, RanmarGenerator<Ranmar48x>)      \
  GENERATOR(mt19937, Mt19937Generator)               \
  GENERATOR(mtgp, MtgpGenerator)                     \
  GENERATOR(philox4x32, Philox4x32Generator)         \
  GENERATOR(tausworthe, TauswortheGenerator<HybridTausworthe>) \
  GENERATOR(tausworthe, TauswortheGenerator<Lfsr113>) \
  GENERATOR(tausworthe, TauswortheGenerator<HybridTauswortheListing>)
// clang-format on
