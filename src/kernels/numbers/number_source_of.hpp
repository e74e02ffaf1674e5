// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "error.hpp"
#include "kernels/generators/stream_types.hpp"
#include "kernels/numbers/number_kernels.hpp"
#include "kernels/numbers/number_kernels_device.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {
namespace impl {

/// A format's kernels on a generator's streams, chosen once.
template <class Streams>
struct NumberDrawer {
  void (*draw)(const Space&, const Streams&, const NumberRequest&, const NumberPiece&,
               const NumberLayout&, void*);
  int raw;  ///< raw numbers that make a number
  int lane_period;
  int team_period;
};

/// Numbers after which a team's stream is at a boundary; without teams, as lanes.
template <class Streams, class Format, class Out>
constexpr int team_period() {
  if constexpr (Streams::has_team) return DrawTeam<Streams, Format, Out>::period;
  return NumberPeriod<Streams, Format>::numbers;
}

/// What draws in the team mapping.
template <class Streams, class Format, class Out>
struct NumberTeam {
  using type = DrawTeam<Streams, Format, Out>;
};
#if RIVULET_LANES_HAND_ON
template <class Streams, class Format, class Out>
requires requires { typename Streams::WarpEngine; }
struct NumberTeam<Streams, Format, Out> {
  using type = DrawWarp<Streams, Format, Out>;
};
#endif

/// Whether a device had better use teams though lanes were asked for: where each stream has a place
/// of its own in memory, whose lines a warp fills and a thread does not. Where both mappings rest
/// after the same periods.
template <class Streams, class Format, class Out>
bool teams_are_better(const NumberPiece& piece, const NumberLayout& layout) {
  constexpr std::uint64_t worth_a_team = 256;  // numbers of a stream
  return device_build &&
         DrawTeam<Streams, Format, Out>::period == NumberPeriod<Streams, Format>::numbers &&
         layout.number_stride == 1 && layout.stream_stride > 1 && piece.count >= worth_a_team;
}

template <class Streams, class Out, Interval interval>
NumberDrawer<Streams> number_drawer() {
  using Format = NumberFormat<Streams::bits, Out, interval>;
  return {[](const Space& space, const Streams& streams, const NumberRequest& request,
             const NumberPiece& piece, const NumberLayout& layout, void* to) {
            Out* const out = static_cast<Out*>(to);
            if constexpr (Streams::has_team) {
              if (request.mapping == StreamMapping::team ||
                  teams_are_better<Streams, Format, Out>(piece, layout)) {
                using Body = typename NumberTeam<Streams, Format, Out>::type;
                for_each_stream_team(space, "rivulet::draw_numbers_team",
                                     {piece.streams, request.streams_per_team, Body::scratch_bytes},
                                     Body{streams, piece, layout, out});
                return;
              }
            }
            if constexpr (device_build) {
              draw_by_threads<Streams, Format>(space, streams, piece, layout, out);
            } else {
              for_each_stream_lane(space, "rivulet::draw_numbers", piece.streams,
                                   DrawLanes<Streams, Format, Out>{streams, piece, layout, out});
            }
          },
          Format::raw, NumberPeriod<Streams, Format>::numbers, team_period<Streams, Format, Out>()};
}

template <class Streams, class Real>
NumberDrawer<Streams> real_drawer(Interval interval) {
  switch (interval) {
    case Interval::open:
      return number_drawer<Streams, Real, Interval::open>();
    case Interval::open_closed:
      return number_drawer<Streams, Real, Interval::open_closed>();
    case Interval::closed:
      return number_drawer<Streams, Real, Interval::closed>();
    case Interval::zero_replaced:
      return number_drawer<Streams, Real, Interval::zero_replaced>();
    case Interval::closed_open:
      break;
  }
  return number_drawer<Streams, Real, Interval::closed_open>();
}

template <class Streams>
NumberDrawer<Streams> number_drawer(const NumberRequest& request) {
  switch (request.type) {
    case NumberType::uint32:
      return number_drawer<Streams, std::uint32_t, Interval::closed_open>();
    case NumberType::uint64:
      return number_drawer<Streams, std::uint64_t, Interval::closed_open>();
    case NumberType::float32:
      return real_drawer<Streams, float>(request.interval);
    case NumberType::float64:
      break;
  }
  return real_drawer<Streams, double>(request.interval);
}

/// The numbers of a generator of GeneratorTypes.
template <class GeneratorType>
class NumberSourceOf final : public NumberSource {
 public:
  using Streams = typename StreamTypes<GeneratorType>::Streams;
  using Starter = typename StreamTypes<GeneratorType>::Starter;

