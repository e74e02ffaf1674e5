// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "capi/distributions.hpp"

// Draws from laws that use a fixed count of native numbers per number, in blocks that compilers
// vectorize.

namespace rivulet::capi {

/// Converts n < 2^53 exactly, with operations that every vector unit has.
inline double exact_double(std::uint64_t n) {
  constexpr std::uint64_t half = 0xffffffff;
  const auto upper = std::bit_cast<double>(n >> 32 | std::uint64_t{0x453} << 52);     // 2^84 + high
  const auto lower = std::bit_cast<double>((n & half) | std::uint64_t{0x433} << 52);  // 2^52 + low
  return upper - (0x1p84 + 0x1p52) + lower;
}

/// Converts consecutive native numbers of the generator to words or to numbers between 0 and 1.
template <class Format, class Out, Interval interval, class Rng>
void make_plain(const typename Rng::Stored* stored, std::uint64_t count, Out* to) {
  constexpr auto raw = static_cast<std::uint64_t>(Format::raw);
  constexpr bool is_double = std::is_same_v<Out, double> && raw == 2;  // 53 bits
  for (std::uint64_t i = 0; i < count; ++i) {
    typename Format::Integer own[raw];
    for (std::uint64_t k = 0; k < raw; ++k) own[k] = Rng::own(stored[i * raw + k]);
    if constexpr (is_double && (interval == Interval::closed_open || interval == Interval::open ||
                                interval == Interval::open_closed)) {
      const std::uint64_t n = Rng::format_bits == 64
                                  ? (std::uint64_t{own[1]} << 32 | own[0]) >> 11
                                  : std::uint64_t{own[0] >> 5} << 26 | own[1] >> 6;
      to[i] = exact_double(interval == Interval::open          ? n | 1
                           : interval == Interval::open_closed ? n + 1
                                                               : n) *
              0x1p-53;
    } else {
      to[i] = Format::make(own, 1);
    }
  }
}

/// Draws from a law that uses a fixed count of native numbers per number. If a number is as large
/// as the native numbers it is made from, they are drawn into the caller's array, all at once if
/// there are enough for the sequence's threads. Otherwise, pieces that fit in the cache are drawn.
/// change(numbers, count) transforms blocks of uniform numbers to the law.
template <class Out, Interval interval, class Rng, class Change>
void draw_blocks(Rng& rng, const Drawing& drawing, const Change& change) {
  using Format = NumberFormat<Rng::format_bits, Out, interval>;
  using Stored = typename Rng::Stored;
  constexpr auto raw = static_cast<std::uint64_t>(Format::raw);
  constexpr bool in_place = raw * sizeof(Stored) == sizeof(Out);
  constexpr std::uint64_t block = 512;
  constexpr std::uint64_t piece = in_place ? 1 << 17 : 1 << 15;
  constexpr std::uint64_t worth_threads = 1 << 23;
  const std::uint64_t most = in_place && drawing.count >= worth_threads ? drawing.count : piece;
  std::vector<Stored> memory(in_place ? 0 : std::min(most, drawing.count) * raw);
  auto* to = static_cast<Out*>(drawing.to);
  for (std::uint64_t left = drawing.count; left > 0;) {
    const std::uint64_t drawn = std::min(most, left);
    void* const native = in_place ? static_cast<void*>(to) : memory.data();
    rng.synced_sequence().get(drawn * raw, native);
    left -= drawn;
    const auto* from = static_cast<const std::byte*>(native);
    for (Out* const end = to + drawn; to < end;) {
      const std::uint64_t count = std::min(block, static_cast<std::uint64_t>(end - to));
      const std::uint64_t bytes = count * raw * sizeof(Stored);
      Stored stored[block * raw];
      std::memcpy(stored, from, bytes);
      make_plain<Format, Out, interval, Rng>(stored, count, to);
      change(to, count);
      to += count;
      from += bytes;
    }
  }
}

}  // namespace rivulet::capi
