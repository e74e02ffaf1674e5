// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kernels/generators/generators.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "message_of.hpp"
#include "number_bundle.hpp"
#include "number_reference.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

template <class Engine>
std::vector<std::uint64_t> drawn(Engine engine, std::size_t count) {
  std::vector<std::uint64_t> raw(count);
  for (std::uint64_t& number : raw) number = engine();
  return raw;
}

/// Raw numbers of a stream, from a scalar engine: of RANMARs and twisters one that is seeded here.
std::vector<std::uint64_t> raw_of(const std::string& name, std::uint64_t stream,
                                  std::size_t count) {
  if (name == "ranmar24")
    return drawn(Ranmar<Ranmar24>(native_start<Ranmar24>(run_seed, stream)), count);
  if (name == "ranmar48")
    return drawn(Ranmar<Ranmar48>(native_start<Ranmar48>(run_seed, stream)), count);
  if (name == "ranmar48x")
    return drawn(Ranmar<Ranmar48x>(native_start<Ranmar48x>(run_seed, stream)), count);
  const auto twister = [&](auto exponent) {
    constexpr int p = decltype(exponent)::value;
    const DcmtSet set = shipped_dcmt(p).sets[stream];
    const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::uint32_t key[8] = {
        word(run_seed), word(run_seed >> 32), word(stream), 0, p, set.a, set.b, set.c};
    DcmtState<p, std::uint32_t> state;
    init_by_array(state.x, state.words, key, 8);
    return drawn(Dcmt<p>({set.a, set.b, set.c}, state), count);
  };
  if (name == "dcmt521") return twister(std::integral_constant<int, 521>{});
  if (name == "dcmt607") return twister(std::integral_constant<int, 607>{});
  StreamRequest request = Bundle::native();
  request.streams = stream + 1;
  const auto plan = built_generator(name).plan(request, io::Communicator::self());
  return scalar_numbers(*plan, {stream, 1}, count);
}

/// Numbers begin .. begin+count-1 of a stream as they should be.
std::vector<std::uint64_t> expected(const std::string& name, const NumberRequest& request,
                                    std::uint64_t stream, std::uint64_t begin,
                                    std::uint64_t count) {
  // Of 64-bit words, whose halves the numbers are, or of a number.
  const auto plan = built_generator(name).plan(Bundle::native(), io::Communicator::self());
  const int bits = with_generator(
      *plan,
      []<class G>(std::type_identity<G>, const typename G::Plan&) { return G::Streams::bits; });
  const auto parts = static_cast<std::uint64_t>(raw_numbers(request.type, bits));
  const auto raw = raw_of(name, stream, parts * (begin + count));
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = begin; i < begin + count; ++i) {
    numbers.push_back(number_bits(request.type, request.interval, bits, raw.data() + parts * i));
  }
  return numbers;
}

std::vector<std::uint64_t> part_of(const std::vector<std::uint64_t>& numbers, std::uint64_t count,
                                   std::uint64_t stream) {
  const auto at = [&](std::uint64_t s) {
    return numbers.begin() + static_cast<std::ptrdiff_t>(s * count);
  };
  return {at(stream), at(stream + 1)};
}

/// Mappings of RANMARs and twisters in every build.
constexpr StreamMapping mappings[] = {StreamMapping::lane, StreamMapping::team};

TEST(NumberSource, EveryTypeAndIntervalIsItsFormula) {
  for (const std::string& name : ready_names()) {
    for (const NumberType type : number_types) {
      const bool is_real = type == NumberType::float32 || type == NumberType::float64;
      for (const Interval interval : intervals) {
        if (!is_real && interval != Interval::closed_open) continue;
        for (const StreamMapping mapping : built_generator(name).mappings) {
          const NumberRequest request{type, interval, mapping, 1};
          Bundle bundle(name, 3, request);
          const auto numbers = bundle.draw({0, 3, 0, 250});
          for (std::uint64_t s = 0; s < 3; ++s) {
            ASSERT_EQ(part_of(numbers, 250, s), expected(name, request, s, 0, 250))
                << name << ", type " << static_cast<int>(type) << ", interval "
                << static_cast<int>(interval);
          }
        }
      }
    }
  }
}

