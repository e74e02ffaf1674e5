// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "kernels/generators/rank_starter.hpp"
#include "kernels/generators/ranmar_streams.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// RANMAR in one of its precisions.
template <class Variant>
struct RanmarGenerator {
  using Plan = RanmarPlan;
  using Streams = RanmarStreams<Variant>;
  using Starter = RankStarter<Streams, detail::RanmarStarts<Variant>>;
  using Library = Variant;

  static Generator facts() {
    Generator facts;
    facts.name = Variant::name;
    facts.doc = Variant::doc;
    facts.period = Variant::period;
    facts.disjoint = "distinct seeds: starts differ; absence of overlap is probable, not proved";
    facts.published = "RANMAR (ij, kl) for stream 0 and the pairs that follow it";
    if (Variant::bits == 48) {
      facts.fails =
          facts.name == "ranmar48" ? "PractRand from 512 MB on" : "PractRand from 2 GB on";
    }
    facts.state_bytes = (ranmar_words + 1) * sizeof(typename Variant::Integer);
    facts.options = {&ij_option, &kl_option};
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(Variant::bits, request);
  }
};

}  // namespace rivulet
