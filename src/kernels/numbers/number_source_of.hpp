// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/generators/segmented.hpp"
#include "kernels/numbers/number_drawer.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {
namespace detail {

/// The numbers of a generator.
template <GeneratorType G>
class NumberSourceOf final : public NumberSource {
 public:
  using Streams = typename G::Streams;
  using Starter = typename G::Starter;

  NumberSourceOf(const Space& space, const typename G::Plan& plan, StreamRange range,
                 const NumberRequest& request)
      : NumberSource(request),
        space_(space),
        segmented_(plan, range, request.mapping, request.segments, request.segments_by_lanes),
        drawer_(request) {}

  void restart() override {
    segmented_.restart(space_);
    rest_ = 0;
  }

  void draw(const NumberPiece& piece, const NumberLayout& layout, void* to) override {
    if (piece.streams == 0 || piece.count == 0) return;
    const std::uint64_t within = piece.begin % period();
    const std::uint64_t to_boundary = within == 0 ? 0 : period() - within;
    if (piece.count <= to_boundary || segments_of(after(piece, to_boundary)).segments == 1) {
      draw_whole(piece, layout, to);
      return;
    }
    NumberPiece rest = piece;
    if (to_boundary > 0) {
      NumberPiece before = piece;
      before.count = to_boundary;
      draw_whole(before, layout, to);
      rest = after(piece, to_boundary);
    }
    draw_cut(rest, layout,
             static_cast<std::byte*>(to) + to_boundary * layout.number_stride * number_bytes());
  }

  NumberSegments segments_of(const NumberPiece& piece) const override {
    return segments_in(piece, cut_of(piece));
  }

  NumberSegments cut(const NumberPiece& piece) override {
    Segments cut = cut_of(piece);
    if (cut.count > 1 && !segmented_.make_room(cut)) cut.count = 1;
    cut_ = segments_in(piece, cut);
    if (cut.count == 1) return cut_;
    how_ = request();
    how_.mapping = segmented_.mapping_of(space_, cut);
    segmented_.place(space_, rounds(piece.begin / period()));
    const std::uint64_t whole = (piece.begin + piece.count) / period() - piece.begin / period();
    segmented_.advance(space_, rounds(whole), {piece.first, piece.streams});
    rest_ = (piece.begin + piece.count) / period();
    return cut_;
  }

  void draw_segments(const NumberPiece& part, const NumberLayout& layout, void* to) override {
    if (part.streams == 0 || part.count == 0) return;
    if (cut_.segments == 1) {
      NumberPiece piece = part;
      piece.first += cut_.whole.first;
      piece.begin += cut_.whole.begin;
      return draw_whole(piece, layout, to);
    }
    const std::uint64_t own = period_of(how_.mapping);
    drawer_.draw(space_, after_rounds(segmented_.segments(), rounds_of(part.begin / own * own)),
                 how_, {whole_rows(part, layout), {}}, {layout}, to);
  }

  void advance(Uint128 periods) override {
    // Streams without state are where they were put last, not where they rest.
    const Uint128 from = StreamsWithoutState<Streams> ? rest_ : 0;
    segmented_.advance(space_, rounds(from + periods));
    rest_ = 0;
  }

  /// Streams come to rest by the request's mapping. The lanes' period, after which segments may
  /// rest too, divides all others.
  std::uint64_t period() const override { return period_of(request().mapping); }
  std::uint64_t enough_side_by_side() const override { return drawer_.enough_side_by_side(space_); }
  std::uint64_t count() const override { return segmented_.streams().count(); }
  StreamRange range() const override { return segmented_.streams().range(); }
  std::uint64_t state_bytes() const override { return segmented_.state_bytes(); }

  std::vector<std::byte> save() const override {
    space_.fence();
    return after_rounds(segmented_.streams(), rounds(rest_)).save();
  }
  void restore(std::span<const std::byte> states) override {
    space_.fence();
    segmented_.streams().restore(states);
    rest_ = 0;
  }

 private:
  std::uint64_t period_of(StreamMapping one) const {
    return with_mapping<Streams>(one, [this](auto mapping) {
      using Own = typename decltype(mapping)::Streams;
      if constexpr (mapping() == StreamMapping::lane) {
        return static_cast<std::uint64_t>(NumberPeriod(Own::round_numbers, drawer_.raw()).numbers);
      } else {
        return static_cast<std::uint64_t>(TeamChunk<Own>(drawer_.raw()).period);
      }
    });
  }
  std::uint64_t rounds_of(std::uint64_t numbers) const {
    const auto raw = numbers * static_cast<std::uint64_t>(drawer_.raw());
    return raw / static_cast<std::uint64_t>(Streams::round_numbers);
  }
  std::uint64_t rounds_per_period() const { return rounds_of(period()); }
  Uint128 rounds(Uint128 periods) const { return periods * rounds_per_period(); }

  /// What is left of a piece behind its first numbers.
  static NumberPiece after(const NumberPiece& piece, std::uint64_t numbers) {
    return {piece.first, piece.streams, piece.begin + numbers, piece.count - numbers};
  }

  Segments cut_of(const NumberPiece& piece) const {
    const StreamRange some{piece.first, piece.streams};
    const std::uint64_t periods = (piece.count + period() - 1) / period();
    if (piece.begin % period() != 0) return {piece.first, piece.streams, 1, 0};
    return segmented_.cut(space_, some, periods, rounds_per_period(), true);
  }

  NumberSegments segments_in(const NumberPiece& piece, const Segments& cut) const {
    if (cut.count == 1) return {piece, 1, piece.count};
    return {piece, cut.count, cut.rounds / rounds_per_period() * period()};
  }

  /// With what fills up the last tile, where rows of numbers have room for it.
  NumberPiece whole_rows(const NumberPiece& part, const NumberLayout& layout) const {
    NumberPiece rows = part;
    const std::uint64_t padded = padded_streams(part.streams);
    const bool has_room = layout.stream_stride == 1 && layout.number_stride >= padded;
    if (how_.mapping == StreamMapping::lane && has_room) rows.streams = padded;
    return rows;
  }

  /// The streams as they are.
  void draw_whole(const NumberPiece& piece, const NumberLayout& layout, void* to) {
    const std::uint64_t first = piece.begin / period();
    rest_ = (piece.begin + piece.count) / period();
    drawer_.draw(space_, after_rounds(segmented_.streams(), rounds(first)), request(), {piece, {}},
                 {layout}, to);
  }

  void draw_cut(const NumberPiece& piece, const NumberLayout& layout, void* to) {
    const NumberSegments segments = cut(piece);
    if (segments.segments == 1) return draw_whole(piece, layout, to);
    drawer_.draw(space_, segmented_.segments(), how_,
                 {{0, segments.total(), 0, segments.length}, segments},
                 {layout, segments.length * layout.number_stride, piece.streams}, to);
  }

  Space space_;
  Segmented<G> segmented_;
  NumberDrawer<Streams> drawer_;
  Uint128 rest_ = 0;  ///< where the last draw left the streams, in periods since they were put
  NumberSegments cut_;
  NumberRequest how_;  ///< the segments are drawn
};

}  // namespace detail

template <GeneratorType G>
std::unique_ptr<NumberSource> make_number_source_of(const Space& space,
                                                    const typename G::Plan& plan, StreamRange range,
                                                    const NumberRequest& request) {
  return std::make_unique<detail::NumberSourceOf<G>>(space, plan, range, request);
}

}  // namespace rivulet
