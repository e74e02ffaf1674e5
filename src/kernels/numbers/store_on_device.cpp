// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/store_numbers.hpp"

#if RIVULET_DEVICE_BUILD

#include <algorithm>
#include <limits>

#include "generators/with_generator.hpp"
#include "kernels/numbers/store_rows_on_device.hpp"

namespace rivulet {

template <class G>
void store_numbers_of(const NumberStore& args);

void store_numbers(const NumberStore& args) {
  with_generator(args.source.plan(), [&](auto type, const auto&) {
    store_numbers_of<typename decltype(type)::type>(args);
  });
}

std::uint64_t NumberSource::max_useful_streams(std::uint64_t numbers) const {
  // Numbers per launch that amortise the cost of the launch. Measured on an H200 (2026-11-29, 4e9
  // numbers of mt19937): with 67584 streams, launches of 16896 streams draw 7.5e11 words/s, and
  // launches of 4224 streams 6.7e11. With 2^20 streams, launches of 270336 streams draw 3.7e11
  // words/s, and launches of 4224 streams 2.1e11.
  constexpr std::uint64_t enough_numbers = 1 << 30;
  // Minimum size in bytes of a state that should be loaded once, not for each piece of the buffer.
  // Measured as above with 2^20 streams: if a quarter of the streams, instead of all, is drawn at a
  // time, the rate of ranmar48 increases from 6.1e11 to 6.7e11 words/s, and that of dcmt521
  // from 9.4e11 to 9.7e11.
  constexpr std::uint64_t long_state = 64;
  return with_generator(source_->plan(), [&](auto type, const auto&) {
    using Streams = typename decltype(type)::type::Streams;
    using Consumer = StoreFormat<NumberFormat<Streams::bits, std::uint32_t, Interval::closed_open>>;
    if constexpr (rows_fit<Streams, Consumer>) {
      const std::uint64_t at_once = StoreRowsByTeam<Streams, Consumer>::at_once(space_);
      return at_once * std::max(enough_numbers / at_once / numbers, std::uint64_t{1});
    } else if constexpr (!StreamsWithoutState<Streams>) {
      if (Streams::words * Streams::word_bytes >= long_state) {
        return static_cast<std::uint64_t>(space_.concurrency());
      }
    }
    return std::numeric_limits<std::uint64_t>::max();
  });
}

}  // namespace rivulet

#endif
