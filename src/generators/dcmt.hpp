// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "generators/rank_starter.hpp"
#include "generators/register_warp.hpp"
#include "generators/twister_streams.hpp"
#include "parameters/creator.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/detail/generators/twisters.hpp"
#include "rivulet/detail/rng/dcmt.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The dcmt streams of one rank in device memory, and the parameter sets that they share.
template <int P>
class DcmtStreams : public detail::TwisterStreams<Dcmt<P>, true> {
 public:
  using Plan = DcmtPlan;
  using Twisters = detail::TwisterStreams<Dcmt<P>, true>;
  using Twisters::words;
  static constexpr DcmtShape shape = dcmt_shape(P);
  /// Cost of a jump in rounds: each of P terms takes one step and n additions.
  static constexpr std::uint64_t jump_rounds = (device_build ? 1 : 4) * (P / shape.n + 1);
  /// Maximum streams per device thread: four if the states of 512 threads fit in 65536 registers.
  static constexpr int max_streams_per_thread = shape.n <= 20 ? 4 : 1;
  using MultiStreamBounds = Kokkos::LaunchBounds<128, 4>;

  /// Allocates the states, which the starter fills, and uploads the sets.
  DcmtStreams(const DcmtPlan& plan, StreamRange range)
      : Twisters(range, typename Twisters::Shared(Space(), plan.parameter_sets().sets)) {}

#if RIVULET_LANES_SHUFFLE
  using WarpEngine = detail::RegisterWarp<detail::DcmtRecurrence<P>>;
#endif
};

template <int P>
struct Twister : GeneratorBase<DcmtStreams<P>, RankStarter<DcmtStreams<P>, detail::TwisterStarts>> {
  using Library = Dcmt<P>;

  static Generator facts() {
    // Never freed, because Generator holds views of these strings.
    static const auto* const doc = new std::string(
        fmt::format("Mersenne Twister, {} words of state", int{DcmtStreams<P>::words}));
    static const auto* const period = new std::string(fmt::format("2^{} - 1", P));
    Generator facts;
    facts.name = detail::Family<Library>::name;
    facts.doc = *doc;
    facts.period = *period;
    facts.disjoint = "distinct irreducible characteristic polynomials; jump-ahead on the same one";
    facts.published = "twisters init_genrand(0x33ff * stream id)";
    facts.fails = P < 1000   ? "MatrixRank, LinearComp, PractRand from 64 MB on"
                  : P < 2000 ? "LinearComp, PractRand from 128 MB on"
                             : "LinearComp, PractRand from 1 GB on";
    facts.options = {&log2_jump_option};
    facts.reads_file = [](const StreamRequest& request) {
      return request.parameters != "shipped" && request.parameters != "published";
    };
    facts.log2_distance = DcmtPlan::log2_distance;
    return facts;
  }

  static std::unique_ptr<DcmtPlan> plan(const StreamRequest& request,
                                        const io::Communicator& ranks) {
    DcmtSets sets = load_dcmt_sets(ranks, request.parameters, P);
    const std::string name = digest(sets);
    return std::make_unique<DcmtPlan>(std::move(sets), request, name);
  }
};

}  // namespace rivulet
