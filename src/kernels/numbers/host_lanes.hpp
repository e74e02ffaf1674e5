// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_lines.hpp"

namespace rivulet::detail {

/// Whether a piece is larger than a CPU's caches, and each stream's part worth the end of streaming
/// stores.
inline bool is_non_temporal(const NumberRequest& request, const NumberPiece& piece,
                            const NumberLayout& layout, std::size_t bytes) {
  constexpr std::uint64_t worth = 1024;  // bytes of a stream: as long as the wait for its last line
  const std::uint64_t extent =
      (piece.streams - 1) * layout.stream_stride + (piece.count - 1) * layout.number_stride + 1;
  return streaming_stores && piece.count * bytes >= std::min(worth, request.stream_from) &&
         std::min(extent, piece.streams * piece.count) * bytes >= request.stream_from;
}

/// The lane mapping on a CPU: what kernel a piece is drawn by.
template <class Streams>
class HostLanes {
 public:
  using Writer = NumberWriter<typename Streams::Integer>;

  HostLanes(const Writer& writer, const NumberRequest& request)
      : writer_(writer), request_(request) {}

  void draw(const Space& space, const Streams& streams, const DrawnPiece& what,
            const DrawnLayout& layout, std::byte* out) const {
    if (layout.numbers.number_stride == 1) {
      const DrawColumns<Streams> body{
          {streams, what, writer_.raw}, layout, writer_, out, is_far(what, layout)};
      return launch_on_host(space, "rivulet::draw_numbers", what.piece.streams, width,
                            host_body(body));
    }
    if (is_plain(what, layout)) return draw_plain(space, streams, what.piece, layout.numbers, out);
    draw_lanes(space, streams, what, layout, out);
  }

 private:
  static constexpr int width = lanes<Word>;

  void draw_lanes(const Space& space, const Streams& streams, const DrawnPiece& what,
                  const DrawnLayout& layout, std::byte* out) const {
    for_each_stream_lane(space, "rivulet::draw_numbers", what.piece.streams,
                         DrawLanes<Streams>{{streams, what, writer_.raw}, layout, writer_, out});
  }

  bool is_far(const DrawnPiece& what, const DrawnLayout& layout) const {
    NumberLayout lying = layout.numbers;
    if (layout.segment_stride > 0) lying.stream_stride = layout.segment_stride;
    return is_non_temporal(request_, what.piece, lying, writer_.bytes);
  }

  /// Whether streams or segments have as many numbers each, which lie as those of streams do.
  static bool is_plain(const DrawnPiece& what, const DrawnLayout& layout) {
    return !what.is_cut() ||
           (layout.segment_stride == 0 && what.numbers(what.piece.streams - 1) == what.piece.count);
  }

  void draw_plain(const Space& space, const Streams& streams, const NumberPiece& piece,
                  const NumberLayout& layout, std::byte* out) const {
    const bool non_temporal = is_non_temporal(request_, piece, layout, writer_.bytes);
    const int groups =
        non_temporal && layout.stream_stride == 1 ? row_groups(space, piece, layout, out) : 0;
    if (groups > 0) return draw_blocks_of_rows(space, groups, streams, piece, layout, out);
    draw_lanes(space, streams, {piece, {}}, {layout}, out);
  }

  /// Groups side by side that stream rows, or 0 where these do not begin with lines.
  int row_groups(const Space& space, const NumberPiece& piece, const NumberLayout& layout,
                 const std::byte* out) const {
    if (width == 1 || reinterpret_cast<std::uintptr_t>(out) % cache_line != 0 ||
        layout.number_stride * writer_.bytes % cache_line != 0) {
      return 0;
    }
    const std::size_t row = width * writer_.bytes;
    const int pair = detail::row_groups(writer_.bytes);
    const auto tiles = piece.streams / static_cast<std::uint64_t>(pair * width);
    if (tiles >= static_cast<std::uint64_t>(space.concurrency())) return pair;
    return static_cast<int>(std::max(cache_line / row, std::size_t{1}));
  }

