// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/generators/own.hpp"
#include "rivulet/generators.hpp"

namespace rivulet {
namespace detail {

/// The engine of generators whose streams need neither set-up nor memory.
template <class G>
struct MadeInPlace {
  static_assert(
      sizeof(G) == 0,
      "rivulet::Stream is of a counter-based generator, such as Philox4x32, or of your own: the "
      "others' streams need set-up. Take rivulet::Streams");
  using Engine = CounterEngine<Philox4x32>;
};

template <CounterBased G>
struct MadeInPlace<G> {
  using Engine = CounterEngine<G>;
  KOKKOS_FORCEINLINE_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t id) {
    return Engine(seed, id);
  }
};

template <OwnGenerator G>
struct MadeInPlace<G> {
  using Engine = typename G::Engine;
  KOKKOS_FORCEINLINE_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t id) {
    return G::engine(seed, id);
  }
};

}  // namespace detail

/// Stream number `id` of a seed, made where it is used, in a kernel or on the host, without set-up
/// or memory: for counter-based generators and OwnGenerators. It has the numbers of stream `id` of
/// Streams.
template <class Generator>
class Stream : public detail::MadeInPlace<Generator>::Engine {
 public:
  using Engine = typename detail::MadeInPlace<Generator>::Engine;

  KOKKOS_FORCEINLINE_FUNCTION Stream(std::uint64_t seed, std::uint64_t id)
      : Engine(detail::MadeInPlace<Generator>::engine(seed, id)) {}
};

}  // namespace rivulet
