// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// Plan for streams of a counter-based generator. Each stream has its own part of the counters, so
/// there is no start to compute.
template <detail::CounterBased G>
class CounterPlan final : public StreamPlan {
 public:
  explicit CounterPlan(const StreamRequest& request) : StreamPlan(request) {
    require_native(G::name,
                   "its native seeding is the published one: the seed is the key, the stream's id "
                   "the upper half of the counter");
  }

  Certificate certificate() const override {
    constexpr int log2 = detail::log2_stream_numbers<G>;
    constexpr int bits = detail::counter_bits<G>;
    return {{"method", detail::text_of("a counter's upper ", bits / 2,
                                       " bits are the stream's id, the key is the seed")},
            {"period", detail::text_of("2^", log2, " numbers per stream, 2^64 streams")},
            {"proved",
             detail::text_of("for one key the generator maps the 2^", bits,
                             " counters one to one, and no two streams have a counter in "
                             "common; each has 2^",
                             log2, " numbers, and draws ", request().numbers_text(), " at most")}};
  }
};

}  // namespace rivulet
