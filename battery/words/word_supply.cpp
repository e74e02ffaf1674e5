// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/words/word_supply.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "rivulet/detail/rng/splitmix64.hpp"

namespace rivulet {
namespace {

/// Limit on the words whose low bits are packed together.
constexpr std::uint64_t words_at_once = std::uint64_t{1} << (device_build ? 24 : 18);
/// Limit on the words that a group of streams draws together.
constexpr std::uint64_t words_of_streams = std::uint64_t{1} << (device_build ? 28 : 24);

/// Streams that can draw their numbers from any position.
struct PlacedStreams {
  std::shared_ptr<NumberSource> source;
  std::uint64_t base = 0;                  ///< index of the number that the source counts as 0
  std::optional<std::uint64_t> next = {};  ///< index of the next number to draw

  void draw(std::uint64_t number, std::uint64_t count, const NumberLayout& layout,
            std::uint32_t* to) {
    if (number != next) {
      const std::uint64_t periods = number / source->period();
      source->restart();
      source->advance(periods);
      base = periods * source->period();
    }
    source->draw({0, source->count(), number - base, count}, layout, to);
    next = number + count;
  }
};

/// Returns a supply that draws one word from each stream in turn, plan by plan.
WordSupply interleaved(std::vector<PlacedStreams> all) {
  const NumberSource& first_source = *all.front().source;
  const std::uint64_t period = first_source.period(), streams = first_source.count();
  WordSupply words{.unit = period * streams * all.size(),
                   .state_bytes = first_source.state_bytes() * all.size()};
  words.draw = [=, all = std::move(all)](std::uint64_t first, std::uint64_t units,
                                         std::uint32_t* to) mutable {
    for (PlacedStreams& streams_of_plan : all) {
      streams_of_plan.draw(first * period, units * period, {1, streams * all.size()}, to);
      to += streams;
    }
    return no_end;
  };
  return words;
}

/// Returns a supply that draws a run of words from each stream in turn. Streams are drawn in groups
/// that fit into memory; source(first) creates a group of `together` streams whose first stream is
/// `first`. A unit is one run of each stream in a group, or one word if a group is one stream.
template <class MakeSource>
WordSupply in_runs(std::uint64_t streams, std::uint64_t together, std::uint64_t run,
                   const MakeSource& source) {
  const std::uint64_t groups = streams / together;
  PlacedStreams now{source(0)};
  WordSupply words{.unit = together == 1 ? 1 : run * together,
                   .state_bytes = now.source->state_bytes()};
  words.draw = [=, unit = words.unit, group = std::uint64_t{0}](
                   std::uint64_t first, std::uint64_t units, std::uint32_t* to) mutable {
    std::uint64_t word = first * unit / together;  // position in units of `together` words
    for (const std::uint64_t end = word + units * unit / together; word < end;) {
      const std::uint64_t turn = word / run;
      const std::uint64_t count = std::min(end, (turn + 1) * run) - word;
      if (group != turn % groups) {
        group = turn % groups;
        now = {};  // frees memory before the next allocation
        now = {source(group * together)};
      }
      now.draw(turn / groups * run + word % run, count, {run, 1}, to);
      word += count;
      to += count * together;
    }
    return no_end;
  };
  return words;
}

/// Reads words from a position into host memory. Returns the position after the last word that was
/// read. At the end of the sequence, this position is lower than requested.
using HostWords = std::function<std::uint64_t(std::uint64_t, std::span<std::uint32_t>)>;

WordSupply from_host(const Space& space, HostWords read) {
  WordSupply words;
  words.draw = [=, memory = std::vector<std::uint32_t>(std::uint64_t{1} << 18), known_end = no_end](
                   std::uint64_t at, std::uint64_t count, std::uint32_t* to) mutable {
    for (const std::uint64_t end = at + count; at < end;) {
      const auto part = std::span(memory).first(std::min<std::uint64_t>(end - at, memory.size()));
      const std::uint64_t words_end = at < known_end ? read(at, part) : known_end;
      if (words_end < at + part.size()) known_end = words_end;
      for (std::uint64_t i = words_end > at ? words_end - at : 0; i < part.size(); ++i) {
        // Words after the end are random. Tests that read until an event occurs might not end
        // otherwise.
        part[i] = static_cast<std::uint32_t>(splitmix64_mix((at + i) * splitmix64_increment));
      }
      Kokkos::deep_copy(space, Borrowed<std::uint32_t>(to, part.size()),
                        Borrowed<const std::uint32_t, Kokkos::HostSpace>(part.data(), part.size()));
      space.fence();
      at += part.size();
      to += part.size();
    }
    return known_end;
  };
  return words;
}

/// Returns the word with its bits reversed: bit i becomes bit 31 - i.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t reversed(std::uint32_t word) {
  word = (word >> 1 & 0x55555555U) | (word & 0x55555555U) << 1;
  word = (word >> 2 & 0x33333333U) | (word & 0x33333333U) << 2;
  word = (word >> 4 & 0x0f0f0f0fU) | (word & 0x0f0f0f0fU) << 4;
  word = (word >> 8 & 0x00ff00ffU) | (word & 0x00ff00ffU) << 8;
  return word >> 16 | word << 16;
}

void reverse(const Space& space, std::uint32_t* words, std::uint64_t count) {
  for_each(
      space, count, "rivulet::battery_reverse",
      KOKKOS_LAMBDA(const std::uint64_t i) { words[i] = reversed(words[i]); });
}

/// Packs the low `width` bits of every `stride`-th word into words. The first word's bits are the
/// lowest.
void pack(const Space& space, const Owned<std::uint32_t>& from, unsigned width,
          std::uint64_t stride, std::uint64_t count, std::uint32_t* to) {
  for_each(
      space, count, "rivulet::battery_low_bits", KOKKOS_LAMBDA(const std::uint64_t i) {
        const unsigned parts = 32 / width;
        std::uint32_t word = 0;
        for (unsigned j = 0; j < parts; ++j) {
          word |= (from((i * parts + j) * stride) & (~0U >> (32 - width))) << (j * width);
        }
        to[i] = word;
      });
}

WordSupply low_bits(const Space& space, WordSupply all, unsigned width, std::uint64_t stride) {
  const std::uint64_t each = 32 / width * stride;  // input words per output word
  const std::uint64_t drawn = std::lcm(all.unit, each), all_units = drawn / all.unit;
  const std::uint64_t unit = drawn / each;
  const std::uint64_t at_once = std::max<std::uint64_t>(words_at_once / drawn, 1);
  const auto memory = uninitialised<std::uint32_t>("rivulet::battery_all_bits", at_once * drawn);
  WordSupply words = all;
  words.unit = unit;
  words.end /= each;
  words.state_bytes += memory.extent(0) * sizeof(std::uint32_t);
  words.draw = [=, all = std::move(all)](std::uint64_t first, std::uint64_t units,
                                         std::uint32_t* to) {
    std::uint64_t end = no_end;
    for (std::uint64_t done = 0; done < units; done += at_once) {
      const std::uint64_t some = std::min(at_once, units - done);
      end = all.draw((first + done) * all_units, some * all_units, memory.data());
      pack(space, memory, width, stride, some * unit, to + done * unit);
    }
    return end / each;
  };
  return words;
}

/// Returns a supply of the chosen bits. `stride` is the distance between the words that supply low
/// bits: 2 if two words form a 64-bit number.
WordSupply bits_of(const Space& space, WordSupply all, WordBits bits, std::uint64_t stride) {
  if (bits == WordBits::low8) return low_bits(space, std::move(all), 8, stride);
  if (bits == WordBits::low1) return low_bits(space, std::move(all), 1, stride);
  if (bits == WordBits::all) return all;
  WordSupply words = all;
  words.draw = [=, all = std::move(all)](std::uint64_t first, std::uint64_t units,
                                         std::uint32_t* to) {
    const std::uint64_t end = all.draw(first, units, to);
    reverse(space, to, units * all.unit);
    return end;
  };
  return words;
}

}  // namespace

