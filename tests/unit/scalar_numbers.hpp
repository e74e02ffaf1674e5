// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "generators/with_generator.hpp"
#include "host_copy.hpp"

namespace rivulet {

/// Kernel that draws `count` raw numbers from each stream with a scalar engine.
template <class Streams>
struct DrawScalars {
  Streams all;
  Kokkos::View<std::uint64_t*, Space> to;
  std::uint64_t count;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    auto engine = all.scalar(stream);
    for (std::uint64_t i = 0; i < count; ++i) to(stream * count + i) = engine();
  }
};

/// Returns the next `count` raw numbers of each stream, stream by stream.
template <class Streams>
std::vector<std::uint64_t> scalar_numbers(const Streams& streams, std::uint64_t count) {
  const Kokkos::View<std::uint64_t*, Space> to("rivulet::test", streams.count() * count);
  Kokkos::parallel_for("rivulet::test_scalars",
                       Kokkos::RangePolicy<Space>(Space(), 0, streams.count()),
                       DrawScalars<Streams>{streams, to, count});
  return host_copy(to);
}

/// Returns the first `count` raw numbers of each stream in `range`, stream by stream.
template <class G>
std::vector<std::uint64_t> scalar_numbers(const typename G::Plan& plan, StreamRange range,
                                          std::uint64_t count) {
  typename G::Streams streams(plan, range);
  typename G::Starter(plan, range).seed(Space(), streams);
  return scalar_numbers(streams, count);
}

inline std::vector<std::uint64_t> scalar_numbers(const StreamPlan& plan, StreamRange range,
                                                 std::uint64_t count) {
  return with_generator(plan, [&]<class G>(std::type_identity<G>, const typename G::Plan& own) {
    return scalar_numbers<G>(own, range, count);
  });
}

}  // namespace rivulet
