// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/numbers/number_drawer.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {
namespace impl {

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
        streams_(plan, range),
        starter_(plan, range),
        drawer_(request) {}

  void restart() override {
    starter_.seed(space_, streams_);
    rest_ = 0;
  }

  void draw(const NumberPiece& piece, const NumberLayout& layout, void* to) override {
    if (piece.streams == 0 || piece.count == 0) return;
    const std::uint64_t first = piece.begin / period();
    drawer_.draw(space_, after_rounds(streams_, rounds(first)), request(), piece, layout, to);
    rest_ = (piece.begin + piece.count) / period();
  }

  void advance(Uint128 periods) override {
    // Streams without state are where they were put last, not where they rest.
    const Uint128 from = StreamsWithoutState<Streams> ? rest_ : 0;
    starter_.advance(space_, streams_, rounds(from + periods));
    rest_ = 0;
  }

  std::uint64_t period() const override {
    return with_mapping<Streams>(request().mapping, [this](auto mapping) {
      using Own = typename decltype(mapping)::Streams;
      if constexpr (mapping() == StreamMapping::lane) {
        return static_cast<std::uint64_t>(NumberPeriod(Own::round_numbers, drawer_.raw()).numbers);
      } else {
        return static_cast<std::uint64_t>(TeamChunk<Own>(drawer_.raw()).period);
      }
    });
  }
  std::uint64_t count() const override { return streams_.count(); }
  StreamRange range() const override { return streams_.range(); }
  std::uint64_t state_bytes() const override { return streams_.state_bytes(); }

  std::vector<std::byte> save() const override {
    space_.fence();
    return after_rounds(streams_, rounds(rest_)).save();
  }
  void restore(std::span<const std::byte> states) override {
    space_.fence();
    streams_.restore(states);
    rest_ = 0;
  }

 private:
  Uint128 rounds(Uint128 periods) const {
    const auto raw = period() * static_cast<std::uint64_t>(drawer_.raw());
    return periods * (raw / static_cast<std::uint64_t>(Streams::round_numbers));
  }

  Space space_;
  Streams streams_;
  Starter starter_;
  NumberDrawer<Streams> drawer_;
  Uint128 rest_ = 0;  ///< where the last draw left the streams, in periods since they were put
};

}  // namespace impl

/// A unit of its own for each generator (src/kernels/unit.cpp.in).
template <GeneratorType G>
std::unique_ptr<NumberSource> make_number_source_of(const Space& space,
                                                    const typename G::Plan& plan, StreamRange range,
                                                    const NumberRequest& request) {
  return std::make_unique<impl::NumberSourceOf<G>>(space, plan, range, request);
}

}  // namespace rivulet
