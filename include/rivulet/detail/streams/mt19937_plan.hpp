// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// Plan for MT19937, whose streams share one parameter set and thus one cycle of all states but
/// zero. Stream s starts start(s) steps after the seeded state (see IrregularStarts). Native
/// seeding computes the seeded state by init_by_array. Published seeding uses init_genrand: stream
/// 0 is then std::mt19937(seed) and, except for seed 0, ROOT's TRandom3(seed). The constructor
/// throws Error if published seeding gets a seed of more than 32 bits.
class Mt19937Plan final : public SetsPlan {
 public:
  using Recurrence = Mt19937Recurrence;

  explicit Mt19937Plan(const StreamRequest& request) : SetsPlan(request) {
    if (is_native() || request.seed <= 0xffffffffu) return;
    throw Error(detail::text_of("streams.seed=", request.seed, " does not fit"),
                "the published seeding of mt19937, init_genrand, takes 32 bits",
                "Choose from 0 to 4294967295, or set streams.seeding=native.");
  }

  std::uint64_t sets() const override { return 1; }
  IrregularStarts starts() const override { return detail::mt19937_starts; }
  int degree() const override { return Recurrence::p; }
  Gf2Polynomial polynomial(std::uint64_t) const override { return detail::mt19937_polynomial(); }
  std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t,
                                               std::uint64_t max_index) const override {
    return detail::mt19937_jumps(max_index);
  }

  /// Returns the start of stream 0, x_0 .. x_{n-1}.
  std::array<std::uint32_t, Recurrence::n> first_state() const {
    if (is_native()) return native_mt19937_start(request().seed);
    std::array<std::uint32_t, Recurrence::n> x{};
    init_genrand(x.data(), Recurrence::n, static_cast<std::uint32_t>(request().seed));
    return x;
  }

  Certificate certificate() const override {
    return {{"method", "jump-ahead on the one cycle of all states but zero"},
            {"period",
             "2^19937 - 1, a prime: the minimal polynomial of that degree is irreducible, and so "
             "primitive"},
            {"distance", starts().text()},
            {"proved", detail::text_of(streams(), " * 2^", starts().log2_room(),
                                       " is less than the period, and no stream draws more than ",
                                       request().numbers_text(), " numbers, which is ",
                                       request().log2_limit ? "at most" : "less than", " 2^",
                                       starts().log2_distance(), ": no two meet")}};
  }
};

}  // namespace rivulet
