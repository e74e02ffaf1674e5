// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each definition (-D) selects a use of streams that must not compile.

#include "rivulet/rivulet.hpp"

using namespace rivulet;

struct PairKey {
  KeyField<8> purpose;
  KeyField<40> step;
  KeyField<64> pair;
};
struct PlainKey {
  int step;
  int particle;
};

#if defined(SHORT_STREAM)
auto draw() { return Stream<Philox4x32>(1, PairKey{2, 3, 4})(); }
#elif defined(PLAIN_KEY)
auto draw() { return Stream<Philox4x32>(1, PlainKey{2, 3})(); }
#elif defined(SEED_ALONE)
auto draw() { return Stream<Philox4x32>(42)(); }
#elif defined(NO_SEED)
auto draw() { return Stream<Philox4x32>()(); }
#elif defined(CHILD_OF_ENGINE)
void draw(const Streams<Xoshiro256pp>& streams) { streams.open(0).child(1); }
#elif defined(CHILD_OF_RING)
void draw(const Streams<Mt19937>& streams) { streams.open(0).child(1); }
#elif defined(NOT_USED)
void draw(const Streams<Xoshiro256pp>& streams) { streams.open(0); }
#endif
