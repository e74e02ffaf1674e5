// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <type_traits>

#include "kernels/generators/ranmar_starter.hpp"
#include "kernels/generators/ranmar_streams.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// RANMAR in one of its precisions.
template <class Variant>
struct RanmarGenerator {
  using Plan = RanmarPlan;
  using Streams = RanmarStreams<Variant>;
  using Starter = RanmarStarter<Variant>;
  using Library = Variant;

  static Generator facts() {
    const auto [name, doc, period] = texts();
    Generator facts;
    facts.name = name;
    facts.doc = doc;
    facts.period = period;
    facts.disjoint = "distinct seeds: starts differ; absence of overlap is probable, not proved";
    facts.published = "RANMAR (ij, kl) for stream 0 and the pairs that follow it";
    facts.state_bytes = (ranmar_words + 1) * sizeof(typename Variant::Integer);
    facts.options = {&ij_option, &kl_option};
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(Variant::bits, request);
  }

 private:
  struct Texts {
    std::string_view name, doc, period;
  };
  static constexpr Texts texts() {
    if constexpr (std::is_same_v<Variant, Ranmar24>) {
      return {"ranmar24", "RANMAR of 24 bits, as published", "about 2^144"};
    } else if constexpr (std::is_same_v<Variant, Ranmar48>) {
      return {"ranmar48", "RANMAR of 48 bits, CERN's and CORSIKA's", "about 2^168"};
    } else if constexpr (std::is_same_v<Variant, Ranmar48Scaled>) {
      return {"ranmar48_scaled", "RANMAR of 48 bits as a thesis extends it", "about 2^192"};
    } else {
      static_assert(std::is_same_v<Variant, Ranmar48x>);
      return {"ranmar48x", "RANMAR of 48 bits with a prime modulus", "about 2^192"};
    }
  }
};

}  // namespace rivulet
