// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/rivulet.hpp"

// User-defined generators, of each kind that Streams supports. All hash a counter with SplitMix64.

namespace rivulet {

/// Yields 64 bits: the SplitMix64 hash of a counter.
struct Counter64 {
  static constexpr const char* name = "counter64";
  struct Engine {
    using result_type = std::uint64_t;
    std::uint64_t next;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    KOKKOS_FUNCTION result_type operator()() { return splitmix64_mix(next++); }
    KOKKOS_FUNCTION void discard(std::uint64_t numbers) { next += numbers; }
  };
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    return {splitmix64_mix(seed) + (stream << 32)};
  }
};

/// Yields 24 bits from a state of 12 bytes, two of which are padding. Has no discard(). The name is
/// a std::string_view.
struct Padded24 {
  static constexpr std::string_view name = "padded24";
  struct Engine {
    using result_type = std::uint32_t;
    std::uint32_t seed;
    std::uint16_t stream;
    std::uint32_t drawn;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffff; }
    KOKKOS_FUNCTION result_type operator()() {
      const std::uint64_t counter = std::uint64_t{seed} << 32 | std::uint64_t{stream} << 16;
      return static_cast<result_type>(splitmix64_mix(counter + drawn++) >> 40);
    }
  };
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    return {static_cast<std::uint32_t>(seed), static_cast<std::uint16_t>(stream), 0};
  }
};

/// Yields 32 bits from a state of 7 bytes, which is not a whole number of words.
struct OddBytes {
  static constexpr const char* name = "odd_bytes";
  struct Engine {
    using result_type = std::uint32_t;
    std::uint8_t bytes[7];
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffffffu; }
    KOKKOS_FUNCTION result_type operator()() {
      std::uint64_t counter = 0;
      for (int i = 0; i < 7; ++i) counter |= std::uint64_t{bytes[i]} << 8 * i;
      const std::uint64_t number = splitmix64_mix(counter++);
      for (int i = 0; i < 7; ++i) bytes[i] = static_cast<std::uint8_t>(counter >> 8 * i);
      return static_cast<result_type>(number >> 32);
    }
    KOKKOS_FUNCTION void discard(std::uint64_t numbers) {
      for (; numbers > 0; --numbers) (*this)();
    }
  };
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    Engine made{};
    for (int i = 0; i < 7; ++i) {
      made.bytes[i] = static_cast<std::uint8_t>(splitmix64_mix(seed ^ stream) >> 8 * i);
    }
    return made;
  }
};

/// Yields 48 bits from a state whose alignment is larger than a word.
struct Aligned48 {
  static constexpr const char* name = "aligned48";
  struct alignas(16) Engine {
    using result_type = std::uint64_t;
    std::uint64_t base;
    std::uint64_t drawn;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0} >> 16; }
    KOKKOS_FUNCTION result_type operator()() { return splitmix64_mix(base ^ drawn++) >> 16; }
  };
  KOKKOS_FUNCTION static Engine engine(std::uint64_t seed, std::uint64_t stream) {
    return {splitmix64_mix(seed + stream), 0};
  }
  static Certificate certificate() { return {{"method", "none to speak of"}}; }
};

static_assert(OwnGenerator<Counter64> && OwnGenerator<Padded24> && OwnGenerator<OddBytes> &&
              OwnGenerator<Aligned48>);
static_assert(sizeof(Padded24::Engine) == 12 && sizeof(OddBytes::Engine) == 7);

}  // namespace rivulet