/// Draws pieces of the given lengths, again and again, up to `total` numbers a stream.
void expect_pieces(const std::string& name, const NumberRequest& request, std::uint64_t streams,
                   const std::vector<std::uint64_t>& counts, std::uint64_t total) {
  Bundle bundle(name, streams, request);
  std::vector<std::vector<std::uint64_t>> whole;
  for (std::uint64_t s = 0; s < streams; ++s) {
    whole.push_back(expected(name, request, s, 0, total + 1000));
  }
  std::uint64_t begin = 0;
  for (std::size_t i = 0; begin < total; ++i) {
    const std::uint64_t count = counts[i % counts.size()];
    const auto numbers = bundle.draw({0, streams, begin, count}, static_cast<int>(i % 4));
    for (std::uint64_t s = 0; s < streams; ++s) {
      const auto from = whole[s].begin() + static_cast<std::ptrdiff_t>(begin);
      ASSERT_EQ(part_of(numbers, count, s),
                std::vector<std::uint64_t>(from, from + static_cast<std::ptrdiff_t>(count)))
          << name << ", stream " << s << " of " << streams << ", numbers from " << begin;
    }
    begin += count;
  }
}

TEST(NumberSource, PiecesOfAnyLengthAreTheSequence) {
  const std::vector<std::vector<std::uint64_t>> patterns{
      {1}, {7}, {96}, {97}, {98}, {1000}, {1, 7, 96, 97, 98, 1000}, {388, 776, 775, 1, 777, 10}};
  for (const std::string name : {"ranmar24", "ranmar48", "dcmt521"}) {
    for (const StreamMapping mapping : mappings) {
      for (const auto& counts : patterns) {
        expect_pieces(name, {NumberType::float64, Interval::closed_open, mapping, 1}, 2, counts,
                      counts == std::vector<std::uint64_t>{1}   ? 110
                      : counts == std::vector<std::uint64_t>{7} ? 210
                                                                : 2000);
      }
    }
  }
}

TEST(NumberSource, SeveralRawNumbersANumberInPieces) {
  for (const std::string name : {"ranmar24", "ranmar48x", "dcmt521"}) {
    for (const StreamMapping mapping : mappings) {
      for (const NumberType type : {NumberType::uint32, NumberType::uint64}) {
        expect_pieces(name, {type, Interval::closed_open, mapping, 1}, 3, {1, 50, 97, 388, 1000},
                      2500);
      }
    }
  }
}

TEST(NumberSource, TilesThatAreNotFullWriteTheirStreamsOnly) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  for (const std::string name : {"ranmar24", "ranmar48", "dcmt521"}) {
    for (const StreamMapping mapping : mappings) {
      for (const NumberType type : {NumberType::float32, NumberType::float64}) {
        for (const std::uint64_t streams :
             {std::uint64_t{1}, tile - 1, tile, tile + 1, tile + 2, 2 * tile + 5}) {
          if (streams == 0) continue;
          const int a_team = streams % 2 == 0 ? 4 : 3;
          expect_pieces(name, {type, Interval::open, mapping, a_team}, streams, {100, 33, 97, 200},
                        800);
        }
      }
    }
  }
}

TEST(NumberSource, SomeStreamsMayBeAheadOfOthers) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  for (const StreamMapping mapping : mappings) {
    const NumberRequest request{NumberType::uint32, Interval::closed_open, mapping, 1};
    Bundle bundle("ranmar48", 2 * tile + 1, request);
    bundle.draw({tile, tile, 0, 150});
    bundle.draw({2 * tile, 1, 0, 97});
    const auto first = bundle.draw({0, tile, 0, 40});
    const auto second = bundle.draw({tile, tile, 150, 40});
    const auto third = bundle.draw({2 * tile, 1, 97, 40});
    EXPECT_EQ(part_of(first, 40, tile - 1), expected("ranmar48", request, tile - 1, 0, 40));
    EXPECT_EQ(part_of(second, 40, tile - 1), expected("ranmar48", request, 2 * tile - 1, 150, 40));
    EXPECT_EQ(third, expected("ranmar48", request, 2 * tile, 97, 40));
  }
}

