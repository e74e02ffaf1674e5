// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/streaming_store.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generators/generators.hpp"
#include "kernels/numbers/cache_line_buffer.hpp"
#include "kernels/numbers/number_source.hpp"
#include "number_reference.hpp"
#include "ready_generators.hpp"

// Wherever a range begins and ends, non-temporal stores write the same bytes as ordinary ones, and
// do not write outside the range.

namespace rivulet {
namespace {

constexpr auto untouched = std::byte{0xa5};

/// Memory aligned to a cache line, and its expected contents.
struct Lines {
  std::vector<std::byte> memory;
  std::vector<std::byte> expected;
  std::byte* begin;

  explicit Lines(std::size_t bytes)
      : memory(bytes + cache_line, untouched), expected(bytes, untouched) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    begin = memory.data() + (cache_line - address % cache_line) % cache_line;
  }
  void expect(std::size_t at, const std::vector<std::byte>& bytes) {
    std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::vector<std::byte> found() const { return {begin, begin + expected.size()}; }
};

std::vector<std::byte> different_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + i / 256);
  return bytes;
}

template <std::size_t bytes, bool non_temporal>
void expect_copies() {
  const auto from = different_bytes(bytes + cache_line);
  for (std::size_t shift = 0; shift < cache_line; ++shift) {
    for (std::size_t at = 0; at < 2 * cache_line; at += bytes) {
      Lines lines(4 * cache_line + bytes);
      copy_aligned<bytes, non_temporal>(from.data() + shift, lines.begin + at);
      fence_streaming_stores();
      const auto part = from.begin() + static_cast<std::ptrdiff_t>(shift);
      lines.expect(at, {part, part + static_cast<std::ptrdiff_t>(bytes)});
      ASSERT_EQ(lines.found(), lines.expected)
          << bytes << ' ' << non_temporal << ' ' << shift << ' ' << at;
    }
  }
}

TEST(StreamingStores, CopyWhatTheyAreGiven) {
  expect_copies<16, false>();
  expect_copies<16, true>();
  expect_copies<32, false>();
  expect_copies<32, true>();
  expect_copies<64, false>();
  expect_copies<64, true>();
  expect_copies<128, false>();
  expect_copies<128, true>();
}

template <class Number>
void expect_numbers(Number number) {
  Lines lines(2 * cache_line);
  for (std::size_t i = 0; i < 2 * cache_line / sizeof(Number); i += 3) {
    stream_number(number, reinterpret_cast<Number*>(lines.begin) + i);
    std::memcpy(lines.expected.data() + i * sizeof(Number), &number, sizeof(Number));
  }
  fence_streaming_stores();
  EXPECT_EQ(lines.found(), lines.expected);
}

TEST(StreamingStores, SingleNumbersOfEveryType) {
  expect_numbers(0.123456789);
  expect_numbers(0.25f);
  expect_numbers(std::uint32_t{0x89abcdef});
  expect_numbers(std::uint64_t{0x0123456789abcdef});
}

TEST(CacheLineBuffer, AnyBytesFromAnywhere) {
  constexpr std::size_t room = 260;
  for (const bool non_temporal : {false, true}) {
    for (std::size_t at = 0; at < 2 * cache_line; at += 4) {
      for (const std::size_t piece : {4, 12, 60, 64, 68, 124, 252, 260}) {
        for (const std::size_t pieces : {1, 2, 3, 20}) {
          const auto bytes = different_bytes(piece * pieces);
          Lines lines(at + bytes.size() + 2 * cache_line);
          CacheLineBuffer<room> stage;
          stage.begin(lines.begin + at);
          for (std::size_t i = 0; i < pieces; ++i) {
            std::memcpy(stage.end(), bytes.data() + i * piece, piece);
            stage.add(piece);
            stage.flush(non_temporal);
          }
          stage.finish();
          fence_streaming_stores();
          lines.expect(at, bytes);
          ASSERT_EQ(lines.found(), lines.expected) << non_temporal << ' ' << at << ' ' << piece;
        }
      }
    }
  }
}

