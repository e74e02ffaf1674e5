// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "battery/families/family.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"

// Finds streams that overlap, at any distance. A window is four consecutive words of a stream. A
// window has two hashes. The level of a window is the number of trailing zero bits of one hash. The
// test keeps windows of level k or higher. If two windows are equal, the test keeps both or
// neither. The test misses an overlap of 16 * 2^k words with probability exp(-16). Two kept windows
// count as equal if their other hashes, of 64 bits, are equal. For two windows of random words, the
// probability of this is 2^-64.

namespace rivulet::detail {
namespace {

constexpr std::uint64_t window_words = 4;
/// The number of windows with this level or a higher one is a second statistic.
constexpr int counted_level = 8;

/// Returns true if the test uses only windows within one run of a stream's words. If runs are long,
/// this restriction omits few windows.
KOKKOS_FUNCTION bool is_in_a_run(const Interleaving& turns) { return turns.run >= 16; }

/// Returns the number of windows that begin before a position.
std::uint64_t windows_before(std::uint64_t position, const Interleaving& turns) {
  if (!is_in_a_run(turns)) return position;
  const std::uint64_t each = turns.run - window_words + 1;
  return position / turns.run * each + std::min(position % turns.run, each);
}

struct Hashes {
  std::uint64_t of_level;  ///< determines the level
  std::uint64_t window;    ///< identifies the window
};

KOKKOS_FORCEINLINE_FUNCTION Hashes hashes_of(const std::uint32_t* words, std::uint64_t position,
                                             const Interleaving& turns) {
  const auto word = [&](std::uint64_t j) {
    return std::uint64_t{words[turns.distance(position, j)]};
  };
  const std::uint64_t first = word(0) | word(1) << 32, last = word(2) | word(3) << 32;
  return {splitmix64_mix(first ^ splitmix64_mix(last + splitmix64_increment)),
          splitmix64_mix(last ^ splitmix64_mix(first + splitmix64_increment))};
}

/// Stores the windows with `level` or a higher level, in any order, until the memory is full.
struct WindowStore {
  Interleaving turns;
  int level;
  Owned<std::uint64_t> hashes;
  Owned<std::uint64_t> places;
  Owned<std::uint64_t> stored;  ///< number of windows, including those that did not fit

