// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "generators/generators.hpp"
#include "kernels/numbers/number_source.hpp"
#include "message_of.hpp"
#include "number_reference.hpp"
#include "ready_generators.hpp"
#include "scalar_numbers.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t run_seed = 0x0123456789abcdef;
/// The fill value of bytes that no number may overwrite.
constexpr unsigned char untouched = 0xa5;

/// A source and the plan it needs.
struct Bundle {
  std::unique_ptr<StreamPlan> plan;
  std::unique_ptr<NumberSource> source;

  Bundle(const std::string& name, StreamRequest request, StreamRange range,
         const NumberRequest& numbers) {
    const Generator& generator = built_generator(name);
    request.streams = range.first + range.count;
    plan = generator.plan(request, io::Communicator::self());
    source = make_number_source(Space(), *plan, range, numbers);
    source->restart();
  }
  Bundle(const std::string& name, std::uint64_t streams, const NumberRequest& numbers)
      : Bundle(name, native(), {0, streams}, numbers) {}

  static StreamRequest native() { return {.seed = run_seed}; }

  /// Draws a piece into a buffer with one of four layouts, and returns the bits of the numbers,
  /// stream by stream. All other bytes of the buffer must remain unchanged.
  std::vector<std::uint64_t> draw(const NumberPiece& piece, int layout_kind = 0) {
    const std::size_t bytes = source->number_bytes();
    const NumberLayout layout = layout_kind == 0   ? NumberLayout{piece.count, 1}
                                : layout_kind == 1 ? NumberLayout{1, piece.streams}
                                : layout_kind == 2 ? NumberLayout{piece.count + 3, 1}
                                                   : NumberLayout{2, 2 * piece.streams + 1};
    const std::size_t room = ((piece.streams - 1) * layout.stream_stride +
                              (piece.count - 1) * layout.number_stride + 1 + 16) *
                             bytes;
    const Kokkos::View<unsigned char*, Space> to("rivulet::test", room);
    Kokkos::deep_copy(to, untouched);
    source->draw(piece, layout, to.data());
    Space().fence();
    auto host = Kokkos::create_mirror_view(to);
    Kokkos::deep_copy(host, to);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t s = 0; s < piece.streams; ++s) {
      for (std::uint64_t i = 0; i < piece.count; ++i) {
        unsigned char* const at =
            host.data() + (s * layout.stream_stride + i * layout.number_stride) * bytes;
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, bytes);
        numbers.push_back(bits);
        std::fill_n(at, bytes, untouched);
      }
    }
    EXPECT_TRUE(std::all_of(host.data(), host.data() + room,
                            [](unsigned char byte) { return byte == untouched; }));
    return numbers;
  }
};

/// Returns the first `count` raw numbers of a stream, from its scalar engine.
std::vector<std::uint64_t> raw_of(const std::string& name, std::uint64_t stream,
                                  std::size_t count) {
  StreamRequest request = Bundle::native();
  request.streams = stream + 1;
  const auto plan = built_generator(name).plan(request, io::Communicator::self());
  return scalar_numbers(*plan, {stream, 1}, count);
}

/// Returns the expected numbers begin .. begin + count - 1 of a stream.
std::vector<std::uint64_t> expected(const std::string& name, const NumberRequest& request,
                                    std::uint64_t stream, std::uint64_t begin,
                                    std::uint64_t count) {
  const auto plan = built_generator(name).plan(Bundle::native(), io::Communicator::self());
  // The size of a raw number or, if raw numbers are halves of 64-bit words, of a word.
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

/// The mappings that RANMARs and twisters have in every build.
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

/// Draws pieces of the given lengths in turn, up to `total` numbers per stream, and compares them
/// with expected().
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

TEST(NumberSource, AdvancingIsDrawing) {
  for (const std::string& name : ready_names()) {
    for (const NumberType type : number_types) {
      for (const StreamMapping mapping : built_generator(name).mappings) {
        const NumberRequest request{type, Interval::closed_open, mapping, 1};
        Bundle bundle(name, 3, request);
        const std::uint64_t period = bundle.source->period();
        // advance() counts from the last whole period.
        bundle.draw({0, 3, 0, 2 * period + std::min(period - 1, std::uint64_t{5})});
        bundle.source->advance(3);
        const auto numbers = bundle.draw({0, 3, 0, 30});  // counted from advance()
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
      const std::uint64_t begin = 250 % other.source->period();  // counted from the restored state
      EXPECT_EQ(other.draw({0, streams, begin, 300}), numbers) << name;
      bundle.source->restore(saved);
      EXPECT_EQ(bundle.draw({0, streams, begin, 300}), numbers) << name;
    }
  }
}

TEST(NumberSource, RefusesStatesThatDoNotFit) {
  Bundle bundle("ranmar48", 2, {});
  const auto before = bundle.source->save();
  EXPECT_EQ(message_of([&] { bundle.source->restore(std::span(before).first(100)); }),
            "saved streams do not fit (100 B instead of 1568 B). Restore into the same number "
            "of streams of the same generator.");
  EXPECT_EQ(bundle.source->save(), before);
}

TEST(NumberSource, AcceptsEmptyPieces) {
  Bundle bundle("ranmar24", 2, {});
  const auto before = bundle.source->save();
  bundle.source->draw({0, 2, 0, 0}, {1, 2}, nullptr);
  bundle.source->draw({0, 0, 0, 5}, {1, 2}, nullptr);
  Space().fence();
  EXPECT_EQ(bundle.source->save(), before);
}

}  // namespace
}  // namespace rivulet
