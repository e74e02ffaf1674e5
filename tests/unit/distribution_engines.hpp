// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace rivulet {

/// The result type and range of an engine of `bits` bits.
template <int bits>
struct EngineShape {
  using result_type = std::conditional_t<(bits > 32), std::uint64_t, std::uint32_t>;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() {
    return static_cast<result_type>(~std::uint64_t{0} >> (64 - bits));
  }
};

/// Returns the upper bits of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). Kernels can use this
/// engine, too.
template <int bits>
class TestEngine : public EngineShape<bits> {
 public:
  using typename EngineShape<bits>::result_type;
  KOKKOS_FUNCTION explicit TestEngine(std::uint64_t seed) : state_(seed) {}
  KOKKOS_FUNCTION result_type operator()() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    ++drawn_;
    return static_cast<result_type>((z ^ (z >> 31)) >> (64 - bits));
  }
  KOKKOS_FUNCTION int drawn() const { return drawn_; }

 private:
  std::uint64_t state_;
  int drawn_ = 0;
};

/// Returns the numbers of a script, then repeats the last one.
template <int bits>
class ScriptedEngine : public EngineShape<bits> {
 public:
  using typename EngineShape<bits>::result_type;
  explicit ScriptedEngine(std::vector<std::uint64_t> script) : script_(std::move(script)) {}
  result_type operator()() {
    const std::size_t last = script_.size() - 1;
    const std::size_t next = drawn_ < last ? drawn_ : last;
    ++drawn_;
    return static_cast<result_type>(script_[next]);
  }
  int drawn() const { return static_cast<int>(drawn_); }

 private:
  std::vector<std::uint64_t> script_;
  std::size_t drawn_ = 0;
};

template <class Real>
std::uint64_t bits_of_real(Real value) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(value);
}

/// Returns the result of a distribution for these numbers.
template <int bits, class Distribution>
auto from_script(const Distribution& distribution, std::vector<std::uint64_t> script) {
  ScriptedEngine<bits> engine(std::move(script));
  return distribution(engine);
}

/// Returns how many of these numbers a distribution draws.
template <int bits, class Distribution>
int drawn_of_script(const Distribution& distribution, std::vector<std::uint64_t> script) {
  ScriptedEngine<bits> engine(std::move(script));
  distribution(engine);
  return engine.drawn();
}

}  // namespace rivulet
