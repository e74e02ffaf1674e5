// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "io/words/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// An Error whose message states the memory needed and the memory left.
class OutOfMemory : public Error {
 public:
  /// `problem` has the form "no memory for ...". `bytes` is the size of the whole allocation.
  OutOfMemory(const std::string& problem, std::uint64_t bytes, const std::string& what_to_do);
};

/// Calls make(), which allocates. Converts an allocation failure to OutOfMemory.
template <class Make>
decltype(auto) require_memory_for(const std::string& what, std::uint64_t bytes,
                                  const std::string& what_to_do, Make&& make) {
  try {
    return std::forward<Make>(make)();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    if (!io::is_out_of_memory(failure)) throw;
    throw OutOfMemory("no memory for " + what, bytes, what_to_do);
  }
}

/// Calls make(limit), which allocates at most `limit` bytes. The first limit is `max_bytes`. While
/// make() throws OutOfMemory, halves the limit, but not below `min_bytes`. After a failure, the
/// limit that succeeds is halved once more, to leave memory for later allocations and other
/// processes.
template <class Make>
void with_available_memory(std::uint64_t max_bytes, std::uint64_t min_bytes, Make&& make) {
  for (std::uint64_t limit = max_bytes;; limit /= 2) {
    try {
      make(limit);
      if (limit < max_bytes && limit / 2 >= min_bytes) make(limit / 2);
      return;
    } catch (const OutOfMemory&) {
      if (limit / 2 < min_bytes) throw;
    }
  }
}

}  // namespace rivulet
