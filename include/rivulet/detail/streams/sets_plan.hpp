// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// Plan for streams that share parameter sets. With n sets, stream s draws from set s % n, where it
/// has the index i = s / n. It starts start(i) steps after the set's seeded state (see starts()).
class SetsPlan : public StreamPlan {
 public:
  virtual std::uint64_t sets() const = 0;
  std::uint64_t set_of(std::uint64_t stream) const { return stream % sets(); }
  /// Returns the index of the stream among the streams of its set.
  std::uint64_t index_of(std::uint64_t stream) const { return stream / sets(); }
  virtual IrregularStarts starts() const = 0;

  std::vector<StreamFact> facts() const override {
    return {{"run_seed", request().seed},
            {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
  }

  /// Returns the degree of the sets' characteristic polynomials.
  virtual int degree() const = 0;
  /// Returns the characteristic polynomial of a set. Thread-safe.
  virtual Gf2Polynomial polynomial(std::uint64_t set) const = 0;
  /// Returns the jumps to the starts of a set's streams up to index `max_index`. Thread-safe.
  virtual std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t set,
                                                       std::uint64_t max_index) const {
    return std::make_shared<const JumpPolynomials>(polynomial(set), starts(), max_index);
  }

 protected:
  using StreamPlan::StreamPlan;

  std::uint64_t max_streams_on_a_set() const { return (streams() - 1) / sets() + 1; }

  /// Returns the certificate's line about streams that share a set, and thus a cycle.
  std::string within_a_set() const {
    if (max_streams_on_a_set() == 1) return "one stream per set";
    return detail::text_of(
        max_streams_on_a_set(), " streams start at irregular places, at least 2^",
        starts().log2_distance(), " steps apart, and draw at most ", request().numbers_text(),
        " words each: ", max_streams_on_a_set(), " * 2^", starts().log2_room(), " <= 2^", degree());
  }
  /// Returns the column of the streams' indices, for the results file.
  StreamColumn indices(StreamRange range) const {
    StreamColumn index{"index", "number of the stream on its set, which determines its start"};
    for (std::uint64_t i = 0; i < range.count; ++i) {
      index.values.push_back(index_of(range.first + i));
    }
    return index;
  }
  /// Throws an Error: published seeding allows only one stream per set.
  [[noreturn]] void refuse_shared_sets() const {
    throw Error(
        detail::text_of(streams(), " streams are more than ", sets(),
                        " parameter sets can make disjoint under the published seeding"),
        "it gives every stream a seed of its own, so two streams on one set would overlap by "
        "chance",
        detail::text_of("Keep streams.first + streams.count at or below ", sets(),
                        ", or set streams.seeding=native."));
  }
};

}  // namespace rivulet
