// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rivulet/detail/rng/dcmt.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Draws from one dcmt stream with all lanes of a team's thread, n numbers at a time: each half of
/// a range depends on what precedes it only. For twisters of few words.
template <int P>
class DcmtHalves {
 public:
  static constexpr DcmtShape shape = dcmt_shape(P);
  /// Numbers that a call of draw() draws.
  static constexpr int team_numbers = shape.n;
  static constexpr std::size_t scratch_bytes = 2 * sizeof(std::uint32_t) * shape.n;

  /// Loads the state into scratch memory.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION DcmtHalves(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                             void* scratch)
      : parameters_(streams.parameters(stream)),
        old_(static_cast<std::uint32_t*>(scratch)),
        new_(old_ + shape.n) {
    std::uint32_t* const x = old_;
    lanes.each(shape.n, [&](int k) { x[k] = streams.word(k, stream); });
  }

  /// The next team_numbers numbers, to to[0 ..], which all lanes see.
  template <class Lanes>
  KOKKOS_FUNCTION void draw(const Lanes& lanes, std::uint32_t* to) {
    constexpr int n = shape.n;
    constexpr int m = shape.m;
    const std::uint32_t* const x = state();
    std::uint32_t* const y = device_build ? old_ + (n - now_) : new_;
    const DcmtParameters<std::uint32_t> set = parameters_;
    lanes.each(n - m, [&](int k) {
      y[k] = dcmt_twist<P>(x[k], x[k + 1], x[k + m], set.a);
      to[k] = dcmt_temper(y[k], set.b, set.c);
    });
    lanes.each(m, [&](int j) {
      const int k = j + n - m;
      y[k] = dcmt_twist<P>(x[k], k + 1 < n ? x[k + 1] : y[0], y[k + m - n], set.a);
      to[k] = dcmt_temper(y[k], set.b, set.c);
    });
    swap();
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, const Streams& streams,
                             std::uint64_t stream) const {
    const std::uint32_t* const x = state();
    lanes.each(shape.n, [&](int k) { streams.word(k, stream) = x[k]; });
  }

 private:
  /// The state and room for the next change places. Not by swapping pointers on a device: CUDA
  /// 13.0 then writes through the wrong one.
  KOKKOS_FORCEINLINE_FUNCTION void swap() {
    if constexpr (device_build) {
      now_ = shape.n - now_;
    } else {
      std::uint32_t* const swapped = old_;
      old_ = new_;
      new_ = swapped;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* state() const {
    return device_build ? old_ + now_ : old_;
  }

  DcmtParameters<std::uint32_t> parameters_;
  std::uint32_t* old_;
  std::uint32_t* new_;
  int now_ = 0;  ///< on a device, where the state is from old_ on
};

/// The same on a CPU for twisters whose words depend on none of the 16 before them: vectors of
/// words, in a line of memory. When the line is full, the state goes back to the beginning.
template <int P>
class DcmtLine {
 public:
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int width = lanes<Word>;
  static constexpr int most_width = 16;  ///< 512 bits
  /// Whether a vector's words do not depend on each other.
  static constexpr bool fits =
      !device_build && width > 1 && width <= most_width&& shape.n - shape.m >= most_width;
  /// Whole vectors, so that none is made twice.
  static constexpr int team_numbers = shape.n * most_width;
  static constexpr int line_words = shape.n + 2 * team_numbers + most_width;
  static constexpr std::size_t scratch_bytes = sizeof(std::uint32_t) * line_words;

  template <class Lanes, class Streams>
  KOKKOS_FUNCTION DcmtLine(const Lanes& all, const Streams& streams, std::uint64_t stream,
                           void* scratch)
      : parameters_(streams.parameters(stream)), line_(static_cast<std::uint32_t*>(scratch)) {
    std::uint32_t* const x = line_;
    all.each(shape.n, [&](int k) { x[k] = streams.word(k, stream); });
  }

  /// The next numbers, a multiple of n up to team_numbers, to to[0 ..].
  template <class Lanes>
  KOKKOS_FUNCTION void draw(const Lanes& all, std::uint32_t* to, int numbers = team_numbers) {
    using Traits = WordTraits<Word>;
    if (oldest_ + shape.n + numbers + width > line_words) move_back();
    std::uint32_t* const line = line_ + oldest_;
    const Word b(parameters_.b);
    const Word c(parameters_.c);
    const int whole = numbers / width;
    all.each(whole, [&](int i) RIVULET_INLINE_LAMBDA {
      Traits::store(dcmt_temper(next(line + i * width), b, c), to + i * width);
    });
    // The last vector's words beyond the numbers are made again by the next draw.
    if (numbers % width != 0) next(line + whole * width);
    for (int k = whole * width; k < numbers; ++k) {
      to[k] = dcmt_temper(line[shape.n + k], parameters_.b, parameters_.c);
    }
    oldest_ += numbers;
  }

  /// Puts the state back.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& all, const Streams& streams, std::uint64_t stream) const {
    all.each(shape.n, [&](int k) { streams.word(k, stream) = line_[oldest_ + k]; });
  }

 private:
  /// Makes the words n places after x[0 ..], which come behind them.
  KOKKOS_FORCEINLINE_FUNCTION Word next(std::uint32_t* x) const {
    using Traits = WordTraits<Word>;
    const Word made = dcmt_twist<P>(Traits::load(x), Traits::load(x + 1), Traits::load(x + shape.m),
                                    Word(parameters_.a));
    Traits::store(made, x + shape.n);
    return made;
  }
  KOKKOS_FUNCTION void move_back() {
    for (int k = 0; k < shape.n; ++k) line_[k] = line_[oldest_ + k];
    oldest_ = 0;
  }

  DcmtParameters<std::uint32_t> parameters_;
  std::uint32_t* line_;
  int oldest_ = 0;
};

}  // namespace rivulet
