// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "battery/counting/counting.hpp"
#include "battery/counting/items.hpp"
#include "battery/counting/sorted_keys.hpp"

namespace rivulet {
namespace {

using detail::LaneRange;

/// Runs of ones in some words.
struct OnesRuns {
  std::uint64_t bits = 0;
  std::uint64_t head = 0;     ///< length of the one at the beginning, or of all
  std::uint64_t tail = 0;     ///< length of the one at the end, or of all
  std::uint64_t longest = 0;  ///< of all

  KOKKOS_FUNCTION OnesRuns& operator+=(const OnesRuns& next) {
    const std::uint64_t joined = tail + next.head;
    if (head == bits) head += next.head;
    tail = next.tail == next.bits ? joined : next.tail;
    if (next.longest > longest) longest = next.longest;
    if (joined > longest) longest = joined;
    bits += next.bits;
    return *this;
  }
  /// Adds the lowest `count` < 64 bits of a word, the highest first.
  KOKKOS_FUNCTION void add(std::uint64_t word, int count) {
    const std::uint64_t zeros = ~word & ((std::uint64_t{1} << count) - 1);
    std::uint64_t below = zeros;  // ones below the first zero, and there
    for (int shift = 1; shift < 64; shift *= 2) below |= below >> shift;
    const auto first = static_cast<std::uint64_t>(count - detail::ones_of(below));
    const auto all = static_cast<std::uint64_t>(count);
    if (head == bits) head += first;
    if (tail + first > longest) longest = tail + first;
    tail = zeros == 0 ? tail + all
                      : static_cast<std::uint64_t>(detail::ones_of((zeros & (0 - zeros)) - 1));
    bits += all;
    // The places from which there are more ones than in the longest run.
    std::uint64_t more = word;
    for (std::uint64_t ones = 1; ones <= longest && more != 0;) {
      const std::uint64_t step = ones < longest + 1 - ones ? ones : longest + 1 - ones;
      more &= more >> step;
      ones += step;
    }
    for (; more != 0; more &= more >> 1) ++longest;
  }
};

/// Those of a piece of a block; a lane for each.
struct FindOnesRuns {
  const std::uint32_t* words;
  std::uint64_t block;  ///< words
  detail::LaneItems pieces;
  int r;
  int s;
  OnesRuns* found;

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    const std::uint32_t* const first = words + lane / pieces.lanes * block;
    const std::uint64_t piece = lane % pieces.lanes;
    const std::uint64_t end = pieces.range_begin(piece + 1);
    const auto grouped = static_cast<std::uint64_t>(63 / s);
    OnesRuns all;
    for (std::uint64_t i = pieces.range_begin(piece); i < end; i += grouped) {
      const auto some = static_cast<int>(grouped < end - i ? grouped : end - i);
      all.add(detail::bits_of_block(first + i, r, s, some * s), some * s);
    }
    found[lane] = all;
  }
};

/// Ones of pieces of blocks, a warp for each: on a device four threads, which read neighbouring
/// words. A block's last word gives its first bits.
struct PieceWeights {
  using Policy = Kokkos::TeamPolicy<Space>;

  const std::uint32_t* words;
  std::uint64_t blocks;
  detail::LaneItems pieces;
  int r;
  int s;
  int last_bits;  ///< of the last word
  std::uint64_t* ones_of_block;

