// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A stream is a uniform random bit generator, so <random> and <algorithm> accept it on the host.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <rivulet/rivulet.hpp>
#include <vector>

using Rng = rivulet::Stream<rivulet::Philox4x32>;
static_assert(std::uniform_random_bit_generator<Rng>);

namespace {

void print(const char* what, const std::vector<int>& cards) {
  std::printf("%s:", what);
  for (const int card : cards) std::printf(" %d", card);
  std::printf("\n");
}

std::vector<int> new_deck() {
  std::vector<int> cards(13);
  std::iota(cards.begin(), cards.end(), 1);
  return cards;
}

}  // namespace

int main() {
  // This example draws from streams 0, 1 and 2 of seed 42. Without kernels, the example needs no
  // Kokkos::initialize().
  Rng rng(42, 0);
  std::vector<int> cards = new_deck();
  std::shuffle(cards.begin(), cards.end(), rng);
  print("std::shuffle", cards);

  // The results of standard distributions depend on the standard library.
  Rng another(42, 1);
  std::normal_distribution<double> height(170, 10);
  std::poisson_distribution<int> calls(4.5);
  const double cm = height(another);
  std::printf("std distributions: %.4f cm, %d calls\n", cm, calls(another));

  // The results of Rivulet's functions are the same everywhere, even in kernels.
  Rng same_everywhere(42, 2);
  cards = new_deck();
  rivulet::shuffle(same_everywhere, cards.begin(), cards.size());
  print("rivulet::shuffle", cards);

  // A permutation computes any card without computing the others.
  const rivulet::Permutation permutation(42, 3, 13);
  for (std::uint64_t i = 0; i < permutation.size(); ++i) {
    cards[i] = 1 + static_cast<int>(permutation(i));
  }
  print("rivulet::Permutation", cards);
}
