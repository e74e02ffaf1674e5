// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mixmax17.hpp"
#include "rivulet/detail/rng/mrg32k3a.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/mtgp.hpp"
#include "rivulet/detail/rng/pcg64dxsm.hpp"
#include "rivulet/detail/rng/philox.hpp"
#include "rivulet/detail/rng/ranluxpp.hpp"
#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/sfc64.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"
#include "rivulet/detail/rng/threefry4x64.hpp"
#include "rivulet/detail/rng/xoshiro256pp.hpp"

// The generators of Streams. docs/library.md#streams-with-memory lists their properties, and
// docs/choosing.md helps to choose one. Philox4x32, Philox4x32x7, Philox4x64 and Threefry4x64 are
// counter-based. A user's generator must satisfy OwnGenerator.

namespace rivulet {

/// The Mersenne Twister MT19937 (Matsumoto & Nishimura, ACM TOMACS 8 (1998) 3), with 624 words of
/// state.
struct Mt19937 {};

/// The Mersenne Twister for graphics processors (Saito & Matsumoto, ACM TOMS 39 (2013) 12), with
/// 351 words of state and 200 parameter sets, as in cuRAND's MTGP32.
struct Mtgp11213 {};

/// Dynamically created Mersenne Twisters of period 2^p - 1, where p is 521, 607, 1279 or 2203.
using Dcmt521 = Dcmt<521>;
using Dcmt607 = Dcmt<607>;
using Dcmt1279 = Dcmt<1279>;
using Dcmt2203 = Dcmt<2203>;

namespace detail {

template <class... G>
struct GeneratorTypes {};

/// All generators of the library, for its tests.
// clang-format off
using AllGenerators = GeneratorTypes<
    Dcmt521,
    Dcmt607,
    Dcmt1279,
    Dcmt2203,
    Ranmar24,
    Ranmar48,
    Ranmar48Scaled,
    Ranmar48x,
    Mt19937,
    Mtgp11213,
    Philox4x32,
    Philox4x32x7,
    Threefry4x64,
    Philox4x64,
    Xoshiro256pp,
    Pcg64dxsm,
    Sfc64,
    Mrg32k3a,
    Ranluxpp,
    Mixmax17,
    HybridTausworthe,
    Lfsr113>;
// clang-format on

}  // namespace detail

/// A user's generator G, for `Stream<G>` and `Streams<G>`; examples/own_generator.cpp shows one. G
/// has a name, a type Engine, and a static function engine(seed, stream). The function returns the
/// engine of a stream, on the host and in kernels (KOKKOS_FUNCTION). Engine is a uniform random bit
/// generator of integers from 0 to 2^b - 1, b = 24, 32, 48 or 64. Engine must be trivially
/// copyable, because Streams store its bytes. Streams::jump needs Engine::discard(std::uint64_t). A
/// static function G::certificate() replaces the default certificate.
template <class G>
concept OwnGenerator = requires(std::uint64_t seed, std::uint64_t stream) {
  { G::name } -> std::convertible_to<std::string_view>;
  { G::engine(seed, stream) } -> std::same_as<typename G::Engine>;
  { typename G::Engine(G::engine(seed, stream))() } -> std::unsigned_integral;
  requires std::is_trivially_copyable_v<typename G::Engine>;
  requires G::Engine::min()
  == 0;
};

}  // namespace rivulet