  Policy policy(const Space& space) const {
    constexpr int vector = device_build ? 4 : 1;
    constexpr int warps = device_build ? 64 : 1;
    const std::uint64_t lanes = detail::battery_lanes(space, blocks * pieces.lanes * vector);
    return {space, static_cast<int>(std::max<std::uint64_t>(lanes / (warps * vector), 1)), warps,
            vector};
  }
  KOKKOS_FUNCTION void operator()(const Policy::member_type& team) const {
    const auto warps = static_cast<std::uint64_t>(team.team_size());
    std::uint64_t warp = static_cast<std::uint64_t>(team.league_rank()) * warps +
                         static_cast<std::uint64_t>(team.team_rank());
    for (; warp < blocks * pieces.lanes;
         warp += static_cast<std::uint64_t>(team.league_size()) * warps) {
      const std::uint64_t block = warp / pieces.lanes;
      const std::uint64_t begin = pieces.range_begin(warp % pieces.lanes);
      const std::uint64_t end = pieces.range_begin(warp % pieces.lanes + 1);
      const std::uint32_t* const word = words + block * pieces.items;
      std::uint64_t ones = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, begin, end),
          [&](std::uint64_t i, std::uint64_t& sum) {
            const int bits = i + 1 == pieces.items ? last_bits : s;
            sum +=
                static_cast<std::uint64_t>(detail::ones_of(detail::strip_bits(word[i], r, bits)));
          },
          ones);
      Kokkos::single(Kokkos::PerThread(team),
                     [&] { Kokkos::atomic_add(ones_of_block + block, ones); });
    }
  }
};

/// The squares of twice the ones of each block less its length.
struct SquaredExcess {
  const std::uint64_t* ones_of_block;
  std::uint64_t length;
  KOKKOS_FUNCTION void operator()(std::uint64_t block, std::uint64_t& sum) const {
    const std::uint64_t excess = 2 * ones_of_block[block] - length;  // modulo 2^64, as its square
    sum += excess * excess;
  }
};

/// Pieces of a block of so many words, none too small to be worth a lane.
std::uint64_t pieces_of(const Space& space, std::uint64_t block) {
  constexpr std::uint64_t words_worth_a_lane = 512;
  return detail::battery_lanes(space, block / words_worth_a_lane);
}

/// Keys of blocks: the value above the index in the tile.
constexpr int index_bits = std::bit_width(spacings_at_once) - 1;

/// Marks the spacings of sorted blocks.
struct Spacing {
  const std::uint64_t* keys;
  std::uint64_t count;
  std::uint64_t first;  ///< index of the tile's first block
  std::uint64_t from;   ///< blocks before this one only set `last`
  std::uint64_t* last;  ///< index of the last block of each value
  detail::Histogram histogram;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t value(std::uint64_t key) const {
    return key >> index_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index(std::uint64_t key) const {
    return first + (key & (spacings_at_once - 1));
  }
  struct Count {};
  KOKKOS_FUNCTION void operator()(Count, std::uint64_t i) const {
    const std::uint64_t here = index(keys[i]);
    if (here < from) return;
    const bool is_near = i > 0 && value(keys[i - 1]) == value(keys[i]);
    const std::uint64_t spacing = here - (is_near ? index(keys[i - 1]) : last[value(keys[i])]);
    histogram.add(0, spacing < longest_spacing ? spacing : longest_spacing);
  }
  struct Keep {};
  KOKKOS_FUNCTION void operator()(Keep, std::uint64_t i) const {
    if (i + 1 == count || value(keys[i + 1]) != value(keys[i]))
      last[value(keys[i])] = index(keys[i]);
  }
};

/// Keys of a tile's blocks of `length` bits, s of each word: of several words, the last of which
/// gives its first bits, or several of a word, the last bits first.
struct PutBlocks {
  const std::uint32_t* words;
  int r;
  int s;
  int length;
  std::uint64_t* keys;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    std::uint64_t value = 0;
    if (s >= length) {
      const auto each = static_cast<std::uint64_t>(s / length);
      value = detail::strip_bits(words[i / each], r, s) >>
              (i % each * static_cast<std::uint64_t>(length));
      value &= (std::uint64_t{1} << length) - 1;
    } else {
      const auto each = static_cast<std::uint64_t>(detail::words_for(length, s));
      value = detail::bits_of_block(words + i * each, r, s, length);
    }
    keys[i] = value << index_bits | i;
  }
};

}  // namespace

