// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "kernels/numbers/number_source.hpp"
#include "kernels/numbers/number_writer.hpp"

namespace rivulet {

#if !RIVULET_DEVICE_BUILD

/// A consumer that stores the numbers of a work on a CPU: at any offsets, in rows of adjacent
/// streams, or in one column per stream. `Number`: the integer type of the generator's raw numbers.
template <class Number>
class StoreNumbers {
 public:
  using Integer = Number;
  using Writer = detail::NumberWriter<Integer>;
  static constexpr const char* label = "rivulet::draw_numbers";

  enum class Mode {
    scattered,
    rows,    ///< one number per stream and row, in complete cache lines
    columns  ///< contiguous numbers of each stream
  };

  ItemShape shape;

  /// `non_temporal`: columns use non-temporal stores (rows always do). `groups`: number of groups,
  /// of lanes<Word> streams each, that one draw of rows covers; a power of two up to
  /// groups_of_lines.
  StoreNumbers(const Writer& writer, const Work& work, const NumberPlaces& places, void* to,
               Mode mode, bool non_temporal, int groups = 1)
      : shape{writer.raw, true},
        writer_(writer),
        work_(work),
        places_(places),
        to_(static_cast<std::byte*>(to)),
        mode_(mode),
        non_temporal_(non_temporal),
        groups_(groups) {}

  void by_lanes(HostDraw<Integer>& draw) const;
  void by_stream(HostDraw<Integer>& draw) const;

  /// Returns the consumer for HostDraw, with the fastest number of items per draw.
  HostConsumer<Integer> host() const;

 private:
  void store_scattered(HostDraw<Integer>& draw) const;
  void store_rows(HostDraw<Integer>& draw) const;
  void store_columns(HostDraw<Integer>& draw) const;
  std::byte* address(std::uint64_t i) const { return to_ + places_.offset(i) * writer_.bytes; }

  Writer writer_;
  Work work_;
  NumberPlaces places_;
  std::byte* to_;
  Mode mode_;
  bool non_temporal_;
  int groups_;
};

extern template class StoreNumbers<std::uint32_t>;
extern template class StoreNumbers<std::uint64_t>;

#endif

}  // namespace rivulet