  /// Draws a limited number of rows at a time, so that a group, which writes a part of each, finds
  /// their pages in the TLB.
  void draw_blocks_of_rows(const Space& space, int groups, const Streams& streams,
                           const NumberPiece& piece, const NumberLayout& layout,
                           std::byte* out) const {
    constexpr std::uint64_t pages = 1024;  // the caches of addresses have 1536 places and more
    constexpr std::uint64_t page = 4096;
    const std::uint64_t row = layout.number_stride * writer_.bytes;
    const NumberPeriod period(Streams::round_numbers, writer_.raw);
    const auto numbers = static_cast<std::uint64_t>(period.numbers);
    const std::uint64_t most = pages * std::max(page / row, std::uint64_t{1}) / numbers * numbers;
    for (std::uint64_t done = 0; done < piece.count;) {
      const std::uint64_t begin = piece.begin + done;
      // From the second on, blocks begin with periods.
      const std::uint64_t count = std::min(most - begin % numbers, piece.count - done);
      const Uint128 periods = begin / numbers - piece.begin / numbers;
      draw_rows(space, groups,
                after_rounds(streams, periods * static_cast<std::uint64_t>(period.rounds)),
                {piece.first, piece.streams, begin, count}, layout, out + done * row);
      done += count;
    }
  }

  void draw_rows(const Space& space, int groups, const Streams& streams, const NumberPiece& piece,
                 const NumberLayout& layout, std::byte* out) const {
    const std::uint64_t step = static_cast<std::uint64_t>(groups * width);
    const std::uint64_t whole = piece.streams / step * step;
    if (draw_rows_at_once(space, groups, whole, streams, piece, layout, out)) {
      return draw_rest(space, whole, streams, piece, layout, out);
    }
    const auto draw = [&]<int side_by_side>(std::integral_constant<int, side_by_side>) {
      if constexpr (side_by_side * width * sizeof(std::uint32_t) <= streamed_run) {
        if (groups != side_by_side) return;
        const DrawRows<Streams, side_by_side> body{
            {streams, {piece, {}}, writer_.raw}, layout, writer_, out};
        launch_on_host(space, "rivulet::draw_numbers", whole, step, host_body(body));
      }
    };
    draw(std::integral_constant<int, 1>{});
    draw(std::integral_constant<int, 2>{});
    draw(std::integral_constant<int, 4>{});
    draw(std::integral_constant<int, 8>{});
    draw_rest(space, whole, streams, piece, layout, out);
  }

  /// The last streams, which do not make lines.
  void draw_rest(const Space& space, std::uint64_t whole, const Streams& streams,
                 const NumberPiece& piece, const NumberLayout& layout, std::byte* out) const {
    if (whole == piece.streams) return;
    NumberPiece rest = piece;
    rest.first += whole;
    rest.streams -= whole;
    draw_lanes(space, streams, {rest, {}}, {layout}, out + whole * writer_.bytes);
  }

  /// Rows of numbers of four bytes in the usual interval have kernels of their own; false for
  /// others. (Numbers of two words would be no faster.)
  bool draw_rows_at_once([[maybe_unused]] const Space& space, [[maybe_unused]] int groups,
                         [[maybe_unused]] std::uint64_t whole,
                         [[maybe_unused]] const Streams& streams,
                         [[maybe_unused]] const NumberPiece& piece,
                         [[maybe_unused]] const NumberLayout& layout,
                         [[maybe_unused]] std::byte* out) const {
    if constexpr (rows_by_words<Streams>) {
      if (request_.interval != Interval::closed_open) return false;
      const auto draw = [&](auto number) {
        using Format = NumberFormat<Streams::bits, decltype(number), Interval::closed_open>;
        const auto launch = [&]<int many>(std::integral_constant<int, many>) {
          launch_on_host(space, "rivulet::draw_numbers", whole,
                         static_cast<std::uint64_t>(many * width),
                         host_body(DrawRowsAtOnce<Streams, Format, many>{streams, piece, layout,
                                                                         writer_, out}));
          return true;
        };
        // As many groups as fill a pair of lines, or one line.
        constexpr int pair = detail::row_groups(sizeof(number));
        if (groups < pair) return launch(std::integral_constant<int, (pair + 1) / 2>{});
        return launch(std::integral_constant<int, pair>{});
      };
      if (request_.type == NumberType::uint32) return draw(std::uint32_t{});
      if (request_.type == NumberType::float32) return draw(float{});
    }
    return false;
  }

  Writer writer_;
  NumberRequest request_;
};

}  // namespace rivulet::detail