WordSupply make_word_supply(const Space& space, const std::vector<const StreamPlan*>& plans,
                            StreamRange streams, StreamMapping mapping, std::uint64_t segments,
                            const WordOrder& order) {
  NumberRequest request;
  request.type = NumberType::uint32;
  request.mapping = mapping;
  request.segments = segments;
  WordSupply all;
  if (order.run == 0) {
    std::vector<PlacedStreams> sources;
    for (const StreamPlan* const plan : plans) {
      sources.push_back({make_number_source(space, *plan, streams, request)});
    }
    all = interleaved(std::move(sources));
  } else {
    auto together = std::clamp<std::uint64_t>(words_of_streams / order.run, 1, streams.count);
    while (streams.count % together != 0) --together;
    all =
        in_runs(streams.count, together, order.run, [=, plan = plans.front()](std::uint64_t first) {
          return make_number_source(space, *plan, {streams.first + first, together}, request);
        });
  }
  if (order.step > 1) all = low_bits(space, std::move(all), 32, order.step);
  return bits_of(space, std::move(all), order.bits, 1);
}

WordSupply make_word_supply(const Space& space, io::RawWords words, WordBits bits) {
  const auto source = std::make_shared<io::RawWords>(std::move(words));
  WordSupply all = from_host(space, [source](std::uint64_t position, std::span<std::uint32_t> to) {
    const std::uint64_t read_words = source->read(position, to);
    return read_words < to.size() ? source->half_count() : position + read_words;
  });
  all.end = source->half_count();
  all.is_sequential = source->is_sequential();
  const std::uint64_t halves = source->form().halves;
  all.unit = halves;
  all.draw = [draw = all.draw, halves](std::uint64_t first, std::uint64_t units,
                                       std::uint32_t* to) {
    return draw(first * halves, units * halves, to);
  };
  return bits_of(space, std::move(all), bits, halves);
}

WordSupply make_word_supply(std::uint64_t unit, DrawWords draw) {
  WordSupply words{.unit = unit, .is_sequential = true};
  words.draw = [=, next = std::uint64_t{0}](std::uint64_t first, std::uint64_t units,
                                            std::uint32_t* to) mutable {
    while (next < first + units) {
      const std::uint64_t some = next < first ? std::min(first - next, units) : units;
      draw(some, to);
      next += some;
    }
    return no_end;
  };
  return words;
}

WordSupply make_word_supply(const Space& space, ReadWords read) {
  WordSupply words = from_host(
      space,
      [=, next = std::uint64_t{0}](std::uint64_t position, std::span<std::uint32_t> to) mutable {
        for (const std::uint64_t end = position + to.size(); next < end;) {
          const std::uint64_t wanted = next < position ? position - next : to.size();
          const auto part = to.first(std::min<std::uint64_t>(wanted, to.size()));
          const std::uint64_t read_words = read(part);
          next += read_words;
          if (read_words < part.size()) break;
        }
        return next;
      });
  words.is_sequential = true;
  return words;
}

}  // namespace rivulet