  NumberSourceOf(const Space& space, const typename Streams::Plan& plan, StreamRange range,
                 const NumberRequest& request)
      : NumberSource(request),
        space_(space),
        streams_(plan, range),
        starter_(plan, range),
        drawer_(number_drawer<Streams>(request)) {}

  void restart() override { starter_.seed(space_, streams_); }

  void draw(const NumberPiece& piece, const NumberLayout& layout, void* to) override {
    if (piece.streams == 0 || piece.count == 0) return;
    drawer_.draw(space_, streams_, request(), piece, layout, to);
  }

  void advance(Uint128 periods) override {
    const auto raw = period() * static_cast<std::uint64_t>(drawer_.raw);
    starter_.advance(space_, streams_, periods * (raw / Streams::round_numbers));
  }

  std::uint64_t period() const override {
    return static_cast<std::uint64_t>(
        request().mapping == StreamMapping::lane ? drawer_.lane_period : drawer_.team_period);
  }
  std::uint64_t count() const override { return streams_.count(); }
  StreamRange range() const override { return streams_.range(); }
  std::uint64_t state_bytes() const override { return streams_.states().bytes(); }

  /// Word by word of the state, of all streams, without what fills up the last tile.
  std::vector<std::byte> save() const override {
    space_.fence();
    const std::vector<std::byte> padded = streams_.states().save();
    std::vector<std::byte> saved(rows() * row_bytes());
    for (std::size_t k = 0; k < rows(); ++k) {
      std::memcpy(saved.data() + k * row_bytes(), padded.data() + k * padded_row_bytes(),
                  row_bytes());
    }
    return saved;
  }

  void restore(std::span<const std::byte> states) override {
    if (states.size() != rows() * row_bytes()) {
      throw Error("saved streams do not fit",
                  std::to_string(states.size()) + " B instead of " +
                      std::to_string(rows() * row_bytes()) + " B",
                  "Restore into the same number of streams of the same generator.");
    }
    space_.fence();
    std::vector<std::byte> padded(rows() * padded_row_bytes());
    for (std::size_t k = 0; k < rows(); ++k) {
      std::memcpy(padded.data() + k * padded_row_bytes(), states.data() + k * row_bytes(),
                  row_bytes());
    }
    streams_.states().restore(padded);
  }

 private:
  using Integer = typename Streams::Integer;

  std::size_t row_bytes() const { return streams_.count() * sizeof(Integer); }
  std::size_t padded_row_bytes() const {
    return padded_streams(streams_.count()) * sizeof(Integer);
  }
  std::size_t rows() const {
    return streams_.count() == 0 ? 0 : streams_.states().bytes() / padded_row_bytes();
  }

  Space space_;
  Streams streams_;
  Starter starter_;
  NumberDrawer<Streams> drawer_;
};

template <class GeneratorType>
std::unique_ptr<NumberSource> number_source_of(const Space& space, const StreamPlan& plan,
                                               StreamRange range, const NumberRequest& request) {
  using Source = NumberSourceOf<GeneratorType>;
  return std::make_unique<Source>(space, dynamic_cast<const typename Source::Streams::Plan&>(plan),
                                  range, request);
}

// One source file a family.
std::unique_ptr<NumberSource> make_dcmt_source(const Space& space, const Generator& generator,
                                               const StreamPlan& plan, StreamRange range,
                                               const NumberRequest& request);
std::unique_ptr<NumberSource> make_ranmar_source(const Space& space, const Generator& generator,
                                                 const StreamPlan& plan, StreamRange range,
                                                 const NumberRequest& request);
std::unique_ptr<NumberSource> make_tausworthe_source(const Space& space, const Generator& generator,
                                                     const StreamPlan& plan, StreamRange range,
                                                     const NumberRequest& request);

}  // namespace impl
}  // namespace rivulet
