// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/expected_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/terminal/standard_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

std::string ExpectedDigest::remark(const std::string& found) const {
  if (!changed.empty()) return fmt::format("(not compared: {} was given)", changed);
  return found == digest ? "(as expected)" : "";
}

int ExpectedDigest::status_of(const std::string& found, const io::Communicator& ranks) const {
  if (digest.empty() || found == digest) return 0;
  if (ranks.is_root()) {
    const Error unexpected(
        fmt::format("the digest is {}, not {} as output.expect says", found, digest),
        "the deck was changed, or this machine or build computes wrongly",
        "Remove output.expect if you changed the deck; else do not trust this run.");
    io::tell(fmt::format("rivulet: {}\n", unexpected.what()));
  }
  return unexpected_status;
}

std::string changing_key(const std::vector<std::string>& overrides,
                         const std::vector<std::string>& free_keys) {
  for (const std::string& one : overrides) {
    const std::string key = one.substr(0, one.find('='));
    const bool is_free = key.starts_with("checkpoint.") || key.starts_with("output.") ||
                         std::ranges::count(free_keys, key) > 0;
    if (!is_free) return key;
  }
  return "";
}

}  // namespace rivulet