  /// Examines the windows that begin at positions `position` .. position + windows - 1, and stores
  /// those with `level` or a higher level. Returns how many have counted_level or a higher level.
  /// Blocking.
  std::uint64_t keep(const Space& space, const std::uint32_t* words, std::uint64_t position,
                     std::uint64_t windows) const {
    const WindowStore self = *this;
    return sum_over(
        space, windows, "rivulet::battery_windows",
        KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
          if (is_in_a_run(self.turns) &&
              (position + i) % self.turns.run + window_words > self.turns.run) {
            return;
          }
          const Hashes hash = hashes_of(words + i, position + i, self.turns);
          constexpr int max_level = (1 << KeptWindow::level_bits) - 1;
          int zeros = 0;
          while (zeros < max_level && (hash.of_level >> zeros & 1) == 0) ++zeros;
          if (zeros >= counted_level) ++sum;
          if (zeros < self.level) return;
          const std::uint64_t at = Kokkos::atomic_fetch_add(&self.stored(0), std::uint64_t{1});
          if (at >= self.hashes.extent(0)) return;
          self.hashes(at) = hash.window;
          self.places(at) = (position + i) | static_cast<std::uint64_t>(zeros)
                                                 << KeptWindow::position_bits;
        });
  }
};

/// Returns the stored windows, sorted by position. Returns an empty list if the store was too
/// small. This happens only if there are many more such windows than in random words.
KeptWindows windows_on_host(const Space& space, const WindowStore& store) {
  const std::uint64_t count = on_host(space, store.stored).front();
  if (count > store.hashes.extent(0)) return {};
  const std::vector<std::uint64_t> hashes = on_host(space, store.hashes);
  const std::vector<std::uint64_t> places = on_host(space, store.places);
  KeptWindows windows(count);
  for (std::size_t i = 0; i < count; ++i) windows[i] = {hashes[i], places[i]};
  std::ranges::sort(windows, {}, &KeptWindow::position);
  return windows;
}

std::uint64_t room_for(std::uint64_t words) { return (words >> window_level(words)) * 2 + 4096; }

Replication keep_windows(const Sample& sample, Test) {
  const Space& space = sample.space();
  const Interleaving turns = sample.tiles.turns();
  const std::uint64_t reach = reach_of_windows(turns), room = room_for(sample.n);
  const std::uint64_t all = sample.n >= reach ? sample.n - reach + 1 : 0;
  const std::uint64_t windows =
      windows_before(sample.position + all, turns) - windows_before(sample.position, turns);
  const auto memory = [](std::uint64_t count) {
    return Owned<std::uint64_t>("rivulet::battery_windows", count);
  };
  const WindowStore store{turns, window_level(sample.n), memory(room), memory(room), memory(1)};
  Replication found{{windows, 0}, sample.n};
  const std::uint64_t at_once = sample.tiles.capacity() - reach;
  for (std::uint64_t done = 0; done < all; done += at_once) {
    const std::uint64_t some = std::min(at_once, all - done);
    found.counts[1] +=
        store.keep(space, sample.read(done, some + reach - 1), sample.position + done, some);
  }
  found.windows = windows_on_host(space, store);
  return found;
}

/// Two equal windows. Each is given by its stream and its index in the stream.
struct Overlap {
  std::uint64_t stream, number;
  std::uint64_t other_stream, other_number;
};

/// The equal windows that were found. For each pair of streams, `pairs` stores the first overlap.
struct Overlaps {
  std::uint64_t equal = 0;  ///< number of kept windows that equal an earlier one
  std::map<std::pair<std::uint64_t, std::uint64_t>, Overlap> pairs = {};
};

Overlaps overlaps_among(KeptWindows windows, const Interleaving& turns) {
  std::ranges::sort(windows, {}, [](const KeptWindow& window) {
    return std::pair(window.hash, window.position());
  });
  Overlaps found;
  for (std::size_t i = 1; i < windows.size(); ++i) {
    const std::uint64_t at = windows[i - 1].position(), other = windows[i].position();
    if (windows[i].hash != windows[i - 1].hash) continue;
    ++found.equal;
    Overlap overlap{turns.stream_of(at), turns.number_of(at), turns.stream_of(other),
                    turns.number_of(other)};
    if (overlap.other_stream < overlap.stream) {
      overlap = {overlap.other_stream, overlap.other_number, overlap.stream, overlap.number};
    }
    const auto [entry, is_new] =
        found.pairs.try_emplace({overlap.stream, overlap.other_stream}, overlap);
    if (!is_new && overlap.number < entry->second.number) entry->second = overlap;
  }
  return found;
}

std::string description_of(const Overlaps& all) {
  constexpr std::size_t max_pairs = 3;
  std::vector<std::string> texts;
  for (const auto& [streams, overlap] : all.pairs) {
    if (texts.size() == max_pairs) break;
    texts.push_back(fmt::format("streams {} and {} are the same from words {} and {} on",
                                overlap.stream, overlap.other_stream, overlap.number,
                                overlap.other_number));
  }
  if (all.pairs.size() > max_pairs) {
    texts.push_back(fmt::format("and {} more pairs", all.pairs.size() - max_pairs));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<PValue> judge_windows(Test, Counters counts, const Windows& windows) {
  KeptWindows kept(windows.kept.begin(), windows.kept.end());
  thin(kept, window_level(counts[0]));
  const double number = to_double(kept.size());
  const Overlaps found = overlaps_among(std::move(kept), windows.turns);
  const double expected_level = std::ldexp(to_double(counts[0]), -counted_level);
  PValue equal{"", to_double(found.equal),
               poisson_p(std::ldexp(number * number, -65), found.equal)};
  equal.note = description_of(found);
  return {equal, {"kept", to_double(counts[1]), poisson_p(expected_level, counts[1])}};
}

}  // namespace

std::uint64_t reach_of_windows(const Interleaving& turns) {
  if (is_in_a_run(turns)) return window_words;
  return turns.distance(turns.run - 1, window_words - 1) + 1;
}

/// Counts equal windows among the kept windows.
TestClass families::overlaps() {
  TestClass overlaps("Overlaps", "windows of 4 words of a stream");
  overlaps.counters = [](Test) { return std::uint64_t{2}; };
  overlaps.words = every_word;
  overlaps.bytes = [](Test test) { return 4 * room_for(test.n) * sizeof(std::uint64_t); };
  overlaps.counted = keep_windows;
  overlaps.judge_windows = judge_windows;
  overlaps.pools = true;
  overlaps.min_items = [](Test) { return std::uint64_t{1}; };
  return overlaps;
}

}  // namespace rivulet::detail
