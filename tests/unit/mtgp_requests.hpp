// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "streams/stream_request.hpp"

// Streams of mtgp11213 that tests ask for.

namespace rivulet {

inline constexpr std::uint64_t mtgp_seed = 0x0123456789abcdef;

inline StreamRequest native_mtgp(std::uint64_t streams) {
  StreamRequest request;
  request.streams = streams;
  request.seed = mtgp_seed;
  return request;
}

inline StreamRequest published_mtgp(std::uint64_t seed, std::uint64_t streams) {
  StreamRequest request;
  request.streams = streams;
  request.seed = seed;
  request.seeding = Seeding::published;
  return request;
}

}  // namespace rivulet
