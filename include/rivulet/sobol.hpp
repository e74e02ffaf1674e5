// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/detail/rng/philox.hpp"
#include "rivulet/detail/sobol_table.hpp"
#include "rivulet/detail/stream_store.hpp"
#include "rivulet/streams_options.hpp"

// Quasi-random points. This header needs the library Rivulet::rivulet, which contains the table of
// direction numbers.

namespace rivulet {

/// Sobol's sequence (I. M. Sobol', USSR Comput. Math. Math. Phys. 7 (1967) 86) with the direction
/// numbers of S. Joe & F. Y. Kuo (SIAM J. Sci. Comput. 30 (2008) 2635), and its nested uniform
/// scrambling (A. B. Owen, in Monte Carlo and Quasi-Monte Carlo Methods, Springer 1995, 299).
/// \code
/// const Sobol<> sobol(dimensions);
/// const double x = sobol.uniform(index, dimension);
/// \endcode
/// Scrambling XORs each binary digit with a fair bit that depends on the seed, the dimension and
/// all higher digits. Each scrambled point is uniform, and 2^m consecutive points that start at a
/// multiple of 2^m remain a net. The means of several seeds yield a standard error.
///
/// A point is a function of its index: any thread can compute any point. Space is the execution
/// space of these threads, or a memory space that they can access. Copies share the table, 512 B
/// per dimension.
///
/// A block of Philox4x32 holds the fair bits for seven digits, one for each of the 127 nodes of a
/// binary tree. Dimension d uses the blocks of stream d under a key that no Stream, StreamKey or
/// Permutation of the same seed has. The probability that one of T child streams has this key is T
/// / 2^64.
template <class Space = Kokkos::DefaultExecutionSpace>
class Sobol {
 public:
  /// Creates a sequence of 1 to 3667 dimensions. For up to 21201 dimensions, `file` is the path of
  /// Joe and Kuo's file new-joe-kuo-6.21201. Throws Error for too many dimensions, for a file that
  /// cannot be read or differs from the published one, and if Kokkos is not running.
  explicit Sobol(std::uint64_t dimensions, std::uint64_t seed = default_seed,
                 const std::string& file = {})
      : seed_(seed) {
    detail::require_kokkos("a Sobol sequence");
    const std::vector<std::uint32_t> words = detail::sobol_table(dimensions, file);
    const Words<typename Space::memory_space> table(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "rivulet::sobol"), dimensions);
    Kokkos::deep_copy(table,
                      Words<Kokkos::HostSpace, const std::uint32_t>(words.data(), dimensions));
    table_ = table;
  }

  /// The number of dimensions.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t dimensions() const { return table_.extent(0); }
  /// The seed of the scrambling.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t seed() const { return seed_; }
  /// Returns this sequence with an independent scrambling.
  KOKKOS_FUNCTION Sobol with_seed(std::uint64_t seed) const {
    Sobol other = *this;
    other.seed_ = seed;
    return other;
  }

  /// Returns the unscrambled coordinate `dimension` of point `index`, in units of 2^-32, for an
  /// index below 2^32. Points are in Sobol's order; point 0 is the origin. Point i of a program
  /// that uses the Gray code order (I. A. Antonov & V. M. Saleev, 1979) is point i ^ i >> 1 of this
  /// class.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(std::uint64_t index,
                                                 std::uint64_t dimension) const {
    RIVULET_ASSERT(index >> 32 == 0, "Sobol needs an index from 0 to 2^32 - 1.");
    RIVULET_ASSERT(dimension < dimensions(), "Sobol needs a dimension below dimensions().");
    const auto part = [&](int k) { return table_(dimension, k, index >> 4 * k & 15); };
    return part(0) ^ part(1) ^ part(2) ^ part(3) ^ part(4) ^ part(5) ^ part(6) ^ part(7);
  }

  /// Returns the scrambled coordinate: a float with 24 bits or a double with 53 bits in an
  /// interval, or an unsigned integer with 32 or 64 bits. Points have 32 bits; all lower bits are
  /// fair random bits.
  template <class T = double, Interval interval = Interval::closed_open>
  KOKKOS_FUNCTION T uniform(std::uint64_t index, std::uint64_t dimension) const {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> ||
                      std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>,
                  "rivulet::Sobol makes float, double, std::uint32_t or std::uint64_t");
    const std::uint32_t x = word(index, dimension);
    detail::CounterStart<Philox4x32> start(seed_, dimension);
    start.key.combine(scramble_tag);
    std::uint32_t flips = flips_of<0>(start, x) | flips_of<1>(start, x) | flips_of<2>(start, x) |
                          flips_of<3>(start, x);
    std::uint32_t block[4] = {};
    if constexpr (!std::is_same_v<T, float>) flips |= flips_of<4>(start, x);
    if constexpr (sizeof(T) == 8) start.draw(std::uint64_t{5} << 32 | x, block);
    return detail::number_of_64_bits<T, interval>(std::uint64_t{x ^ flips} << 32 | block[0]);
  }

 private:
  template <class Memory, class Word = std::uint32_t>
  using Words = Kokkos::View<Word* [8][16], Kokkos::LayoutRight, Memory>;

  /// "scramble" in ASCII. The tag is odd, because tags of StreamKeys are even.
  static constexpr std::uint64_t scramble_tag = 0x736372616d626c65u;

  /// Returns the flips of the seven digits after the first 7 * level digits. The first digits
  /// select a 128-bit block. Digit k (from 0) of the seven is flipped by bit 2^k + (the k digits
  /// before it) of the block: a node of a binary tree.
  template <int level>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t flips_of(
      const detail::CounterStart<Philox4x32>& start, std::uint32_t x) {
    constexpr int before = 7 * level;
    std::uint32_t block[4];
    start.draw(std::uint64_t{level} << 32 | std::uint64_t{x} >> (32 - before), block);
    const std::uint32_t digits = x << before >> 25;
    // Unrolled by hand, since GCC does not unroll a loop at -O2.
    const auto flip = [&](int k) { return block[0] >> (1u << k | digits >> (7 - k)) & 1; };
    const std::uint32_t first =
        flip(0) << 6 | flip(1) << 5 | flip(2) << 4 | flip(3) << 3 | flip(4) << 2;
    const std::uint32_t last = (digits >> 6 == 0 ? block[2] : block[3]) >> (digits >> 1 & 31) & 1;
    const std::uint32_t flips = first | (block[1] >> (digits >> 2) & 1) << 1 | last;
    return flips << 25 >> before;
  }

  Words<typename Space::memory_space, const std::uint32_t> table_;
  std::uint64_t seed_;
};

}  // namespace rivulet
