// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks the C++ library's refusals. A message states the problem, the reason and a remedy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "library_drawing.hpp"
#include "library_own_generators.hpp"
#include "message_of.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

template <class G>
std::string refusal_of(const StreamsOptions& options) {
  return message_of([&] { Streams<G>(Exec(), options); });
}

TEST(LibraryRefusals, MoreStreamsThanFitOnTheCycle) {
  const std::uint64_t fit =
      static_cast<std::uint64_t>(tausworthe_cycle<HybridTausworthe>().period() >> 66);
  EXPECT_EQ(refusal_of<HybridTausworthe>({.count = 2, .first = fit - 1}),
            "streams " + std::to_string(fit - 1) + " to " + std::to_string(fit) +
                " do not fit on the cycle of hybrid_tausworthe (streams start at least 2^64 steps "
                "apart, and there is room for " +
                std::to_string(fit) + "). Lower StreamsOptions::first or StreamsOptions::count.");
  EXPECT_NO_THROW(Streams<HybridTausworthe>(Exec(), {.count = 1, .first = fit - 1}));
  const std::uint64_t lfsr = static_cast<std::uint64_t>(tausworthe_cycle<Lfsr113>().period() >> 66);
  EXPECT_THAT(refusal_of<Lfsr113>({.count = 1, .first = lfsr}),
              StartsWith("streams " + std::to_string(lfsr) + " to " + std::to_string(lfsr) +
                         " do not fit on the cycle of lfsr113 ("));
  EXPECT_NO_THROW(Streams<Lfsr113>(Exec(), {.count = 1, .first = lfsr - 1}));
  EXPECT_THAT(refusal_of<Pcg64dxsm>({.count = 2, .first = (two_to_63 >> 1) - 1}),
              HasSubstr("there is room for 4611686018427387904)"));
}

template <class G>
class LibraryRefusalsOf : public testing::Test {};
TYPED_TEST_SUITE(LibraryRefusalsOf, TestedGenerators, NameOfLibraryGenerator);

TYPED_TEST(LibraryRefusalsOf, NumbersBeyondTheLastStream) {
  EXPECT_EQ(refusal_of<TypeParam>(with_sets<TypeParam>({.count = 6, .first = 0 - 5ULL})),
            "6 streams from number 18446744073709551611 on do not exist (streams are numbered from "
            "0 to 2^64 - 2). Lower StreamsOptions::first or StreamsOptions::count.");
}

TYPED_TEST(LibraryRefusalsOf, MoreThanMemoryHolds) {
  // The sizes begin at 2^48 bytes. The largest ones do not fit in 64 bits.
  for (const int log2 : {45, 59, 60, 61, 62, 63}) {
    const std::uint64_t count = std::uint64_t{1} << log2;
    const std::string text = refusal_of<TypeParam>(with_sets<TypeParam>({.count = count}));
    if (std::string(Streams<TypeParam>::name()) == "hybrid_tausworthe" && log2 > 55) continue;
    if (std::string(Streams<TypeParam>::name()) == "lfsr113" && log2 > 46) continue;
    if (detail::CycleGenerator<TypeParam> && log2 > 62) continue;
    EXPECT_THAT(text, AllOf(StartsWith(std::to_string(count) + " streams of " +
                                       std::string(Streams<TypeParam>::name()) +
                                       " do not fit in memory (they take "),
                            HasSubstr(" B of "),
                            HasSubstr("). Lower StreamsOptions::count, or use a generator with a "
                                      "smaller state.")));
  }
}

TEST(LibraryRefusals, SaysHowMuchMemoryStreamsTake) {
  EXPECT_THAT(refusal_of<Mt19937>({.count = std::uint64_t{1} << 40}),
              HasSubstr("(they take 2748779069440000 B of "));  // 625 words of 4 bytes each
}

TEST(LibraryRefusals, ParameterSetsThatDoNotServe) {
  const DcmtSets sets = shipped_dcmt(607);
  EXPECT_EQ(
      refusal_of<Dcmt521>({.sets = sets}),
      "parameter sets of exponent 607 were given for dcmt521 (it takes those of exponent 521). "
      "Use Streams<Dcmt607>, or other sets.");
  DcmtSets twice = sets;
  twice.sets[17].a = twice.sets[300].a;
  EXPECT_EQ(refusal_of<Dcmt607>({.sets = twice}),
            "two parameter sets have the same twist coefficient (they would be the same twister, "
            "and streams on them could overlap). Remove one of them.");
  EXPECT_EQ(refusal_of<Dcmt1279>({}),
            "no parameter sets of dcmt1279 are shipped (there are tables of exponents 521 and 607 "
            "only). Set StreamsOptions::sets to what create_dcmt_sets() of <rivulet/create.hpp> "
            "returns; link Rivulet::rivulet for it.");
}

