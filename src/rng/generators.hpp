// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "rng/dcmt_shape.hpp"
#include "rng/ranmar.hpp"
#include "rng/ranmar_variants.hpp"
#include "rng/tausworthe.hpp"

namespace rivulet {

/// How a family's streams are seeded and kept apart.
enum class GeneratorFamily { dcmt, ranmar, tausworthe };

/// A generator that decks and the library's callers can name.
struct Generator {
  std::string_view name;
  std::string_view doc;
  std::string_view period;
  GeneratorFamily family;
  int exponent;               ///< dcmt: the period is 2^exponent - 1; 0 elsewhere
  int bits;                   ///< of each number
  int state_bytes;            ///< a stream
  bool has_team;              ///< whether lanes of a team can share a stream
  std::string_view disjoint;  ///< how its streams are kept apart
};

/// A dynamically created Mersenne Twister in the list of generators.
template <int P>
struct Twister {
  static constexpr int exponent = P;
};

namespace impl {

template <int P>
constexpr Generator twister(std::string_view name, std::string_view doc, std::string_view period) {
  return {name,
          doc,
          period,
          GeneratorFamily::dcmt,
          P,
          32,
          dcmt_shape(P).n * 4,
          true,
          "distinct irreducible characteristic polynomials; jump-ahead on the same one"};
}

template <class Variant>
constexpr Generator ranmar(std::string_view name, std::string_view doc, std::string_view period) {
  return {name,
          doc,
          period,
          GeneratorFamily::ranmar,
          0,
          Variant::bits,
          (ranmar_words + 1) * static_cast<int>(sizeof(typename Variant::Integer)),
          true,
          "distinct seeds: starts that differ; no overlap is probable, not proved"};
}

template <class Kind>
constexpr Generator tausworthe(std::string_view name, std::string_view doc, std::string_view period,
                               std::string_view disjoint) {
  return {name,
          doc,
          period,
          GeneratorFamily::tausworthe,
          0,
          32,
          Kind::words * static_cast<int>(sizeof(std::uint32_t)),
          false,
          disjoint};
}

}  // namespace impl

/// The list of generators: a line in each half makes one known to every job and to the library.
using GeneratorTypes =
    std::tuple<Twister<521>, Twister<607>, Twister<1279>, Twister<2203>, Ranmar24, Ranmar48,
               Ranmar48Scaled, Ranmar48x, HybridTausworthe, Lfsr113, HybridTauswortheListing>;
inline constexpr std::array<Generator, std::tuple_size_v<GeneratorTypes>> generators{{
    impl::twister<521>("dcmt521", "Mersenne Twister, 17 words of state", "2^521 - 1"),
    impl::twister<607>("dcmt607", "Mersenne Twister, 19 words of state", "2^607 - 1"),
    impl::twister<1279>("dcmt1279", "Mersenne Twister, 40 words of state", "2^1279 - 1"),
    impl::twister<2203>("dcmt2203", "Mersenne Twister, 69 words of state", "2^2203 - 1"),
    impl::ranmar<Ranmar24>("ranmar24", "RANMAR of 24 bits, as published", "about 2^144"),
    impl::ranmar<Ranmar48>("ranmar48", "RANMAR of 48 bits, CERN's and CORSIKA's", "about 2^168"),
    impl::ranmar<Ranmar48Scaled>("ranmar48_scaled", "RANMAR of 48 bits as a thesis extends it",
                                 "about 2^192"),
    impl::ranmar<Ranmar48x>("ranmar48x", "RANMAR of 48 bits with a prime modulus", "about 2^192"),
    impl::tausworthe<HybridTausworthe>(
        "hybrid_tausworthe", "three Tausworthe generators and a congruential one", "about 2^120",
        "jump-ahead on one cycle, at least 2^64 steps apart"),
    impl::tausworthe<Lfsr113>("lfsr113", "four Tausworthe generators, L'Ecuyer's", "about 2^113",
                              "jump-ahead on one cycle, at least 2^64 steps apart"),
    impl::tausworthe<HybridTauswortheListing>(
        "hybrid_tausworthe_listing", "known to be bad: a paper's listing, misprints and all",
        "4516 for most starts, by chance", "nothing: they repeat and run into each other"),
}};

/// The generator of that name, or nullptr.
constexpr const Generator* find_generator(std::string_view name) {
  for (const Generator& one : generators) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

/// Calls use(std::type_identity<T>{}) for the T of GeneratorTypes that stands where the generator
/// does in the list; all branches return the same type.
template <std::size_t I = 0, class Use>
auto with_generator_type(const Generator& generator, const Use& use) {
  using Type = std::tuple_element_t<I, GeneratorTypes>;
  if constexpr (I + 1 < generators.size()) {
    if (generator.name != generators[I].name) return with_generator_type<I + 1>(generator, use);
  }
  return use(std::type_identity<Type>{});
}

}  // namespace rivulet
