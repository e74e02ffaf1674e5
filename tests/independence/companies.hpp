// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "arrangements.hpp"
#include "library_words.hpp"

namespace rivulet::independence {

/// A generator with native seeding, what it must fail whatever its streams' starts are, and the
/// same with random states, which is what starts are measured by.
struct Subject {
  std::string name;
  LibraryStreams streams;
  Look look;
  Failures must_fail;
  Company random_states;
  /// Dimension of the state as far as it is linear over GF(2) in the bits looked at; 0: not linear,
  /// or not on one recurrence for all streams.
  std::uint64_t linear_dimension = 0;

  /// Fewer streams of large states, whose starts take long.
  std::uint64_t most_streams() const { return streams.facts().state_bytes > 1024 ? 8192 : 65536; }
};

inline void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

/// Why generators that are linear over GF(2), of k bits of state, must fail:
/// - one stream obeys a recurrence of degree k: linear complexity k, and no matrix of its bits has
/// a
///   rank above k;
/// - S streams interleaved on one recurrence f(t) obey f(t^S) of degree S k, and on S of them the
///   product of all, of degree S^2 k;
/// - stream by stream, a row of a matrix that lies in one stream is one of k dimensions, as is the
///   next stream's if it has the same recurrence.
/// In numbers, for 720896 words: 64 streams of 11264 and 4096 of 176, 20000 bits of complexity.
namespace must_fail {

extern const Failures small_twister_on_one_set;
extern const Failures lfsr113;
extern const Failures lowest_bit;

}  // namespace must_fail

/// Every generator as uint32.
std::vector<Subject> generators_under_test();
/// Those with native seeding: all but the listing. Generators of the list of which nothing is said
/// here must pass everything, as RANMAR.
std::vector<Subject> seeded_generators();
/// The lowest bits of raw numbers that are known to be linear, or nearly.
std::vector<Subject> lowest_bits_under_test();
/// Both.
std::vector<Subject> subjects();

inline Company company_of(const Subject& subject) { return company(subject.name, subject.streams); }

/// For parameterised tests' names.
inline std::string name_of(const testing::TestParamInfo<Subject>& info) { return info.param.name; }

}  // namespace rivulet::independence
