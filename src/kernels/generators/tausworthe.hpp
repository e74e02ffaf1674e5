// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <type_traits>

#include "kernels/generators/tausworthe_starter.hpp"
#include "kernels/generators/tausworthe_streams.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// A combined Tausworthe generator.
template <TauswortheKind Kind>
struct TauswortheGenerator {
  using Plan = TausworthePlan;
  using Streams = TauswortheStreams<Kind>;
  using Starter = TauswortheStarter<Kind>;

  static Generator facts() {
    const auto [name, doc, period, disjoint] = texts();
    Generator facts;
    facts.name = name;
    facts.doc = doc;
    facts.period = period;
    facts.disjoint = disjoint;
    facts.published = "Tausworthe generators 1099087573 * stream id";
    facts.state_bytes = Kind::words * sizeof(std::uint32_t);
    if (Kind::components > 0) facts.log2_distance = TausworthePlan::log2_distance;
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(tausworthe_cycle<Kind>(), request);
  }

 private:
  struct Texts {
    std::string_view name, doc, period, disjoint;
  };
  static constexpr Texts texts() {
    constexpr std::string_view jumps = "jump-ahead on one cycle, at least 2^64 steps apart";
    if constexpr (std::is_same_v<Kind, HybridTausworthe>) {
      return {"hybrid_tausworthe", "three Tausworthe generators and a congruential one",
              "about 2^120", jumps};
    } else if constexpr (std::is_same_v<Kind, Lfsr113>) {
      return {"lfsr113", "four Tausworthe generators, L'Ecuyer's", "about 2^113", jumps};
    } else {
      static_assert(std::is_same_v<Kind, HybridTauswortheListing>);
      return {"hybrid_tausworthe_listing", "known to be bad: a paper's listing, misprints and all",
              "4516 for most starts, by chance", "nothing: they repeat and merge"};
    }
  }
};

}  // namespace rivulet
