// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/numbers/number_source.hpp"

#include <algorithm>
#include <limits>

#include "kernels/numbers/number_writer.hpp"
#include "kernels/numbers/store_numbers.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {
namespace {

/// Returns the shape of an item: the generator's raw numbers per number of the given type.
ItemShape shape_of(const StreamPlan& plan, NumberType type) {
  const int raw = detail::with_format_bits(plan.generator().format_bits, [&](auto bits) {
    return detail::with_number_format<bits>(
        type, Interval::closed_open, [](auto format) { return int{decltype(format)::type::raw}; });
  });
  return {raw, true};
}

/// Returns a copy of the work with the same number of items for every stream or segment, even if a
/// stream or segment ends earlier.
Work rectangle(const Work& work) {
  Work all = work;
  all.end = std::numeric_limits<std::uint64_t>::max();
  all.share = StreamShare::each(all.end);
  return all;
}

#if !RIVULET_DEVICE_BUILD
struct Rows {
  std::uint64_t count;
  std::uint64_t length;  ///< contiguous numbers per row
  std::uint64_t stride;  ///< numbers from one row to the next
};

/// Transforms rows of uniform numbers to numbers of the law, in blocks that fit in the L1 cache.
/// Blocking.
template <class Real>
void apply_to_rows(const Space& space, const Law& law, const Rows& rows, Real* to) {
  constexpr std::uint64_t block = 1024;
  const std::uint64_t blocks = ceil_divide(rows.length, block);
  const auto body = [&](std::uint64_t i) {
    const std::uint64_t begin = i % blocks * block;
    apply(law, to + i / blocks * rows.stride + begin, std::min(block, rows.length - begin));
  };
  for_each_stream(space, "rivulet::make_law", rows.count * blocks, body);
}
#endif

}  // namespace

NumberSource::NumberSource(const Space& space, const StreamPlan& plan, StreamRange range,
                           const NumberRequest& request)
    : space_(space),
      request_(request),
      shape_(shape_of(plan, request.type)),
      source_(make_stream_source(space, plan, range,
                                 {request.mapping, request.segments, request.segments_by_lanes,
                                  request.streams_per_team})) {}

void NumberSource::draw(const NumberPiece& piece, const NumberLayout& layout, void* to) {
  if (piece.streams == 0 || piece.count == 0) return;
  // If the piece begins inside a period, the numbers up to the end of this period are drawn without
  // cutting streams. For later periods, streams may be cut.
  const std::uint64_t within = piece.begin % period();
  const std::uint64_t head_numbers = within == 0 ? 0 : std::min(period() - within, piece.count);
  const NumberPiece remainder{piece.first, piece.streams, piece.begin + head_numbers,
                              piece.count - head_numbers};
  if (remainder.count == 0 || !segments_of(remainder).is_cut()) {
    store(work_of(piece), {layout}, to);
    return apply_law(piece, layout, to);
  }
  if (head_numbers > 0) {
    store(work_of({piece.first, piece.streams, piece.begin, head_numbers}), {layout}, to);
  }
  const Work& work = cut(remainder);
  const std::uint64_t segment_stride = work.is_cut() ? work.length * layout.number_stride : 0;
  store(work, {layout, segment_stride, piece.streams},
        static_cast<std::byte*>(to) + head_numbers * layout.number_stride * number_bytes());
  apply_law(piece, layout, to);
}

Work NumberSource::segments_of(const NumberPiece& piece) const {
  return source_->plan_cut(range_of(piece), shape_, true);
}

const Work& NumberSource::cut(const NumberPiece& piece) {
  cut_ = source_->cut_streams(range_of(piece), shape_, true);
  return cut_;
}

Work NumberSource::part_of(const NumberPiece& part) const {
  Work work = cut_.part(part.first, part.streams);
  work.first_item = part.begin;
  work.end_item = part.begin + part.count;
  return work;
}

void NumberSource::draw_segments(const NumberPiece& part, const NumberLayout& layout, void* to) {
  if (part.streams == 0 || part.count == 0) return;
  Work work = part_of(part);
  if (work.is_cut()) {
    work = rectangle(work);
    // If the rows of the output have room, the work is padded to complete tiles.
    const std::uint64_t padded = padded_streams(part.streams);
    const bool has_room = layout.stream_stride == 1 && layout.number_stride >= padded;
    if (source_->mapping_of(work) == StreamMapping::lane && has_room) work.size = padded;
  }
  store(work, {layout}, to);
  apply_law(part, layout, to);
}

ItemRange NumberSource::range_of(const NumberPiece& piece) const {
  const std::uint64_t end = piece.begin + piece.count;
  return {StreamShare::each(end), piece.begin, end, {piece.first, piece.streams}};
}

/// Transforms the uniform numbers of a piece to numbers of the law, on a CPU. On a GPU, LawFormat
/// has already transformed them.
void NumberSource::apply_law([[maybe_unused]] const NumberPiece& piece,
                             [[maybe_unused]] const NumberLayout& layout,
                             [[maybe_unused]] void* to) const {
#if !RIVULET_DEVICE_BUILD
  if (request_.law.is_uniform()) return;
  const bool in_rows = layout.stream_stride == 1;
  Rows rows{in_rows ? piece.count : piece.streams, in_rows ? piece.streams : piece.count,
            in_rows ? layout.number_stride : layout.stream_stride};
  if (rows.length == rows.stride) rows = {1, rows.count * rows.length, 0};
  if (request_.type == NumberType::float32) {
    apply_to_rows(space_, request_.law, rows, static_cast<float*>(to));
  } else {
    apply_to_rows(space_, request_.law, rows, static_cast<double*>(to));
  }
#endif
}

void NumberSource::store(const Work& work, const NumberPlaces& places, void* to) {
  store_numbers({space_, *source_, request_, work, places, to});
}

std::unique_ptr<NumberSource> make_number_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const NumberRequest& request) {
  return std::make_unique<NumberSource>(space, plan, range, request);
}

}  // namespace rivulet