TEST(NumberSource, GoldenNumbers) {
  const auto golden = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/ranmar.json");
  int runs = 0;
  for (const auto& run : golden["runs"]) {
    const auto variant = run["variant"].as<std::string>();
    if (variant != "ranmar24" && variant != "ranmar48_corsika") continue;
    ++runs;
    const int bits = run["word_bits"].as<int>();
    StreamRequest seeds;
    seeds.seeding = Seeding::published;
    seeds.options.at(ij_option) = run["ij"].as<std::uint64_t>();
    seeds.options.at(kl_option) = run["kl"].as<std::uint64_t>();
    const std::string name = bits == 24 ? "ranmar24" : "ranmar48";
    std::vector<std::uint64_t> first;
    for (const auto& number : run["first10"]) first.push_back(number.as<std::uint64_t>());
    for (const StreamMapping mapping : mappings) {
      Bundle real(name, seeds, {0, 1}, {NumberType::float64, Interval::closed_open, mapping, 1});
      const auto doubles = real.draw({0, 1, 0, first.size()});
      for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(std::bit_cast<double>(doubles[i]), std::ldexp(first[i], -bits));
      }
      if (bits == 24) continue;
      Bundle words(name, seeds, {0, 1}, {NumberType::uint32, Interval::closed_open, mapping, 1});
      const auto integers = words.draw({0, 1, 0, first.size()});
      for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(integers[i], first[i] >> 16);
    }
  }
  EXPECT_EQ(runs, 10);
}

TEST(NumberSource, ARangeHasTheStreamsOfTheWhole) {
  for (const std::string name : {"ranmar24", "dcmt521"}) {
    const NumberRequest request{};
    Bundle bundle(name, Bundle::native(), {5, 3}, request);
    EXPECT_EQ(bundle.source->count(), 3U);
    EXPECT_EQ(bundle.source->range().first, 5U);
    const auto numbers = bundle.draw({0, 3, 0, 20});
    EXPECT_EQ(part_of(numbers, 20, 2), expected(name, request, 7, 0, 20));
  }
}

TEST(NumberSource, AdvancingIsDrawing) {
  for (const std::string& name : ready_names()) {
    for (const NumberType type : number_types) {
      for (const StreamMapping mapping : built_generator(name).mappings) {
        const NumberRequest request{type, Interval::closed_open, mapping, 1};
        Bundle bundle(name, 3, request);
        const std::uint64_t period = bundle.source->period();
        // Numbers within a period do not count.
        bundle.draw({0, 3, 0, 2 * period + std::min(period - 1, std::uint64_t{5})});
        bundle.source->advance(3);
        const auto numbers = bundle.draw({0, 3, 0, 30});  // counted from where they were put
        for (std::uint64_t s = 0; s < 3; ++s) {
          ASSERT_EQ(part_of(numbers, 30, s), expected(name, request, s, 5 * period, 30))
              << name << ", type " << static_cast<int>(type);
        }
        bundle.source->restart();
        EXPECT_EQ(part_of(bundle.draw({0, 3, 0, 30}), 30, 1), expected(name, request, 1, 0, 30));
      }
    }
  }
}

TEST(NumberSource, MappingsHaveThePeriodInCommon) {
  for (const std::string& name : ready_names()) {
    for (const NumberType type : number_types) {
      std::set<std::uint64_t> periods;
      for (const StreamMapping mapping : built_generator(name).mappings) {
        periods.insert(Bundle(name, 1, {type, Interval::open, mapping, 1}).source->period());
      }
      EXPECT_EQ(periods.size(), 1U) << name;
    }
  }
}

