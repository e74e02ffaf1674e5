// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: a counter of Philox4x32 has 128 bits.

#include "rivulet/rivulet.hpp"

struct Key {
  rivulet::KeyField<64> step;
  rivulet::KeyField<64> particle;
  rivulet::KeyField<1> index;
};

std::uint32_t draw() { return rivulet::Stream<rivulet::Philox4x32>(1, Key{2, 3, 0})(); }
