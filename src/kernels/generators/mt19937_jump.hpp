// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/generators/mt19937_streams.hpp"
#include "kernels/generators/twister_jump.hpp"

namespace rivulet {

namespace detail {

/// The exponents of a jump's terms by their remainder modulo the lanes of a word, so that a CPU
/// adds whole vectors that lie at multiples of their size.
class Mt19937Terms {
 public:
  explicit Mt19937Terms(const JumpTable& jump) {
    for (int s = 0; s < lanes<Word>; ++s) {
      for (int i = s; i < Mt19937Recurrence::p; i += lanes<Word>) {
        const std::uint32_t word = jump.bits[static_cast<std::size_t>(i / 32)];
        if ((word >> (i % 32) & 1) != 0) offsets_.push_back(i - s);
      }
      ends_[s + 1] = offsets_.size();
    }
  }
  /// i - s for the terms t^i with i % lanes<Word> == s.
  const int* begin(int s) const { return offsets_.data() + ends_[s]; }
  const int* end(int s) const { return offsets_.data() + ends_[s + 1]; }

 private:
  std::vector<int> offsets_;
  std::size_t ends_[lanes<Word> + 1] = {};
};

/// A jump on a CPU: a thread goes through the terms with a few vectors of the sum in registers.
template <class Streams>
struct Mt19937JumpByThread {
  using Recurrence = Mt19937Recurrence;
  using Traits = WordTraits<Word>;
  static constexpr int n = Recurrence::n;
  static constexpr int width = lanes<Word>;
  /// Vectors that are summed at a time, in most of the registers; in passes, as many as hold any n
  /// words in a row.
  static constexpr int together = width == 16 ? 20 : 10;
  static constexpr int passes = ((n + width - 1) / width + together) / together;
  static constexpr int columns = passes * together * width;
  /// Words of the sequence that are read at most, in whole draws.
  static constexpr int draws =
      (Recurrence::p + columns - n + Recurrence::team_numbers - 1) / Recurrence::team_numbers;

  Streams streams;
  JumpRange range;
  const Mt19937Terms* terms;

  struct alignas(64) Memory {
    std::uint32_t x[n + draws * Recurrence::team_numbers + width];
    std::uint32_t part[columns + width];
    std::uint32_t y[n];
  };

  /// Moves streams number first .. first + lanes<Word> - 1 of the range.
  void operator()(std::uint64_t first) const {
    const auto memory = std::make_unique<Memory>();
    for (std::uint64_t i = first; i < first + width; ++i) {
      const std::uint64_t stream = range.stream(i);
      if (!range.has(stream)) continue;
      draw(*memory, stream - range.distance);
      for (int j = 0; j < n; ++j) memory->y[j] = 0;
      for (int s = 0; s < width; ++s) add(*memory, s);
      streams.put(stream, memory->y);
    }
  }

  /// The sequence from a stream's state on.
  void draw(Memory& memory, std::uint64_t stream) const {
    for (int k = 0; k < n; ++k) memory.x[k] = streams.word(k, stream);
    for (int k = 0; k < draws * Recurrence::team_numbers; k += width) {
      const std::uint32_t* const x = memory.x + k;
      Traits::store(
          Recurrence::twist(Traits::load(x), Traits::load(x + 1), Traits::load(x + Recurrence::m)),
          memory.x + n + k);
    }
  }

  /// Adds the terms of one remainder: y_j = sum over s of part_s[j + s], where part_s is a sum of
  /// whole vectors.
  void add(Memory& memory, int s) const {
    for (int pass = 0; pass < passes; ++pass) {
      const int column = pass * together * width;
      sum(memory.x + column, s, memory.part + column);
    }
    for (int j = 0; j < n; j += width) {
      Traits::store(Traits::load(memory.y + j) ^ Traits::load(memory.part + j + s), memory.y + j);
    }
  }

  void sum(const std::uint32_t* x, int s, std::uint32_t* to) const {
    sum(x, s, to, std::make_integer_sequence<int, together>{});
  }
  template <int... v>
  void sum(const std::uint32_t* x, int s, std::uint32_t* to,
           std::integer_sequence<int, v...>) const {
    Word sums[together] = {((void)v, Word(0u))...};
    for (const int* term = terms->begin(s); term != terms->end(s); ++term) {
      const std::uint32_t* const from = x + *term;
      ((sums[v] ^= Traits::load(from + v * width)), ...);
    }
    (Traits::store(sums[v], to + v * width), ...);
  }
};

/// Moves streams by one jump. Asynchronous on devices.
template <class Streams>
void apply_mt19937_jump(const Space& space, const Streams& streams, const JumpTable& jump,
                        const JumpRange& range) {
  if (range.count() == 0) return;
  if constexpr (device_build) {
    jump_by_block(space, "rivulet::mt19937_jump", streams, jump, range);
  } else {
    const Mt19937Terms terms(jump);
    for_each_stream_lane(space, "rivulet::mt19937_jump", range.count(),
                         Mt19937JumpByThread<Streams>{streams, range, &terms});
    space.fence();  // the kernel reads the terms
  }
}

}  // namespace detail
}  // namespace rivulet