template <class G>
void expect_no_sets() {
  EXPECT_EQ(refusal_of<G>({.sets = shipped_dcmt(521)}),
            "parameter sets were given for " + std::string(Streams<G>::name()) +
                " (only dynamically created twisters have any). Omit StreamsOptions::sets.");
}

TEST(LibraryRefusals, ParameterSetsForAGeneratorWithout) {
  expect_no_sets<Philox4x32>();
  expect_no_sets<Lfsr113>();
  expect_no_sets<Counter64>();
}

TEST(LibraryRefusals, ParameterSetsThatAreNoTwisters) {
  const DcmtSets bad{521, "test", {shipped_dcmt(521).sets[0], {1, 0x80000000u, 0, 0}}};
  EXPECT_EQ(
      message_of([&] { Streams<Dcmt521>(Exec(), {.count = 1, .sets = bad}); }),
      "parameter set number 1, of twist coefficient 2147483648, is not a twister of exponent 521 "
      "(its characteristic polynomial is not irreducible, so its period is not 2^521 - 1). Use "
      "sets that create_dcmt_sets() of <rivulet/create.hpp> made.");
}

template <class G>
void expect_no_far_jump(unsigned log2, const std::string& why) {
  const Streams<G> streams(Exec(), {.count = 3});
  drawn(Exec(), streams, 5);
  const auto before = streams.save(Exec());
  EXPECT_EQ(message_of([&] { streams.jump(Exec(), Uint128{1} << log2); }),
            "a jump of 2^" + std::to_string(log2) + " numbers or more is too long for " +
                std::string(Streams<G>::name()) + " (" + why + "). Jump by less than 2^" +
                std::to_string(log2) + " numbers.");
  EXPECT_TRUE(streams.save(Exec()) == before);
  EXPECT_NO_THROW(streams.jump(Exec(), (Uint128{1} << log2) - 6));
}

TEST(LibraryRefusals, JumpsTooLong) {
  const std::string why =
      "it could lead to where another stream starts, or back to numbers that were drawn";
  expect_no_far_jump<Philox4x32>(65, why);
  expect_no_far_jump<HybridTausworthe>(63, why);
  expect_no_far_jump<Lfsr113>(63, why);
  expect_no_far_jump<Xoshiro256pp>(64, why);
  expect_no_far_jump<Mrg32k3a>(63, why);
  expect_no_far_jump<Dcmt607>(127, why);
  expect_no_far_jump<Mt19937>(127, why);
  expect_no_far_jump<Ranmar48>(127, why);
  EXPECT_THAT(message_of([] { Streams<Ranmar24>(Exec(), {.count = 1}).jump(Exec(), Uint128(-1)); }),
              HasSubstr("too long for ranmar24"));
  expect_no_far_jump<Counter64>(64, "its discard() counts in 64 bits");
}

/// A faulty generator, whose jumps differ from its steps.
struct Slip : Xoshiro256pp {
  static constexpr std::string_view name = "slip";
  static Jump jump(Uint128 steps) {
    Jump jump = Xoshiro256pp::jump(steps);
    jump.coefficients[3] ^= steps > 256;
    return jump;
  }
};
TEST(LibraryRefusals, JumpsThatAreNotSteps) {
  EXPECT_EQ(
      refusal_of<Slip>({.count = 1}),
      "jump(1000) of slip does not lead to the state after 1000 steps (streams could overlap). "
      "Correct the generator's jump() or step().");
}

TEST(LibraryRefusals, OwnGeneratorsNumberedBeyondTheLast) {
  EXPECT_THAT(refusal_of<Counter64>({.count = 2, .first = ~std::uint64_t{0}}),
              HasSubstr("do not exist"));
}

TEST(LibraryRefusals, MoreTeamsThanKokkosCounts) {
  const std::uint64_t count = std::uint64_t{1} << 31;
  EXPECT_EQ(message_of([&] { detail::team_policy<detail::Family<Philox4x32>>(Exec(), count); }),
            "2147483648 teams are too many (Kokkos counts them in 31 bits). Make several Streams "
            "objects of fewer streams each.");
}

class SavedStreams : public testing::Test {
 public:
  using Bytes = std::vector<std::byte>;
  static constexpr const char* remedy =
      "). Restore bytes that save() returned for the same generator, seed and streams.";

  SavedStreams() : streams_(Exec(), {.count = 5, .seed = 1, .first = 10}) {
    drawn(Exec(), streams_, 7);
    saved_ = streams_.save(Exec());
  }