TEST(NumberSource, SavedStatesGoOnAsIfNothingHadHappened) {
  constexpr std::uint64_t streams = tile_streams + 3;
  for (const std::string& name : ready_names()) {
    for (const StreamMapping mapping : built_generator(name).mappings) {
      const NumberRequest request{NumberType::uint64, Interval::closed_open, mapping, 1};
      Bundle bundle(name, streams, request);
      bundle.draw({0, streams, 0, 250});
      const auto saved = bundle.source->save();
      const auto numbers = bundle.draw({0, streams, 250, 300});
      Bundle other(name, streams, request);
      other.source->restore(saved);
      EXPECT_EQ(other.source->save(), saved);
      const std::uint64_t begin = 250 % other.source->period();  // from where they were put
      EXPECT_EQ(other.draw({0, streams, begin, 300}), numbers) << name;
      bundle.source->restore(saved);
      EXPECT_EQ(bundle.draw({0, streams, begin, 300}), numbers) << name;
    }
  }
}

TEST(NumberSource, SavedStatesHaveNoPadding) {
  const Bundle bundle("ranmar48", 5, {});
  EXPECT_EQ(bundle.source->save().size(), 5 * 98 * sizeof(std::uint64_t));
}

TEST(NumberSource, RefusesStatesThatDoNotFit) {
  Bundle bundle("ranmar48", 2, {});
  const auto before = bundle.source->save();
  EXPECT_EQ(message_of([&] { bundle.source->restore(std::span(before).first(100)); }),
            "saved streams do not fit (100 B instead of 1568 B). Restore into the same number "
            "of streams of the same generator.");
  EXPECT_EQ(bundle.source->save(), before);
}

TEST(NumberSource, NothingIsAPieceToo) {
  Bundle bundle("ranmar24", 2, {});
  const auto before = bundle.source->save();
  bundle.source->draw({0, 2, 0, 0}, {1, 2}, nullptr);
  bundle.source->draw({0, 0, 0, 5}, {1, 2}, nullptr);
  Space().fence();
  EXPECT_EQ(bundle.source->save(), before);
}

TEST(NumberChecksum, DoesNotDependOnThePieces) {
  constexpr std::uint64_t streams = tile_streams + 5;
  constexpr std::uint64_t total = 9000;
  for (const NumberType type : number_types) {
    const NumberRequest request{type, Interval::closed_open, StreamMapping::lane, 1};
    std::vector<NumberChecksum::Sums> sums;
    for (std::uint64_t s = 0; s < streams; ++s) {
      NumberChecksum::Sums sum{};
      const auto numbers = expected("ranmar48", request, s, 0, total);
      for (std::uint64_t i = 0; i < total; ++i) {
        sum[0] += numbers[i];
        sum[1] += (i + 1) * numbers[i];
      }
      sums.push_back(sum);
    }
    for (const std::uint64_t piece : {std::uint64_t{701}, std::uint64_t{4500}, total}) {
      for (const bool interleaved : {false, true}) {
        Bundle bundle("ranmar48", streams, request);
        NumberChecksum checksum(streams);
        const Kokkos::View<std::uint64_t*, Space> to("rivulet::test", streams * piece);
        const NumberLayout layout = interleaved ? NumberLayout{1, streams} : NumberLayout{piece, 1};
        for (std::uint64_t begin = 0; begin < total; begin += piece) {
          const NumberPiece now{0, streams, begin, std::min(piece, total - begin)};
          bundle.source->draw(now, layout, to.data());
          checksum.add(Space(), type, now, layout, to.data());
        }
        EXPECT_EQ(checksum.values(Space()), sums);
        checksum.reset(Space());
        EXPECT_EQ(checksum.values(Space())[streams - 1], NumberChecksum::Sums{});
      }
    }
  }
}

}  // namespace
}  // namespace rivulet
