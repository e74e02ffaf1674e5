// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/counting/sorted_keys.hpp"

// Kokkos sorts by the vendor's library from 4.0; what it has otherwise sorts by bins.
#if KOKKOS_VERSION >= 40000 && (defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_ROCTHRUST))
#define RIVULET_DEVICE_SORTS
#include <Kokkos_Sort.hpp>
#endif

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "battery/counting/counting.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {
namespace detail {
namespace {

/// What a core's first cache holds places for; on a device a lane's lie in memory.
constexpr int digit_bits = device_build ? 8 : 11;
constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
/// Fewer keys than this are not worth a lane, whose digits are counted apart.
constexpr std::uint64_t keys_worth_a_lane = 16 * digits;

/// One digit of keys: lanes count theirs, then put them, in order, to their places.
struct SortDigit {
  const std::uint64_t* from;
  std::uint64_t* to;
  std::uint64_t* places;  ///< digit by digit, of each all lanes'
  LaneItems share;
  int shift;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t& place(std::uint64_t key, std::uint64_t lane) const {
    return places[(key >> shift & (digits - 1)) * share.lanes + lane];
  }
  struct Count {};
  KOKKOS_FUNCTION void operator()(Count, std::uint64_t lane) const {
    const std::uint64_t end = share.range_begin(lane + 1);
    for (std::uint64_t digit = 0; digit < digits; ++digit) places[digit * share.lanes + lane] = 0;
    for (std::uint64_t i = share.range_begin(lane); i < end; ++i) ++place(from[i], lane);
  }
  /// Counts become places.
  struct Place {};
  KOKKOS_FUNCTION void operator()(Place, std::uint64_t i, std::uint64_t& before, bool last) const {
    const std::uint64_t count = places[i];
    if (last) places[i] = before;
    before += count;
  }
  struct Put {};
  KOKKOS_FUNCTION void operator()(Put, std::uint64_t lane) const {
    const std::uint64_t end = share.range_begin(lane + 1);
    for (std::uint64_t i = share.range_begin(lane); i < end; ++i) {
      to[place(from[i], lane)++] = from[i];
    }
  }
};

void sort_digit(const Space& space, const SortDigit& digit) {
  const std::uint64_t lanes = digit.share.lanes;
  Kokkos::parallel_for("rivulet::battery_digits", TaggedRange<SortDigit::Count>(space, 0, lanes),
                       digit);
  Kokkos::parallel_scan("rivulet::battery_places",
                        TaggedRange<SortDigit::Place>(space, 0, digits * lanes), digit);
  Kokkos::parallel_for("rivulet::battery_sort", TaggedRange<SortDigit::Put>(space, 0, lanes),
                       digit);
}

struct Spacings {
  const std::uint64_t* from;
  std::uint64_t* to;
  std::uint64_t count;
  std::uint64_t cells;
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    to[i] = (i + 1 < count ? from[i + 1] : cells + from[0]) - from[i];
  }
};

struct LargestKey {
  const std::uint64_t* keys;
  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::uint64_t& most) const {
    if (keys[i] > most) most = keys[i];
  }
};

struct RepeatedKeys {
  const std::uint64_t* keys;
  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::uint64_t& sum) const {
    sum += keys[i] == keys[i - 1] ? 1 : 0;
  }
};

}  // namespace

SortedKeys::SortedKeys(const Space& space, std::uint64_t count)
    : space_(space), count_(count), lanes_(battery_lanes(space, count / keys_worth_a_lane)) {
  require_memory_for("keys to be sorted", bytes(count),
                     "Choose smaller tests, or a machine with more memory.", [&] {
                       const auto keys = [](const std::string& label, std::uint64_t length) {
                         return Keys(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                     length);
                       };
                       keys_ = keys("rivulet::battery_keys", count);
                       other_ = keys("rivulet::battery_other_keys", count);
                       places_ = keys("rivulet::battery_places", digits * lanes_);
                     });
}

void SortedKeys::sort(int bits, [[maybe_unused]] int sorted_bits) {
#ifdef RIVULET_DEVICE_SORTS
  Kokkos::sort(space_, Kokkos::subview(keys_, Kokkos::make_pair(std::uint64_t{0}, count_)));
  static_cast<void>(bits);
#else
  for (int shift = sorted_bits; shift < bits; shift += digit_bits) {
    sort_digit(space_, {keys_.data(), other_.data(), places_.data(), {lanes_, count_}, shift});
    std::swap(keys_, other_);
  }
#endif
}

void SortedKeys::to_spacings(std::uint64_t cells) {
  Kokkos::parallel_for("rivulet::battery_spacings", LaneRange(space_, 0, count_),
                       Spacings{keys_.data(), other_.data(), count_, cells});
  std::swap(keys_, other_);
}

int SortedKeys::bits() const {
  std::uint64_t largest = 0;
  Kokkos::parallel_reduce("rivulet::battery_largest", LaneRange(space_, 0, count_),
                          LargestKey{keys_.data()}, Kokkos::Max<std::uint64_t>(largest));
  return static_cast<int>(std::bit_width(largest));
}

std::uint64_t SortedKeys::repeated() const {
  std::uint64_t repeated = 0;
  Kokkos::parallel_reduce("rivulet::battery_repeated", LaneRange(space_, 1, count_),
                          RepeatedKeys{keys_.data()}, repeated);
  return repeated;
}

}  // namespace detail
}  // namespace rivulet
