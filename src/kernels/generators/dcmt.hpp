// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kernels/generators/dcmt_streams.hpp"
#include "kernels/generators/sets_starter.hpp"
#include "parameters/creator.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

template <int P>
using DcmtStarter = SetsStarter<DcmtStreams<P>>;

/// A dynamically created Mersenne Twister of period 2^P - 1.
template <int P>
struct Twister {
  using Plan = DcmtPlan;
  using Streams = DcmtStreams<P>;
  using Starter = DcmtStarter<P>;
  using Library = Dcmt<P>;

  static Generator facts() {
    const auto [name, doc, period] = texts();
    Generator facts;
    facts.name = name;
    facts.doc = doc;
    facts.period = period;
    facts.disjoint = "distinct irreducible characteristic polynomials; jump-ahead on the same one";
    facts.published = "twisters init_genrand(0x33ff * stream id)";
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

 private:
  struct Texts {
    std::string_view name, doc, period;
  };
  static constexpr Texts texts() {
    static_assert(P == 521 || P == 607 || P == 1279 || P == 2203);
    switch (P) {
      case 521:
        return {"dcmt521", "Mersenne Twister, 17 words of state", "2^521 - 1"};
      case 607:
        return {"dcmt607", "Mersenne Twister, 19 words of state", "2^607 - 1"};
      case 1279:
        return {"dcmt1279", "Mersenne Twister, 40 words of state", "2^1279 - 1"};
      default:
        return {"dcmt2203", "Mersenne Twister, 69 words of state", "2^2203 - 1"};
    }
  }
};

}  // namespace rivulet