TestCounts count_longest_runs(const Sample& of, int s, std::uint64_t block, std::uint64_t last) {
  const Space& space = of.space();
  const std::uint64_t pieces = pieces_of(space, block);
  const std::uint64_t at_once = std::min(of.n, of.tiles.most() / block);
  const Kokkos::View<OnesRuns*, Space> lanes("rivulet::battery_lanes", at_once * pieces);
  TestCounts found{std::vector<std::uint64_t>(last + 2), of.n * block};
  OnesRuns all;
  for (std::uint64_t done = 0; done < of.n; done += at_once) {
    const std::uint64_t blocks = std::min(at_once, of.n - done);
    Kokkos::parallel_for(
        "rivulet::battery_runs", LaneRange(space, 0, blocks * pieces),
        FindOnesRuns{
            of.read(done * block, blocks * block), block, {pieces, block}, of.r, s, lanes.data()});
    space.fence();
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lanes);
    for (std::uint64_t b = 0; b < blocks; ++b) {
      OnesRuns own;
      for (std::uint64_t piece = 0; piece < pieces; ++piece) own += on_host(b * pieces + piece);
      ++found.counts[std::min(own.longest, last)];
      all += own;
    }
  }
  found.counts.back() = all.longest;
  return found;
}

TestCounts count_squared_weights(const Sample& of, int s, int length) {
  const Space& space = of.space();
  const auto block = static_cast<std::uint64_t>(detail::words_for(length, s));
  const std::uint64_t pieces = pieces_of(space, block);
  const std::uint64_t at_once = std::min(of.n, of.tiles.most() / block);
  const int last_bits = length - (static_cast<int>(block) - 1) * s;
  const Kokkos::View<std::uint64_t*, Space> ones("rivulet::battery_ones", at_once);
  std::uint64_t sum = 0;
  for (std::uint64_t done = 0; done < of.n; done += at_once) {
    const std::uint64_t some = std::min(at_once, of.n - done);
    Kokkos::deep_copy(space, ones, std::uint64_t{0});
    const PieceWeights weights{of.read(done * block, some * block),
                               some,
                               {pieces, block},
                               of.r,
                               s,
                               last_bits,
                               ones.data()};
    Kokkos::parallel_for("rivulet::battery_weights", weights.policy(space), weights);
    std::uint64_t of_tile = 0;
    Kokkos::parallel_reduce("rivulet::battery_squares", LaneRange(space, 0, some),
                            SquaredExcess{ones.data(), static_cast<std::uint64_t>(length)},
                            of_tile);
    sum += of_tile;
  }
  return {{sum}, of.n * block};
}

TestCounts count_spacings(const Sample& of, std::uint64_t from, int s, int length) {
  using detail::TaggedRange;
  // Blocks of whole words.
  const auto of_word = static_cast<std::uint64_t>(std::max(1, s / length));
  const std::uint64_t words =
      s >= length ? 1 : static_cast<std::uint64_t>(detail::words_for(length, s));
  const std::uint64_t at_once = std::min(spacings_at_once, of.tiles.most() / words * of_word);
  const Space& space = of.space();
  const detail::Histogram histogram(space, longest_spacing + 1);
  const Kokkos::View<std::uint64_t*, Space> last("rivulet::battery_last",
                                                 std::uint64_t{1} << length);
  detail::SortedKeys keys(space, at_once);
  for (std::uint64_t done = 0; done < of.n; done += at_once) {
    const std::uint64_t count = std::min(at_once, of.n - done);
    const std::uint64_t needed = (count + of_word - 1) / of_word * words;
    Kokkos::parallel_for(
        "rivulet::battery_blocks", LaneRange(space, 0, count),
        PutBlocks{of.read(done / of_word * words, needed), of.r, s, length, keys.data()});
    keys.use(count);
    keys.sort(length + index_bits, index_bits);
    const Spacing spacing{keys.data(), count, done, from, last.data(), histogram};
    Kokkos::parallel_for("rivulet::battery_spacings", TaggedRange<Spacing::Count>(space, 0, count),
                         spacing);
    Kokkos::parallel_for("rivulet::battery_last", TaggedRange<Spacing::Keep>(space, 0, count),
                         spacing);
  }
  return {histogram.sums(space), of.n / of_word * words};
}

}  // namespace rivulet
