// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/host_lanes.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_kernels_device.hpp"
#include "kernels/numbers/number_kernels_warp.hpp"

namespace rivulet::detail {

/// Draws numbers of a type and interval of a generator's streams on a CPU, whose kernels are the
/// same for all types.
template <class Streams>
class HostDrawer {
 public:
  explicit HostDrawer(const NumberRequest& request)
      : writer_(number_writer<Streams::bits>(request.type, request.interval)) {}

  int raw() const { return writer_.raw; }

  void draw(const Space& space, const Streams& streams, const NumberRequest& request,
            const DrawnPiece& what, const DrawnLayout& layout, void* to) const {
    auto* const out = static_cast<std::byte*>(to);
    with_mapping<Streams>(request.mapping, [&](auto mapping) {
      using Own = typename decltype(mapping)::Streams;
      if constexpr (mapping() == StreamMapping::lane) {
        HostLanes<Own>(writer_, request).draw(space, streams, what, layout, out);
      } else {
        const bool non_temporal =
            layout.numbers.number_stride == 1 &&
            is_non_temporal(request, what.piece, layout.numbers, writer_.bytes);
        const DrawTeam<Own> body{streams, what, layout, writer_, non_temporal, out};
        for_each_stream_team(space, "rivulet::draw_numbers_team",
                             {what.piece.streams, request.streams_per_team, body.scratch_bytes()},
                             body);
      }
    });
  }

 private:
  NumberWriter<typename Streams::Integer> writer_;
};

/// Whether a device had better use teams though lanes were asked for: where each stream has a place
/// of its own in memory, whose lines a warp fills and a thread does not. Where both mappings rest
/// after the same periods.
template <class Streams>
bool teams_are_better(const DrawnPiece& what, const DrawnLayout& layout, int raw) {
  constexpr std::uint64_t worth_a_team = 256;  // numbers of a stream
  if constexpr (StreamsByTeam<Streams>) {
    const bool apart = layout.numbers.stream_stride > 1 || layout.segment_stride > 1;
    return TeamChunk<Streams>(raw).period == NumberPeriod(Streams::round_numbers, raw).numbers &&
           layout.numbers.number_stride == 1 && apart && what.piece.count >= worth_a_team;
  }
  return false;
}

/// The same on a device, with a kernel for each type and interval, chosen once.
template <class Streams>
class DeviceDrawer {
 public:
  explicit DeviceDrawer(const NumberRequest& request) {
    with_number_format<Streams::bits>(request.type, request.interval, [this](auto format) {
      using Format = typename decltype(format)::type;
      raw_ = Format::raw;
      draw_ = draw_as<Format>;
    });
  }

  int raw() const { return raw_; }

  void draw(const Space& space, const Streams& streams, const NumberRequest& request,
            const DrawnPiece& what, const DrawnLayout& layout, void* to) const {
    draw_(space, streams, request, what, layout, to);
  }

 private:
  template <class Format>
  static void draw_as(const Space& space, const Streams& streams, const NumberRequest& request,
                      const DrawnPiece& what, const DrawnLayout& layout, void* to) {
    using Out = decltype(Format::make(nullptr, 0));
    Out* const out = static_cast<Out*>(to);
    StreamMapping best = request.mapping;
    if (best == StreamMapping::lane && teams_are_better<Streams>(what, layout, Format::raw)) {
      best = StreamMapping::team;
    }
    with_mapping<Streams>(best, [&](auto mapping) {
      using Own = typename decltype(mapping)::Streams;
      if constexpr (mapping() == StreamMapping::lane) {
        draw_by_threads<Own, Format>(space, streams, what, layout, out);
      } else {
        const DrawWarp<Own, Format, Out> body{streams, what, layout,
                                              reinterpret_cast<std::byte*>(out)};
        for_each_stream_team(
            space, "rivulet::draw_numbers_team",
            {warps_for<Own>(what.piece.streams),
             static_cast<int>(warps_for<Own>(static_cast<std::uint64_t>(request.streams_per_team))),
             body.scratch_bytes()},
            body);
      }
    });
  }

  void (*draw_)(const Space&, const Streams&, const NumberRequest&, const DrawnPiece&,
                const DrawnLayout&, void*) = nullptr;
  int raw_ = 1;
};

template <class Streams>
using NumberDrawer = std::conditional_t<device_build, DeviceDrawer<Streams>, HostDrawer<Streams>>;

}  // namespace rivulet::detail
