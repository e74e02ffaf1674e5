// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "rng/side_by_side.hpp"

namespace rivulet::detail {

/// How many numbers of a format fill a generator's rounds.
template <class Streams, class Format>
struct FormatPeriod {
  static constexpr NumberPeriod period{Streams::round_numbers, Format::raw};
  static constexpr int numbers = period.numbers;
  static constexpr int rounds = period.rounds;
};

/// NumberFormat's floating-point numbers, bit for bit, in an interval that is chosen as the program
/// runs: for kernels that are not worth an instance for each.
template <int bits, class Real>
class AnyIntervalFormat {
  using Usual = NumberFormat<bits, Real, Interval::closed_open>;
  using Integer = typename Usual::Integer;
  /// Bits that a number is made of, which raw number has the lowest of them, and how many bits of
  /// that are left out.
  static constexpr bool is_float = std::is_same_v<Real, float>;
  static constexpr int k = is_float ? 24 : Usual::own == 32 ? 53 : bits;
  static constexpr int lowest = bits == 64 ? 0 : Usual::raw - 1;
  static constexpr int left_out = is_float ? Usual::own - 24 : bits == 64 ? 11 : bits == 32 ? 6 : 0;
  static constexpr auto size = static_cast<Real>(std::uint64_t{1} << k);

 public:
  static constexpr int raw = Usual::raw;

  explicit AnyIntervalFormat(Interval interval) {
    constexpr Real unit = 1 / size;
    constexpr bool half_fits = !is_float && k < 53;
    if (interval == Interval::open && half_fits) {
      offset_ = unit / 2;
    } else if (interval == Interval::open) {
      odd_ = Integer{1} << left_out;
    } else if (interval == Interval::open_closed) {
      offset_ = unit;
    } else if (interval == Interval::closed) {
      // n / (2^k - 1) is n 2^-k and this part of it. No such quotient is so near to where rounding
      // changes that the part's own error shows.
      part_ = 1 / (size - 1);
    } else if (interval == Interval::zero_replaced) {
      least_ = unit;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Real make(const Integer* from, int stride) const {
    Integer own[raw];
    for (int r = 0; r < raw; ++r) own[r] = from[r * stride];
    own[lowest] |= odd_;
    const Real exact = Usual::make(own, 1) + offset_;
    const Real number = std::fma(exact, part_, exact);
    return number < least_ ? least_ : number;
  }

 private:
  Integer odd_ = 0;
  Real offset_ = 0;
  Real part_ = 0;
  Real least_ = 0;
};

/// The type of a format's numbers.
template <class Format>
using NumberOf = decltype(std::declval<const Format&>().make(nullptr, 1));

/// A generator's streams in a thread of a device: several side by side, or one.
template <class Streams, int width>
struct ThreadStreams {
  using W = SideBySide<width>;
  using Group = W;
  using Bounds = typename Streams::SideBySideBounds;
};
template <class Streams>
struct ThreadStreams<Streams, 1> {
  using W = typename Streams::Integer;
  using Group = Word;
  using Bounds = typename Streams::Bounds;
};

/// The lane mapping on a device, from registers to memory without a stop: a thread has as many
/// streams as write 16 bytes at a time, where its registers hold them.
template <class Streams, class Format>
struct DrawThread {
  using Out = NumberOf<Format>;
  static constexpr int width = std::min(Streams::most_side_by_side, 16 / int{sizeof(Out)});
  using Period = FormatPeriod<Streams, Format>;
  using Thread = ThreadStreams<Streams, width>;
  using Engine = typename Streams::template EngineOf<typename Thread::Group>;
  using W = typename Thread::W;
  using Bounds = typename Thread::Bounds;
  static constexpr std::uint64_t numbers = Period::numbers;

  Streams streams;
  DrawnPiece what;
  DrawnLayout layout;
  Format format;
  Out* to;
  bool together;  ///< rows, numbers of each of a thread's streams, are written at once

  DrawThread(const Streams& own, const DrawnPiece& drawn, const DrawnLayout& places,
             const Format& made, Out* out)
      : streams(own),
        what(drawn),
        layout(places),
        format(made),
        to(out),
        together(width == 1 || lie_together()) {}

  std::uint64_t threads() const { return (what.piece.streams + width - 1) / width; }

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    const std::uint64_t first = thread * width;
    Engine engine = streams.template load<typename Thread::Group>(what.piece.first + first);
    const PieceCut cut(what, first, numbers);
    std::uint64_t skip = cut.skip;
    std::uint64_t left = cut.left;  // no other of these streams has more than the first
    const bool whole_rows = together && first + width <= what.piece.streams;
    Out* out = to + layout.place(first);
    for (bool more = true; more;) {
      if (whole_rows && skip == 0) draw_periods(engine, left, fewer(first, width - 1), out);
      more = left >= numbers;
      if (!more) streams.store(what.piece.first + first, engine);
      if (left > 0) draw_part(engine, first, skip, left, out);
      out += (numbers - skip) * layout.numbers.number_stride;
      left -= more ? numbers : 0;
      skip = 0;
    }
  }

 private:
  /// A number of each of the thread's streams.
  struct alignas(width * sizeof(Out)) Row {
    Out number[width];
  };

  /// Whether numbers of a whole group of streams lie side by side at multiples of their size.
  bool lie_together() const {
    const bool in_rows = layout.segment_stride == 0 || layout.streams % width == 0;
    return in_rows && layout.numbers.stream_stride == 1 &&
           layout.numbers.number_stride % width == 0 && layout.segment_stride % width == 0 &&
           reinterpret_cast<std::uintptr_t>(to) % sizeof(Row) == 0;
  }

  /// How many numbers less than the thread's first stream another one of it has.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t fewer(std::uint64_t first, int other) const {
    return what.numbers(first) - what.numbers(first + static_cast<std::uint64_t>(other));
  }

