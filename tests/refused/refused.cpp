// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each definition (-D) selects code that must not compile. Without a definition, the header itself
// must not compile with flags that change floating-point results, such as -ffast-math.

#include "rivulet/rivulet.hpp"
#if defined(CASE_JUMP)
#include "../unit/library_own_generators.hpp"
#endif

using namespace rivulet;

#if defined(CASE_TEAMS)
struct OpenByTeam {
  Streams<HybridTausworthe> streams;
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto rng = streams.open(team);
    streams.close(team, rng);
  }
};
void open(const OpenByTeam& kernel) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), kernel); }
#elif defined(CASE_SHARED)
struct OpenShared {
  Streams<Lfsr113> streams;
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto shared = streams.open_shared(team);
    streams.close(team, shared);
  }
};
void open(const OpenShared& kernel) { Kokkos::parallel_for(Kokkos::TeamPolicy<>(1, 1), kernel); }
#elif defined(CASE_TEAM_POLICY)
Kokkos::TeamPolicy<> policy(const Streams<Lfsr113>& streams) {
  return streams.team_policy(Kokkos::DefaultExecutionSpace());
}
#elif defined(CASE_MEMORY_SPACE)
Streams<Philox4x32, Kokkos::HostSpace> streams();
auto count() { return streams().count(); }
#elif defined(CASE_CHILD)
void draw(const Streams<Dcmt521>& streams) { auto child = streams.child(0, 1); }
#elif defined(CASE_CHILD_OF_ENGINE)
void draw(const Streams<Xoshiro256pp>& streams) { auto child = streams.open(0).child(1); }
#elif defined(CASE_CHILD_OF_RING)
void draw(const Streams<Mt19937>& streams) { auto child = streams.open(0).child(1); }
#elif defined(CASE_JUMP)
void jump(const Streams<Padded24>& streams) {
  streams.jump(Kokkos::DefaultExecutionSpace(), 7);  // its engine has no discard()
}
#elif defined(CASE_KEY_BITS)
struct Key {
  KeyField<64> step;
  KeyField<64> particle;
  KeyField<1> index;
};
std::uint32_t draw() { return Stream<Philox4x32>(1, Key{2, 3, 0})(); }
#elif defined(CASE_SHORT_STREAM)
struct PairKey {
  KeyField<8> purpose;
  KeyField<40> step;
  KeyField<64> pair;
};
auto draw() { return Stream<Philox4x32>(1, PairKey{2, 3, 4})(); }
#elif defined(CASE_PLAIN_KEY)
struct PlainKey {
  int step;
  int particle;
};
auto draw() { return Stream<Philox4x32>(1, PlainKey{2, 3})(); }
#elif defined(CASE_SEED_ALONE)
auto draw() { return Stream<Philox4x32>(42)(); }
#elif defined(CASE_NO_SEED)
auto draw() { return Stream<Philox4x32>()(); }
#elif defined(CASE_NOTHING)
auto draw() {
  Stream rng;
  return rng();
}
#elif defined(CASE_REAL_NUMBER)
auto draw() { return Stream(42, 1.5)(); }
#elif defined(CASE_CONST_STREAM)
auto draw() {
  const Stream rng(42, 7);
  return rng();
}
#elif defined(CASE_INTEGER_UNIFORM)
int draw(Stream<Philox4x32>& rng) { return Uniform<int>()(rng); }
#elif defined(CASE_VIEW)
auto view() { return Kokkos::View<Stream<Philox4x32>*>("streams", 10); }
#elif defined(CASE_COPY)
void draw(const Streams<Dcmt521>& streams) {
  auto rng = streams.open(0);
  auto copy = rng;
}
#elif defined(CASE_ASSIGNMENT)
void draw(const Streams<Mt19937>& streams) {
  auto rng = streams.open(0);
  rng = streams.open(1);
}
#elif defined(CASE_NOT_USED)
void draw(const Streams<Xoshiro256pp>& streams) { streams.open(0); }
#endif
