// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace rivulet::io {
namespace {

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : std::uint64_t{1} << 30;
}

std::uint64_t available_memory() {
  std::uint64_t available = physical_memory();
  std::ifstream lines("/proc/meminfo");
  for (std::string key; lines >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && lines >> kibibytes) available = kibibytes << 10;
  }
  // Control groups, version 2 and 1; without a limit these say "max", or a number beyond all
  // memory.
  for (const char* limit :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(limit) >> bytes) available = std::min(available, bytes);
  }
  return available;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::uint64_t host_memory_a_rank(const Communicator& communicator) {
  std::map<std::string, std::uint64_t> ranks;
  for (const std::string& host : communicator.gather(host_name())) ++ranks[host];
  std::uint64_t most = 1;
  for (const auto& [host, count] : ranks) most = std::max(most, count);
  return communicator.min(available_memory()) / communicator.max(most);
}

}  // namespace rivulet::io