  /// All whole periods that each of the thread's streams has, the last of them `fewer` numbers less
  /// than the first.
  KOKKOS_FORCEINLINE_FUNCTION void draw_periods(Engine& engine, std::uint64_t& left,
                                                std::uint64_t fewer, Out*& out) const {
    const std::uint64_t stride = layout.numbers.number_stride;
    for (; left >= numbers + fewer; left -= numbers) {
      draw(engine, [&out, stride](int, const Row& row) RIVULET_INLINE_LAMBDA {
        *reinterpret_cast<Row*>(out) = row;
        out += stride;
      });
    }
  }

  /// A period's numbers from `from` on, as far as each stream has them, wherever they go: the first
  /// stream's to out. What is known of the others is found anew: registers that hold it meanwhile
  /// would be too many.
  KOKKOS_FORCEINLINE_FUNCTION void draw_part(Engine& engine, std::uint64_t first,
                                             std::uint64_t from, std::uint64_t left,
                                             Out* out) const {
    const std::uint64_t stride = layout.numbers.number_stride;
    const auto most = [](std::uint64_t some) {
      return static_cast<int>(some < numbers ? some : numbers);
    };
    const int begin = static_cast<int>(from);
    int upto[width] = {most(left)};
    Out* own[width] = {out};
    for (int l = 1; l < width; ++l) {
      const std::uint64_t index = first + static_cast<std::uint64_t>(l);
      const std::uint64_t less = fewer(first, l);
      upto[l] = index < what.piece.streams && left > less ? most(left - less) : 0;
      own[l] = out + (layout.place(index) - layout.place(first));
    }
    draw(engine, [&, begin, stride](int i, const Row& row) RIVULET_INLINE_LAMBDA {
      for (int l = 0; l < width; ++l) {
        if (i < begin || i >= upto[l]) continue;
        *own[l] = row.number[l];
        own[l] += stride;
      }
    });
  }

  /// A period's numbers, each to use(index, row).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(Engine& engine, Use&& use) const {
    W raw[Format::raw];
    draw_rounds(engine, raw, use, std::make_integer_sequence<int, Period::rounds>{});
  }
  template <class Use, int... round>
  KOKKOS_FORCEINLINE_FUNCTION void draw_rounds(Engine& engine, W (&raw)[Format::raw], Use&& use,
                                               std::integer_sequence<int, round...>) const {
    (draw_round<round>(engine, raw, use), ...);
  }
  template <int round, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw_round(Engine& engine, W (&raw)[Format::raw],
                                              Use&& use) const {
    engine.draw_each([this, &raw, &use](int k, const W& number) RIVULET_INLINE_LAMBDA {
      const int index = round * Streams::round_numbers + k;
      raw[index % Format::raw] = number;
      if ((index + 1) % Format::raw == 0) use(index / Format::raw, made_of(raw));
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION Row made_of(const W (&raw)[Format::raw]) const {
    Row row;
    for (int l = 0; l < width; ++l) {
      typename Streams::Integer own[Format::raw];
      for (int r = 0; r < Format::raw; ++r) own[r] = WordTraits<W>::lane(raw[r], l);
      row.number[l] = format.make(own, 1);
    }
    return row;
  }
};

}  // namespace rivulet::detail
