// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "library_words.hpp"

namespace rivulet::independence {

/// A generator that is linear over GF(2), in `dimension` bits of state, in the bits of its words
/// that a test looks at.
struct LinearSubject {
  std::string name;
  Company company;
  std::uint64_t dimension;
  Bits bits = {0, 32};
};

inline void PrintTo(const LinearSubject& subject, std::ostream* out) { *out << subject.name; }

/// Bit 31 of a word is its lowest.
inline constexpr Bits lowest_bit{31, 1};

/// Generators whose streams share one recurrence.
inline std::vector<LinearSubject> linear_subjects() {
  std::vector<LinearSubject> all;
  for (const int p : {521, 607, 1279, 2203}) {
    LibraryStreams streams{.generator = "dcmt" + std::to_string(p), .sets = one_set(p)};
    std::string name = streams.generator + "_on_one_set";
    all.push_back({std::move(name), company(std::move(streams)), static_cast<std::uint64_t>(p)});
  }
  all.push_back({"lfsr113", company({.generator = "lfsr113"}), 113});
  all.push_back({"lowest_of_ranmar48", company({.generator = "ranmar48", .shown = Shown::lowest}),
                 97, lowest_bit});
  // 88 bits, and two of the congruential part, whose lowest bit alternates.
  all.push_back({"lowest_of_hybrid_tausworthe",
                 company({.generator = "hybrid_tausworthe", .shown = Shown::lowest}), 90,
                 lowest_bit});
  return all;
}

}  // namespace rivulet::independence