#if !RIVULET_DEVICE_BUILD
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// Successive pieces, each written to memory `before` numbers after the start of a cache line.
struct Pieces {
  std::uint64_t streams;
  std::vector<std::uint64_t> counts;
  std::uint64_t before;
  int layout;  ///< 0: stream after stream, 1: interleaved, 2 and 3: 0 and 1 with padding
};

NumberLayout layout_of(const Pieces& pieces, std::uint64_t count) {
  if (pieces.layout == 0) return {count, 1};
  if (pieces.layout == 1) return {1, pieces.streams};
  if (pieces.layout == 2) return {count + 3, 1};
  return {1, (pieces.streams + 31) / 16 * 16};
}

/// A source that writes pieces of at least `stream_from` bytes with non-temporal stores.
std::unique_ptr<NumberSource> source_of(const StreamPlan& plan, NumberRequest request,
                                        std::uint64_t stream_from) {
  request.stream_from = stream_from;
  return make_number_source(Space(), plan, {0, plan.streams()}, request);
}

/// Returns the memory of all pieces and the final states.
std::pair<std::vector<std::byte>, std::vector<std::byte>> drawn(NumberSource& source,
                                                                const Pieces& pieces) {
  source.restart();
  std::vector<std::byte> all;
  std::uint64_t begin = 0;
  for (const std::uint64_t count : pieces.counts) {
    const NumberLayout layout = layout_of(pieces, count);
    const std::size_t room = (pieces.before + (pieces.streams - 1) * layout.stream_stride +
                              (count - 1) * layout.number_stride + 20) *
                             source.number_bytes();
    Lines lines(room);
    source.draw({0, pieces.streams, begin, count}, layout,
                lines.begin + pieces.before * source.number_bytes());
    Space().fence();
    const auto found = lines.found();
    all.insert(all.end(), found.begin(), found.end());
    begin += count;
  }
  return {all, source.save()};
}

class StreamedNumbers : public testing::TestWithParam<std::string> {
 protected:
  void expect_alike(const NumberRequest& request, std::uint64_t streams,
                    const std::vector<Pieces>& all) {
    const auto plan =
        built_generator(GetParam()).plan({.streams = streams}, io::Communicator::self());
    const auto near = source_of(*plan, request, never);
    const auto streamed = source_of(*plan, request, 0);
    for (const Pieces& pieces : all) {
      EXPECT_TRUE(drawn(*near, pieces) == drawn(*streamed, pieces))
          << "type " << static_cast<int>(request.type) << ", interval "
          << static_cast<int>(request.interval) << ", " << name_of(request.mapping) << ", "
          << streams << " streams, layout " << pieces.layout << ", " << pieces.before
          << " before, first piece " << pieces.counts.front();
    }
  }
};

TEST_P(StreamedNumbers, PiecesOfAnySizeFromAnywhere) {
  for (const StreamMapping mapping : built_generator(GetParam()).mappings) {
    for (const NumberType type : {NumberType::float32, NumberType::float64}) {
      for (const std::uint64_t streams : {1, 15, 16, 17, 32, 67}) {
        std::vector<Pieces> all;
        for (const std::uint64_t before : {0, 1, 5, 16}) {
          for (const int layout : {0, 1, 2, 3}) {
            all.push_back({streams, {1, 3, 15, 17, 63, 65, 128, 500, 2}, before, layout});
          }
        }
        expect_alike({type, Interval::closed_open, mapping, 1}, streams, all);
      }
    }
  }
}

TEST_P(StreamedNumbers, MoreRowsThanABlockHas) {
  for (const StreamMapping mapping : built_generator(GetParam()).mappings) {
    for (const NumberType type : number_types) {
      // A block has 1024 pages of 4 KB: 32768 rows of floats for 32 streams, fewer for 1040.
      const NumberRequest request{type, Interval::closed_open, mapping, 1};
      expect_alike(request, 32, {{32, {5, 40000, 100}, 0, 1}});
      if (mapping == StreamMapping::lane)
        expect_alike(request, 1040, {{1040, {5, 2500, 100}, 0, 1}});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generators, StreamedNumbers, testing::ValuesIn(ready_representatives()),
                         [](const auto& one) { return one.param; });
#endif

}  // namespace
}  // namespace rivulet
