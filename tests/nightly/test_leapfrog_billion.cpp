// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "generators/generators.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "kernels/numbers/number_source.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t total = 1000000000;

class LeapfrogBillion : public testing::TestWithParam<std::string> {};

NumberChecksum::Sums drawn_by(const std::string& name, StreamMapping mapping) {
  const Generator& generator = built_generator(name);
  const auto plan = generator.plan({}, io::Communicator::self());
  const Space space;
  const auto source = make_number_source(space, *plan, {0, 1},
                                         {NumberType::float64, Interval::closed_open, mapping, 1});
  source->restart();
  constexpr std::uint64_t piece = 123457;  // a prime, so no multiple of lanes or blocks
  const Kokkos::View<double*, Space> to("rivulet::test", piece);
  NumberChecksum checksum(1);
  for (std::uint64_t begin = 0; begin < total; begin += piece) {
    const NumberPiece now{0, 1, begin, std::min(piece, total - begin)};
    source->draw(now, {piece, 1}, to.data());
    checksum.add(space, NumberType::float64, source->work_of(now), {piece, 1}, to.data());
  }
  return checksum.values(space)[0];
}

template <class Variant>
NumberChecksum::Sums drawn_one_by_one() {
  Ranmar<Variant> engine(native_start<Variant>(default_seed, 0));
  NumberChecksum::Sums sums{};
  for (std::uint64_t i = 0; i < total; ++i) {
    const double number = std::ldexp(static_cast<double>(engine()), -Variant::bits);
    const auto bits = std::bit_cast<std::uint64_t>(number);
    sums[0] += bits;
    sums[1] += (i + 1) * bits;
  }
  return sums;
}

TEST_P(LeapfrogBillion, IsTheSequence) {
  const auto one_by_one =
      GetParam() == "ranmar24" ? drawn_one_by_one<Ranmar24>() : drawn_one_by_one<Ranmar48>();
  EXPECT_EQ(drawn_by(GetParam(), StreamMapping::team), one_by_one);
  EXPECT_EQ(drawn_by(GetParam(), StreamMapping::lane), one_by_one);
}

INSTANTIATE_TEST_SUITE_P(Variants, LeapfrogBillion, testing::Values("ranmar24", "ranmar48"));

}  // namespace
}  // namespace rivulet
