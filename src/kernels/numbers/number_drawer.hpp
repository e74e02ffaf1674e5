// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/host_lanes.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_kernels_device.hpp"
#include "kernels/numbers/number_kernels_rows.hpp"
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
  static std::uint64_t enough_side_by_side(const Space&) {
    return std::numeric_limits<std::uint64_t>::max();
  }

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

/// The same on a device, whose kernels are compiled for each type: those of floating-point numbers
/// for the usual interval, and once more for all others.
template <class Streams>
class DeviceDrawer {
 public:
  explicit DeviceDrawer(const NumberRequest& request)
      : raw_(with_format(request, [](const auto& format) { return format.raw; })) {}

  int raw() const { return raw_; }
  static std::uint64_t enough_side_by_side(const Space& space) {
    if constexpr (StreamsByTeam<Streams>) {
      using Format = NumberFormat<Streams::bits, std::uint32_t, Interval::closed_open>;
      using Rows = DrawTeamRows<Streams, Format>;
      if constexpr (Rows::fits) return Rows::at_once(space);
    }
    return std::numeric_limits<std::uint64_t>::max();
  }

  void draw(const Space& space, const Streams& streams, const NumberRequest& request,
            const DrawnPiece& what, const DrawnLayout& layout, void* to) const {
    StreamMapping best = request.mapping;
    if (best == StreamMapping::lane && teams_are_better<Streams>(what, layout, raw_)) {
      best = StreamMapping::team;
    }
    with_format(request, [&](const auto& format) {
      using Format = std::decay_t<decltype(format)>;
      auto* const out = static_cast<NumberOf<Format>*>(to);
      with_mapping<Streams>(best, [&](auto mapping) {
        using Own = typename decltype(mapping)::Streams;
        if constexpr (mapping() == StreamMapping::lane) {
          const DrawThread<Own, Format> body(streams, what, layout, format, out);
          for_each_stream_lane(space, "rivulet::draw_numbers", body.threads(), body);
        } else {
          using Rows = DrawTeamRows<Own, Format>;
          if constexpr (Rows::fits) {
            if (layout.numbers.number_stride > 1) {
              return for_each_shared_team(space, "rivulet::draw_numbers_rows",
                                          {Rows::evened(space, what.piece.streams), Rows::columns,
                                           Rows::threads, 1, Rows::scratch_bytes()},
                                          Rows{streams, what, layout, format, out});
            }
          }
          const DrawWarp<Own, Format> body{streams, what, layout, format, out};
          const auto per_team = static_cast<std::uint64_t>(request.streams_per_team);
          for_each_stream_team(space, "rivulet::draw_numbers_team",
                               {warps_for<Own>(what.piece.streams),
                                static_cast<int>(warps_for<Own>(per_team)), body.scratch_bytes()},
                               body);
        }
      });
    });
  }

 private:
  template <class Use>
  static auto with_format(const NumberRequest& request, const Use& use) {
    constexpr int bits = Streams::bits;
    constexpr Interval usual = Interval::closed_open;
    const auto real = [&](auto zero) {
      using Real = decltype(zero);
      if (request.interval == usual) return use(NumberFormat<bits, Real, usual>{});
      return use(AnyIntervalFormat<bits, Real>(request.interval));
    };
    switch (request.type) {
      case NumberType::uint32:
        return use(NumberFormat<bits, std::uint32_t, usual>{});
      case NumberType::uint64:
        return use(NumberFormat<bits, std::uint64_t, usual>{});
      case NumberType::float32:
        return real(float{});
      case NumberType::float64:
        break;
    }
    return real(double{});
  }

  int raw_;
};

template <class Streams>
using NumberDrawer = std::conditional_t<device_build, DeviceDrawer<Streams>, HostDrawer<Streams>>;

}  // namespace rivulet::detail
