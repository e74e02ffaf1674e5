// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/rng/philox.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/distributions/below.hpp"

namespace rivulet {

/// A random permutation of 0 .. n - 1. Each image is computed on its own, without a table.
/// \code
/// const Permutation permutation(seed, id, n);
/// const std::uint64_t place = permutation(i);  // permutation.inverse(place) is i
/// \endcode
/// A Feistel network (M. Luby & C. Rackoff, SIAM J. Comput. 17 (1988) 373) permutes the numbers of
/// 2 w bits, where 2 w is the smallest even number of bits that holds n - 1. The network is applied
/// until the result is below n (J. Black & P. Rogaway, CT-RSA 2002), less than 4 times on average.
/// Its round function is SplitMix64's finaliser under a 128-bit key, which Philox4x32 computes from
/// seed, id and n.
///
/// There are 8 + 64 / w rounds: 10 for w = 32, 72 for w = 1. With fewer bits a round mixes less: r
/// rounds leave a bias of about 2^(-w (r / 2 - 1)) in the images of two numbers (M. Bellare, V. T.
/// Hoang & S. Tessaro, CCS 2016). Here, the bias is at most 2^-35. For w > 1 each round is an even
/// permutation. A bit of the key therefore decides whether 0 and 1 are exchanged, which makes half
/// of the permutations odd. For a large n, the 128-bit key reaches only a few of the n!
/// permutations.
class Permutation {
 public:
  /// Requires 0 < n < 2^64. seed and id may have any value; each id selects another permutation.
  KOKKOS_FUNCTION Permutation(std::uint64_t seed, std::uint64_t id, std::uint64_t n) : n_(n) {
    RIVULET_ASSERT(n > 0, "Permutation(seed, id, n) needs n > 0.");
    while (w_ < 32 && (n - 1) >> 2 * w_ != 0) ++w_;
    rounds_ = 8 + 64 / static_cast<std::uint64_t>(w_);
    std::uint32_t words[4];
    detail::CounterEngine<Philox4x32>::draw(seed, id, ~n, words);  // n blocks before the last
    key0_ = std::uint64_t{words[1]} << 32 | words[0];
    key1_ = std::uint64_t{words[3]} << 32 | words[2];
  }

  /// Returns n.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t size() const { return n_; }

  /// Returns the image of i, i < n. In builds without assertions, i >= n is its own image.
  KOKKOS_FUNCTION std::uint64_t operator()(std::uint64_t i) const {
    RIVULET_ASSERT(i < n_, "Permutation takes a position below n.");
    if (i >= n_) return i;
    do i = forward(i);
    while (i >= n_);
    return i;
  }

  /// Returns the number whose image is i.
  KOKKOS_FUNCTION std::uint64_t inverse(std::uint64_t i) const {
    RIVULET_ASSERT(i < n_, "Permutation takes a position below n.");
    if (i >= n_) return i;
    do i = backward(i);
    while (i >= n_);
    return i;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t exchanged(std::uint64_t i) const {
    return i < 2 ? i ^ key1_ % 2 : i;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t round_function(std::uint64_t round,
                                                           std::uint64_t half) const {
    const std::uint64_t x = key0_ + (round << 32 | half) * splitmix64_increment;
    return splitmix64_mix(x ^ key1_) >> (64 - w_);
  }
  KOKKOS_FUNCTION std::uint64_t forward(std::uint64_t i) const {
    i = exchanged(i);
    std::uint64_t left = i >> w_;
    std::uint64_t right = i & ((std::uint64_t{1} << w_) - 1);
    for (std::uint64_t round = 0; round < rounds_; ++round) {
      const std::uint64_t next = left ^ round_function(round, right);
      left = right;
      right = next;
    }
    return left << w_ | right;
  }
  KOKKOS_FUNCTION std::uint64_t backward(std::uint64_t i) const {
    std::uint64_t left = i >> w_;
    std::uint64_t right = i & ((std::uint64_t{1} << w_) - 1);
    for (std::uint64_t round = rounds_; round-- > 0;) {
      const std::uint64_t before = right ^ round_function(round, left);
      right = left;
      left = before;
    }
    return exchanged(left << w_ | right);
  }

  std::uint64_t n_;
  std::uint64_t key0_;
  std::uint64_t key1_;
  std::uint64_t rounds_;
  int w_ = 1;
};

/// Shuffles first[0 .. n - 1] in place: `shuffle(rng, numbers.begin(), numbers.size())`. Each of
/// the n! orders has the same probability (R. A. Fisher & F. Yates; D. E. Knuth, The Art of
/// Computer Programming 2, 3.4.2 P). Unlike std::shuffle, the function gives the same order
/// everywhere. Draws n - 1 numbers: with Below(n) first, and with Below(2) last.
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // on the host, iterators may have host functions only
#endif
template <class Rng, class Iterator>
KOKKOS_FUNCTION void shuffle(Rng& rng, Iterator first, std::uint64_t n) {
  using Value = std::remove_reference_t<decltype(first[0])>;
  for (std::uint64_t left = n; left > 1; --left) {
    Value& a = first[static_cast<std::int64_t>(left - 1)];
    Value& b = first[static_cast<std::int64_t>(Below(left)(rng))];
    if (&a == &b) continue;
    Value kept = static_cast<Value&&>(a);
    a = static_cast<Value&&>(b);
    b = static_cast<Value&&>(kept);
  }
}

}  // namespace rivulet