  /// Expects a refusal for the reason `why`, and that the streams' positions are unchanged.
  void expect_refused(const Bytes& bytes, const std::string& why) {
    EXPECT_EQ(message_of([&] { streams_.restore(Exec(), bytes); }),
              "the saved streams cannot be restored (" + why + remedy);
    EXPECT_TRUE(streams_.save(Exec()) == saved_);
  }
  template <class G>
  static Bytes saved_of(const StreamsOptions& options) {
    return Streams<G>(Exec(), options).save(Exec());
  }

 protected:
  Streams<Lfsr113> streams_;
  Bytes saved_;
};

TEST_F(SavedStreams, ThatAreNone) {
  expect_refused({}, "the bytes are not saved streams");
  expect_refused(Bytes(saved_.begin(), saved_.begin() + 95), "the bytes are not saved streams");
  Bytes other = saved_;
  other[0] = std::byte{'r'};
  expect_refused(other, "the bytes are not saved streams");
  std::memcpy(other.data(), detail::saved_sequence_magic.data(), 8);
  expect_refused(other, "the bytes are a saved sequence of the C or Fortran interface");
}

TEST_F(SavedStreams, CutShortLengthenedOrAltered) {
  const std::string why = "the bytes are cut short or altered";
  for (const std::size_t less : {1, 4, 16, 80}) {
    expect_refused(Bytes(saved_.begin(), saved_.end() - static_cast<std::ptrdiff_t>(less)), why);
  }
  Bytes longer = saved_;
  longer.push_back(std::byte{0});
  expect_refused(longer, why);
  for (std::size_t at = sizeof(detail::SavedHeader); at < saved_.size(); ++at) {
    Bytes other = saved_;
    other[at] ^= std::byte{1};
    expect_refused(other, why);
  }
  Bytes checksum = saved_;
  checksum[sizeof(detail::SavedHeader) - 1] ^= std::byte{128};
  expect_refused(checksum, why);
}

TEST_F(SavedStreams, OfAnotherVersion) {
  Bytes other = saved_;
  other[8] = std::byte{4};
  expect_refused(other, "they have format version 4, not 3");
  std::memcpy(other.data(), "RIVULETS\2", 9);  // as in format version 2
  expect_refused(other, "they have format version 2, not 3");
}

/// Expects that the saved states of two streams are refused after a change. The function corrects
/// the checksum of the bytes after the header.
template <class G, class Change>
void expect_no_changed_state(const Change& change) {
  const Streams<G> streams(Exec(), {.count = 2});
  auto bytes = streams.save(Exec());
  const auto states = std::span(bytes).subspan(sizeof(detail::SavedHeader));
  change(states.data());
  const std::uint64_t sum = detail::checksum_of(states);
  std::memcpy(bytes.data() + offsetof(detail::SavedHeader, checksum), &sum, sizeof sum);
  EXPECT_THAT(message_of([&] { streams.restore(Exec(), bytes); }),
              HasSubstr("(the state of stream 0 is invalid)"))
      << Streams<G>::name();
}

template <class G>
using WordOf = typename Streams<G>::Family::Word;

/// Expects a refusal if word `word` of stream 0 is `value`.
template <class G>
void expect_no_state(std::size_t word, WordOf<G> value) {
  expect_no_changed_state<G>(
      [&](std::byte* states) { std::memcpy(states + word * sizeof value, &value, sizeof value); });
}

TEST(SavedWords, BeyondTheirModulus) {
  constexpr std::uint32_t all = 0xffffffff;
  expect_no_state<Mrg32k3a>(0, all - 208);
  expect_no_state<Mrg32k3a>(3, all - 22852);
  expect_no_state<Ranluxpp>(0, 1u << 24);
  expect_no_state<Ranluxpp>(23, all);
  expect_no_state<Mixmax17>(1, all);
  expect_no_state<Ranmar24>(98, (1u << 24) - 3);
  expect_no_state<Ranmar48>(98, (std::uint64_t{1} << 48) - (3 << 24));
  expect_no_state<Ranmar48x>(98, (std::uint64_t{1} << 48) - 59);
  expect_no_state<Lfsr113>(0, 1);
  expect_no_state<Lfsr113>(3, 127);
  expect_no_state<HybridTausworthe>(2, 15);
}

/// Expects a refusal if words `first` .. `last` of stream 0 are zero. A state of zeros never
/// changes.
template <class G>
void expect_no_zeros(std::size_t first, std::size_t last) {
  expect_no_changed_state<G>([&](std::byte* states) {
    std::memset(states + first * sizeof(WordOf<G>), 0, (last + 1 - first) * sizeof(WordOf<G>));
  });
}

