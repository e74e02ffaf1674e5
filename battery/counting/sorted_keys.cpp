// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/counting/sorted_keys.hpp"

// Since version 4.0, Kokkos::sort() calls the vendor's library on a device. Without this library,
// Kokkos would sort by bins, so sort_digit() is used instead.
#if KOKKOS_VERSION >= 40000 && (defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_ROCTHRUST))
#define RIVULET_DEVICE_SORTS
#include <Kokkos_Sort.hpp>
#endif

#include <bit>
#include <utility>

#include "machine/out_of_memory.hpp"

namespace rivulet::detail {
namespace {

/// On a CPU, a lane's offsets for all digits fit into the L1 cache. On a device, the offsets are in
/// global memory.
constexpr int digit_bits = device_build ? 8 : 11;
constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
/// Minimum number of keys per lane. The number is a multiple of `digits`, because each lane has its
/// own counter per digit.
constexpr std::uint64_t min_keys_per_lane = 16 * digits;

/// Sorts keys by one digit (a stable counting sort). Each lane counts the digits of its keys, and
/// then moves the keys, in order, to their sorted positions. `places` holds the next sorted
/// positions, by digit and then by lane.
void sort_digit(const Space& space, const std::uint64_t* from, std::uint64_t* to,
                std::uint64_t* places, LaneItems share, int shift) {
  const std::uint64_t lanes = share.lanes;
  for_each(
      space, lanes, "rivulet::battery_digits", KOKKOS_LAMBDA(const std::uint64_t lane) {
        const std::uint64_t end = share.range_begin(lane + 1);
        for (std::uint64_t digit = 0; digit < digits; ++digit) places[digit * lanes + lane] = 0;
        for (std::uint64_t i = share.range_begin(lane); i < end; ++i) {
          ++places[(from[i] >> shift & (digits - 1)) * lanes + lane];
        }
      });
  Kokkos::parallel_scan(
      "rivulet::battery_places", LaneRange(space, 0, digits * lanes),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& before, const bool is_last) {
        const std::uint64_t count = places[i];
        if (is_last) places[i] = before;
        before += count;
      });
  for_each(
      space, lanes, "rivulet::battery_sort", KOKKOS_LAMBDA(const std::uint64_t lane) {
        const std::uint64_t end = share.range_begin(lane + 1);
        for (std::uint64_t i = share.range_begin(lane); i < end; ++i) {
          to[places[(from[i] >> shift & (digits - 1)) * lanes + lane]++] = from[i];
        }
      });
}

}  // namespace

SortedKeys::SortedKeys(const Space& space, std::uint64_t count)
    : space_(space), count_(count), lanes_(lane_items(space, count, min_keys_per_lane).lanes) {
  require_memory_for("keys to be sorted", bytes(count),
                     "Choose smaller battery.tests, or a machine with more memory.", [&] {
                       keys_ = uninitialised<std::uint64_t>("rivulet::battery_keys", count);
                       other_ = uninitialised<std::uint64_t>("rivulet::battery_other_keys", count);
                       places_ =
                           uninitialised<std::uint64_t>("rivulet::battery_places", digits * lanes_);
                     });
}

void SortedKeys::sort(int bits, [[maybe_unused]] int sorted_bits) {
#ifdef RIVULET_DEVICE_SORTS
  Kokkos::sort(space_, Kokkos::subview(keys_, Kokkos::make_pair(std::uint64_t{0}, count_)));
  static_cast<void>(bits);
#else
  for (int shift = sorted_bits; shift < bits; shift += digit_bits) {
    sort_digit(space_, keys_.data(), other_.data(), places_.data(), {lanes_, count_}, shift);
    std::swap(keys_, other_);
  }
#endif
}

void SortedKeys::to_spacings(std::uint64_t cells) {
  const Keys from = keys_, to = other_;
  const std::uint64_t count = count_;
  for_each(
      space_, count, "rivulet::battery_spacings", KOKKOS_LAMBDA(const std::uint64_t i) {
        to(i) = (i + 1 < count ? from(i + 1) : cells + from(0)) - from(i);
      });
  std::swap(keys_, other_);
}

int SortedKeys::bits() const {
  const Keys keys = keys_;
  std::uint64_t largest = 0;
  Kokkos::parallel_reduce(
      "rivulet::battery_largest", LaneRange(space_, 0, count_),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& max_key) {
        if (keys(i) > max_key) max_key = keys(i);
      },
      Kokkos::Max<std::uint64_t>(largest));
  return static_cast<int>(std::bit_width(largest));
}

std::uint64_t SortedKeys::repeated() const {
  const Keys keys = keys_;
  return sum_over(
      space_, count_, "rivulet::battery_repeated",
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& sum) {
        sum += i > 0 && keys(i) == keys(i - 1) ? 1 : 0;
      });
}

int SortedKeys::agreed(int bits) const {
  // The two keys with the longest common prefix are adjacent after sorting.
  const Keys keys = keys_;
  std::uint64_t min_difference = 0;
  Kokkos::parallel_reduce(
      "rivulet::battery_agreed", LaneRange(space_, 1, count_),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& differ) {
        if ((keys(i) ^ keys(i - 1)) < differ) differ = keys(i) ^ keys(i - 1);
      },
      Kokkos::Min<std::uint64_t>(min_difference));
  return bits - static_cast<int>(std::bit_width(min_difference));
}

std::vector<std::uint64_t> SortedKeys::below(const std::vector<std::uint64_t>& values) const {
  const Keys keys = keys_, found = on_device(values, "rivulet::battery_below");
  const std::uint64_t count = count_;
  for_each(
      space_, values.size(), "rivulet::battery_below", KOKKOS_LAMBDA(const std::uint64_t i) {
        found(i) = keys_below(keys.data(), count, found(i));
      });
  return on_host(space_, found);
}

}  // namespace rivulet::detail
