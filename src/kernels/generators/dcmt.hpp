// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "kernels/generators/dcmt_streams.hpp"
#include "kernels/generators/rank_starter.hpp"
#include "parameters/creator.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/detail/generators/twisters.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

template <int P>
using DcmtStarter = RankStarter<DcmtStreams<P>, detail::TwisterStarts>;

/// A dynamically created Mersenne Twister of period 2^P - 1.
template <int P>
struct Twister {
  using Plan = DcmtPlan;
  using Streams = DcmtStreams<P>;
  using Starter = DcmtStarter<P>;
  using Library = Dcmt<P>;

  static Generator facts() {
    // As long as the program: facts are views.
    static const auto* const doc =
        new std::string(fmt::format("Mersenne Twister, {} words of state", int{Streams::words}));
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
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.options = {&log2_jump_option};
    facts.reads_file = [](const StreamRequest& request) {
      return request.parameters != "shipped" && request.parameters != "published";
    };
    facts.log2_distance = DcmtPlan::log2_distance;
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator& ranks) {
    DcmtSets sets = load_dcmt_sets(ranks, request.parameters, P);
    const std::string name = digest(sets);
    return std::make_unique<Plan>(std::move(sets), request, name);
  }
};

}  // namespace rivulet
