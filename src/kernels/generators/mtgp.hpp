// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>

#include "kernels/generators/mtgp_streams.hpp"
#include "kernels/generators/rank_starter.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The Mersenne Twister for graphics processors, of exponent 11213.
struct MtgpGenerator {
  using Plan = MtgpPlan;
  using Streams = MtgpStreams;
  using Starter = RankStarter<Streams, detail::TwisterStarts>;
  using Library = Mtgp11213;

  static Generator facts() {
    Generator facts;
    facts.name = "mtgp11213";
    facts.doc = "the Mersenne Twister for graphics processors, 351 words of state, 200 sets";
    facts.period = "2^11213 - 1";
    facts.disjoint = "distinct irreducible characteristic polynomials; jump-ahead on the same one";
    facts.published = "mtgp11213 mtgp32_init_state(seed + stream id + 1), as cuRAND's set-up";
    facts.fails = "LinearComp";
    facts.published_seed = true;
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.log2_distance = [](const StreamRequest& request) -> std::optional<unsigned> {
      if (request.seeding == Seeding::published) return std::nullopt;
      return 128;
    };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
