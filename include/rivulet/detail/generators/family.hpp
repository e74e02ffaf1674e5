// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/stream_store.hpp"
#include "rivulet/detail/uint128.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "rivulet/streams_options.hpp"

namespace rivulet::detail {

/// What Streams knows of a generator, by specialisations:
/// - name; Word and words: what memory holds of each stream;
/// - Engine: what open() gives;
/// - Shared<Mem>: what all streams have in common, made of the options;
/// - open(shared, slot, id), close(slot, engine): in kernels;
/// - require(options): throws Error where the streams cannot be kept apart;
/// - start(exec, store, shared, options), jump(exec, store, shared, options, numbers);
/// - certificate(shared, options).
/// Recurrence, if the generator has streams by team.
template <class G>
struct Family;

template <class Family>
concept ByTeam = requires {
  typename Family::Recurrence;
};

/// One after the last stream's number. Throws Error where there is no such number.
inline std::uint64_t end_of(const StreamsOptions& options) {
  const std::uint64_t end = options.first + options.count;
  if (end >= options.first) return end;
  throw Error(std::to_string(options.count) + " streams from number " +
                  std::to_string(options.first) + " on do not exist",
              "streams are numbered from 0 to 2^64 - 2", "Use a smaller first, or fewer streams.");
}

inline std::string ids_text(const StreamsOptions& options) {
  if (options.count == 0) return "none";
  return std::to_string(options.first) + " to " + std::to_string(end_of(options) - 1);
}

inline void require_no_sets(const StreamsOptions& options, const std::string& name) {
  if (options.sets.sets.empty()) return;
  throw Error("parameter sets were given for " + name, "only dynamically created twisters have any",
              "Leave out StreamsOptions::sets.");
}

}  // namespace rivulet::detail
