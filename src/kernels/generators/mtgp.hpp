// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>

#include "kernels/generators/mtgp_jump.hpp"
#include "kernels/generators/mtgp_streams.hpp"
#include "kernels/generators/sets_starter.hpp"
#include "rivulet/detail/streams/mtgp_plan.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

struct MtgpKernels {
  static void seed(const Space& space, const MtgpStreams& streams, const MtgpPlan& plan,
                   std::uint64_t first, std::uint64_t count) {
    const bool published = plan.request().seeding == Seeding::published;
    for_each_stream(space, "rivulet::seed_mtgp", count,
                    detail::SeedMtgp{streams, first, published, plan.request().seed});
  }
  static void jump(const Space& space, const MtgpStreams& streams, const JumpTable& table,
                   const detail::JumpRange& range) {
    detail::apply_mtgp_jump(space, streams, table, range);
  }
  static void scatter(const Space& space, const MtgpStreams& streams,
                      const detail::StreamIndices& indices) {
    for_each_stream(space, "rivulet::scatter_streams", streams.count(),
                    detail::ScatterByThread<MtgpStreams>{streams, indices});
  }
};

using MtgpStarter = SetsStarter<MtgpStreams, MtgpKernels>;

/// The Mersenne Twister for graphics processors, of exponent 11213.
struct MtgpGenerator {
  using Plan = MtgpPlan;
  using Streams = MtgpStreams;
  using Starter = MtgpStarter;
  using Library = Mtgp11213;

  static Generator facts() {
    Generator facts;
    facts.name = "mtgp11213";
    facts.doc = "the Mersenne Twister for graphics processors, 351 words of state, 200 sets";
    facts.period = "2^11213 - 1";
    facts.disjoint = "distinct irreducible characteristic polynomials; jump-ahead on the same one";
    facts.published = "mtgp11213 mtgp32_init_state(seed + stream id + 1), as cuRAND's set-up";
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
