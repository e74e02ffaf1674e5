// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "companies.hpp"

#include <algorithm>
#include <utility>

#include "../unit/ready_generators.hpp"
#include "known_words.hpp"

namespace rivulet::independence {

namespace must_fail {

static const Failures twister{"1: complexity", "64 by stream: complexity"};
/// p < 1200.
static const Failures small_twister{"1: complexity", "1: rank 1200", "64 by stream: complexity"};
/// On one set; for dcmt1279 because the upper 8 bits are equidistributed in 121 dimensions, so that
/// the 1200 bits of 150 words in a row are not independent.
const Failures small_twister_on_one_set{"1: complexity", "1: rank 1200", "64 by stream: complexity",
                                        "64 by stream: rank 1200"};
/// 113 bits: 64 * 113 < 10000, and of 176 numbers most rows of 20, 40 and some of 150 words lie in
/// one stream.
const Failures lfsr113{"1: complexity",
                       "1: rank 160",
                       "1: rank 320",
                       "1: rank 1200",
                       "64 interleaved: complexity",
                       "64 by stream: complexity",
                       "64 by stream: rank 160",
                       "64 by stream: rank 320",
                       "64 by stream: rank 1200",
                       "4096 by stream: rank 160",
                       "4096 by stream: rank 320",
                       "4096 by stream: rank 1200"};
/// The lowest bit of the hybrid: 88 bits and two of the congruential part, whose lowest bit
/// alternates. Of RANMAR: 97, and for ranmar48 nothing else. 64 of them are interleaved in rows of
/// 320 words, which begin with the same stream.
const Failures lowest_bit{"1: complexity",
                          "1: rank 160",
                          "1: rank 320",
                          "64 interleaved: complexity",
                          "64 interleaved: rank 320",
                          "64 by stream: complexity",
                          "64 by stream: rank 160",
                          "64 by stream: rank 320"};
/// The other RANMARs' arithmetic sequence hides it from the complexity of streams interleaved.
static const Failures lowest_bit_of_ranmar{"1: complexity",
                                           "1: rank 160",
                                           "1: rank 320",
                                           "64 interleaved: rank 320",
                                           "64 by stream: complexity",
                                           "64 by stream: rank 160",
                                           "64 by stream: rank 320"};
/// With 24 bits the larger matrices of one stream, which are few, do not show it.
static const Failures lowest_bit_of_ranmar24{"1: complexity",
                                             "1: rank 160",
                                             "64 interleaved: rank 320",
                                             "64 by stream: complexity",
                                             "64 by stream: rank 160",
                                             "64 by stream: rank 320"};
/// A map of 32 bits: its streams repeat themselves and each other.
static const Failures listing{"1: repeats", "64: repeats", "4096: repeats", "65536: repeats",
                              "65536 interleaved: complexity"};

}  // namespace must_fail

namespace {

template <int P>
Subject twister_subject(const DcmtSets& sets, const Failures& failures) {
  const bool on_one_set = sets.sets.size() == 1;
  Subject subject;
  subject.streams.generator = "dcmt" + std::to_string(P);
  subject.streams.sets = sets;
  subject.name = subject.streams.generator + (on_one_set ? "_on_one_set" : "");
  subject.must_fail = failures;
  subject.random_states = twisters_of_random_states<P>(subject.name, sets);
  subject.linear_dimension = on_one_set ? P : 0;
  return subject;
}

template <class Kind>
Subject tausworthe_subject(const std::string& name, const std::string& generator,
                           const Failures& failures, std::uint64_t dimension) {
  Subject subject;
  subject.name = name;
  subject.streams.generator = generator;
  subject.must_fail = failures;
  subject.random_states = tausworthe_of_random_states<Kind>(name);
  subject.linear_dimension = dimension;
  return subject;
}

template <class Variant>
Subject ranmar_subject(const std::string& generator, const Failures& failures = {}) {
  Subject subject;
  subject.name = generator;
  subject.streams.generator = generator;
  subject.must_fail = failures;
  subject.random_states = ranmar_of_random_starts<Variant>(generator, Shown::uint32);
  return subject;
}

template <class Variant>
Subject lowest_of_ranmar(const std::string& generator, const Failures& failures,
                         std::uint64_t dimension) {
  Subject subject;
  subject.name = "lowest_of_" + generator;
  subject.streams.generator = generator;
  subject.streams.shown = Shown::lowest;
  subject.look = at_lowest_bit;
  subject.must_fail = failures;
  subject.random_states = ranmar_of_random_starts<Variant>(subject.name, Shown::lowest);
  subject.linear_dimension = dimension;
  return subject;
}

Subject listing_subject() {
  Subject subject;
  subject.name = "hybrid_tausworthe_listing";
  subject.streams.generator = subject.name;
  subject.streams.seeding = Seeding::published;
  subject.must_fail = must_fail::listing;
  return subject;
}

void add_if_missing(std::vector<Subject>& all, const std::string& name) {
  const auto is_it = [&](const Subject& one) { return one.streams.generator == name; };
  if (std::ranges::any_of(all, is_it)) return;
  Subject& subject = all.emplace_back();
  subject.name = name;
  subject.streams.generator = name;
}

}  // namespace

std::vector<Subject> seeded_generators() {
  using namespace must_fail;
  std::vector<Subject> all;
  all.push_back(twister_subject<521>(shipped_dcmt(521), small_twister));
  all.push_back(twister_subject<521>(one_set(521), small_twister_on_one_set));
  all.push_back(twister_subject<607>(shipped_dcmt(607), small_twister));
  all.push_back(twister_subject<607>(one_set(607), small_twister_on_one_set));
  all.push_back(twister_subject<1279>(one_set(1279), small_twister_on_one_set));
  all.push_back(twister_subject<2203>(one_set(2203), twister));
  // Words of 32 bits are made of two numbers of 24, which no random starts are drawn for.
  all.push_back(ranmar_subject<Ranmar48>("ranmar24"));
  all.back().random_states = {};
  all.push_back(ranmar_subject<Ranmar48>("ranmar48"));
  all.push_back(ranmar_subject<Ranmar48Scaled>("ranmar48_scaled"));
  all.push_back(ranmar_subject<Ranmar48x>("ranmar48x"));
  all.push_back(
      tausworthe_subject<HybridTausworthe>("hybrid_tausworthe", "hybrid_tausworthe", {}, 0));
  all.push_back(tausworthe_subject<Lfsr113>("lfsr113", "lfsr113", must_fail::lfsr113, 113));
  for (const std::string& name : ready_names()) add_if_missing(all, name);
  return all;
}

std::vector<Subject> generators_under_test() {
  std::vector<Subject> all = seeded_generators();
  all.push_back(listing_subject());
  return all;
}

std::vector<Subject> lowest_bits_under_test() {
  using namespace must_fail;
  std::vector<Subject> all;
  all.push_back(lowest_of_ranmar<Ranmar24>("ranmar24", lowest_bit_of_ranmar24, 0));
  all.push_back(lowest_of_ranmar<Ranmar48>("ranmar48", lowest_bit, 97));
  all.push_back(lowest_of_ranmar<Ranmar48Scaled>("ranmar48_scaled", lowest_bit_of_ranmar, 0));
  all.push_back(lowest_of_ranmar<Ranmar48x>("ranmar48x", lowest_bit_of_ranmar, 0));
  all.push_back(tausworthe_subject<HybridTausworthe>("lowest_of_hybrid_tausworthe",
                                                     "hybrid_tausworthe", lowest_bit, 90));
  all.back().look = at_lowest_bit;
  return all;
}

std::vector<Subject> subjects() {
  std::vector<Subject> all = generators_under_test();
  for (Subject& one : lowest_bits_under_test()) all.push_back(std::move(one));
  return all;
}

}  // namespace rivulet::independence
