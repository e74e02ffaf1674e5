// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "rivulet/detail/stream_store.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rivulet/detail/text.hpp"
#include "rivulet/detail/uint128.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet::detail {

/// A generator's traits, which Streams uses. Specialisations have
/// - name;
/// - Word and words: the type and number of a stream's words in memory;
/// - Engine: the type that open() returns;
/// - Shared<Mem>: the data that all streams share, constructed from the options;
/// - open(shared, slot, id) and close(slot, engine), which kernels call;
/// - is_state(slot): returns true if saved words are a state of full period with a valid position;
/// - require(options): throws Error if disjoint streams cannot be guaranteed;
/// - start(exec, store, shared, options), jump(exec, store, shared, options, numbers);
/// - certificate(shared, options);
/// - Recurrence, if the threads of a team can draw together from a stream.
template <class G>
struct Family {
  static_assert(
      sizeof(G) == 0,
      "this is neither a generator of Rivulet nor an OwnGenerator, a type with a name, a type "
      "Engine and a function engine(seed, stream): see <rivulet/generators.hpp>");
};

template <class Family>
concept ByTeam = requires {
  typename Family::Recurrence;
};

/// An empty Shared, for streams that differ only in their words.
struct EmptyShared {
  EmptyShared() = default;
  template <class Exec>
  EmptyShared(const Exec&, const StreamsOptions&) {}
};

/// A kernel that discards `numbers` numbers of every stream.
template <class Family, class Store, class Shared>
struct SkipNumbers {
  Store store;
  Shared shared;
  std::uint64_t numbers;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto slot = store.slot(stream);
    auto engine = Family::open(shared, slot, stream);
    engine.discard(numbers);
    Family::close(slot, engine);
  }
};

/// Returns the number of the last stream plus 1. Throws Error if this exceeds 2^64 - 1.
inline std::uint64_t end_of(const StreamsOptions& options) {
  const std::uint64_t end = options.first + options.count;
  if (end >= options.first) return end;
  throw Error(text_of(options.count, " streams from number ", options.first, " on do not exist"),
              "streams are numbered from 0 to 2^64 - 2",
              "Lower StreamsOptions::first or StreamsOptions::count.");
}

/// Returns the request for a plan of all streams from 0 to the last one. Each draws at most
/// 2^log2_limit numbers.
inline StreamRequest request_of(const StreamsOptions& options, unsigned log2_limit) {
  StreamRequest request;
  request.streams = std::max<std::uint64_t>(end_of(options), 1);
  request.seed = options.seed;
  request.log2_limit = log2_limit;
  return request;
}

inline std::string ids_text(const StreamsOptions& options) {
  if (options.count == 0) return "none";
  return text_of(options.first, " to ", end_of(options) - 1);
}

/// Throws Error for a jump of 2^log2_most numbers or more, which could lead into another stream.
inline void require_jump(Uint128 numbers, unsigned log2_most, std::string_view name) {
  if (numbers >> log2_most == 0) return;
  throw Error(text_of("a jump of 2^", log2_most, " numbers or more is too long for ", name),
              "it could lead to where another stream starts, or back to numbers that were drawn",
              text_of("Jump by less than 2^", log2_most, " numbers."));
}

inline void require_no_sets(const StreamsOptions& options, std::string_view name) {
  if (options.sets.sets.empty()) return;
  throw Error(text_of("parameter sets were given for ", name),
              "only dynamically created twisters have any", "Omit StreamsOptions::sets.");
}

}  // namespace rivulet::detail