TEST(SavedWords, ThatNeverChange) {
  expect_no_zeros<Xoshiro256pp>(0, 7);
  expect_no_zeros<Mrg32k3a>(0, 2);
  expect_no_zeros<Mrg32k3a>(3, 5);
  expect_no_zeros<Ranluxpp>(0, 23);
  expect_no_zeros<Mixmax17>(0, 33);
  expect_no_zeros<Dcmt521>(0, 16);
  expect_no_zeros<Mt19937>(0, 623);
  expect_no_zeros<Mtgp11213>(0, 350);
  expect_no_zeros<Ranmar24>(0, 96);
}

TEST(SavedPlaces, BeyondABlockOrARing) {
  expect_no_state<Philox4x32>(1, 4);
  expect_no_state<Ranmar24>(97, 97);
  // Valid flags for a pending half are 0 and 1. Blocks have 12 or 16 numbers.
  expect_no_state<Xoshiro256pp>(9, 2);
  expect_no_state<Pcg64dxsm>(5, 2);
  expect_no_state<Ranluxpp>(24, 13);
  expect_no_state<Mixmax17>(34, 17);
}

/// Checks that older saved states of philox4x32 are refused. An older state has one word: the count
/// of numbers drawn.
TEST(SavedCounters, OfOlderStates) {
  const Streams<Philox4x32> streams(Exec(), {.count = 2});
  auto bytes = streams.save(Exec());
  bytes[offsetof(detail::SavedHeader, words)] = std::byte{1};
  EXPECT_THAT(message_of([&] { streams.restore(Exec(), bytes); }),
              HasSubstr("their states have 1 words of 8 B, not 2 of 8 B"));
}

TEST_F(SavedStreams, OfOtherStreams) {
  const StreamsOptions own{.count = 5, .seed = 1, .first = 10, .sets = {}};
  expect_refused(saved_of<HybridTausworthe>(own),
                 "they are streams of hybrid_tausworthe, not of lfsr113");
  expect_refused(saved_of<Lfsr113>({.count = 5, .seed = 2, .first = 10}),
                 "they have seed 2, not 1");
  expect_refused(saved_of<Lfsr113>({.count = 5, .seed = 1, .first = 11}),
                 "they are 5 streams from number 11 on, not 5 from number 10 on");
  expect_refused(saved_of<Lfsr113>({.count = 4, .seed = 1, .first = 10}),
                 "they are 4 streams from number 10 on, not 5 from number 10 on");
}

/// Two generators whose names agree in the part that the header stores.
struct NamedAlike : Counter64 {
  static constexpr const char* name = "a generator of one's own, the first";
};
struct NamedSo : Counter64 {
  static constexpr const char* name = "a generator of one's own, the second";
};

TEST_F(SavedStreams, OfAGeneratorWhoseNameBeginsAlike) {
  const Streams<NamedAlike> streams(Exec(), {.count = 5, .seed = 1});
  EXPECT_EQ(
      message_of([&] { streams.restore(Exec(), saved_of<NamedSo>({.count = 5, .seed = 1})); }),
      std::string("the saved streams cannot be restored (they are streams of a generator of "
                  "one's ow..., not of a generator of one's own, the first") +
          remedy);
  EXPECT_NO_THROW(streams.restore(Exec(), saved_of<NamedAlike>({.count = 5, .seed = 1})));
}

TEST_F(SavedStreams, OfStreamsWithoutMemory) {
  const Streams<Lfsr113> none;
  EXPECT_EQ(
      message_of([&] { none.restore(Exec(), saved_); }),
      "the saved streams cannot be restored (they have seed 1, not 0). Restore bytes that save() "
      "returned for the same generator, seed and streams.");
  expect_refused(Streams<Lfsr113>({.count = 0, .seed = 1, .first = 10}).save(Exec()),
                 "they are 0 streams from number 10 on, not 5 from number 10 on");
}

TEST_F(SavedStreams, OfOtherParameterSets) {
  DcmtSets some = shipped_dcmt(521);
  some.sets.resize(3);
  DcmtSets others = shipped_dcmt(521);
  others.sets.erase(others.sets.begin());
  others.sets.resize(3);
  const Streams<Dcmt521> streams(Exec(), {.count = 5, .seed = 1, .sets = some});
  const auto saved = streams.save(Exec());
  EXPECT_EQ(
      message_of([&] {
        streams.restore(Exec(), saved_of<Dcmt521>({.count = 5, .seed = 1, .sets = others}));
      }),
      std::string("the saved streams cannot be restored (they have different parameter sets") +
          remedy);
  EXPECT_TRUE(streams.save(Exec()) == saved);
  EXPECT_NO_THROW(streams.restore(Exec(), saved));
}

}  // namespace
}  // namespace rivulet
