// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/mpi/node.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

namespace rivulet::io {
namespace {

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : std::uint64_t{1} << 30;
}

/// Returns the number of bytes left below the limit of `ulimit -v`, or 2^64 - 1 without a limit.
std::uint64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return ~std::uint64_t{0};
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

NodePlace place_on_node(const Communicator& communicator) {
  NodePlace place;
#if RIVULET_ENABLE_MPI
  if (communicator.size() == 1) return place;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator.handle(), MPI_COMM_TYPE_SHARED, communicator.rank(),
                      MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &place.rank);
  MPI_Comm_size(node, &place.ranks);
  MPI_Comm_free(&node);
#else
  static_cast<void>(communicator);
#endif
  return place;
}

std::uint64_t available_memory() {
  std::uint64_t available = physical_memory();
  std::ifstream lines("/proc/meminfo");
  for (std::string key; lines >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && lines >> kibibytes) available = kibibytes << 10;
  }
  // The limits of control groups, versions 2 and 1. Without a limit, these files contain "max", or
  // a number larger than any memory.
  for (const char* limit :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(limit) >> bytes) available = std::min(available, bytes);
  }
  return std::min(available, address_space_left());
}

std::uint64_t host_memory_per_rank(const Communicator& communicator) {
  std::map<std::string, std::uint64_t> ranks;
  for (const std::string& host : communicator.gather(host_name())) ++ranks[host];
  std::uint64_t max_ranks = 1;
  for (const auto& [host, count] : ranks) max_ranks = std::max(max_ranks, count);
  return communicator.min(available_memory()) / communicator.max(max_ranks);
}

}  // namespace rivulet::io
