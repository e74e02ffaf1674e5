// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/generators/mt19937_streams.hpp"
#include "kernels/generators/rank_starter.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The Mersenne Twister that everybody compares with.
struct Mt19937Generator {
  using Plan = Mt19937Plan;
  using Streams = Mt19937Streams;
  using Starter = RankStarter<Streams, detail::TwisterStarts>;
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published =
        "mt19937 init_genrand(seed), as std::mt19937 and, except for seed 0, ROOT's TRandom3";
    facts.fails = "LinearComp";
    facts.published_seed = true;
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return detail::mt19937_starts.log2_distance();
    };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
