// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/kokkos_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>

#include "kokkos_compat.hpp"
#include "rivulet/error.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif
#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <alloca.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <climits>
#include <string_view>
#endif

namespace rivulet {
namespace {

// Names of command-line options and environment variables in Kokkos 3.4 to 5.
constexpr std::array device_id_names = {"--kokkos-device-id", "--kokkos-device",
                                        "KOKKOS_DEVICE_ID"};
constexpr std::array device_choice_names = {"--kokkos-num-devices",      "--kokkos-ndevices",
                                            "--kokkos-map-device-id-by", "KOKKOS_NUM_DEVICES",
                                            "KOKKOS_MAP_DEVICE_ID_BY",   "KOKKOS_VISIBLE_DEVICES"};
constexpr std::array map_names = {"--kokkos-map-device-id-by", "KOKKOS_MAP_DEVICE_ID_BY"};
constexpr std::array thread_names = {"--kokkos-num-threads", "--kokkos-threads",
                                     "KOKKOS_NUM_THREADS"};
/// Length of a table in Kokkos' OpenMP backend (MAX_THREAD_COUNT in its OpenMPExec, later
/// OpenMPInternal). With more threads, Kokkos writes past the table's end.
constexpr std::uint64_t max_openmp_threads = 512;

/// Returns the first entry NAME=VALUE whose name is one of `names`, or nullopt.
template <std::size_t n>
std::optional<std::string> find(const std::vector<std::string>& requests,
                                const std::array<const char*, n>& names) {
  for (const std::string& request : requests) {
    const std::string_view name = std::string_view(request).substr(0, request.find('='));
    if (std::ranges::find(names, name) != names.end()) return request;
  }
  return std::nullopt;
}

/// Returns the number after '=', or nullopt if no number of at most nine digits follows.
std::optional<std::uint64_t> number_in(const std::string& request) {
  const std::size_t equals = request.find('=');
  if (equals == std::string::npos) return std::nullopt;
  const std::string digits = request.substr(equals + 1);
  if (digits.empty() || digits.size() > 9 ||
      !std::ranges::all_of(digits, [](char c) { return '0' <= c && c <= '9'; })) {
    return std::nullopt;
  }
  return std::stoull(digits);
}

/// Returns the options, followed by Kokkos' environment variables. The order makes find() prefer
/// options.
std::vector<std::string> with_environment(std::vector<std::string> requests) {
  for (const char* name : {"KOKKOS_NUM_THREADS", "KOKKOS_DEVICE_ID", "KOKKOS_NUM_DEVICES",
                           "KOKKOS_MAP_DEVICE_ID_BY", "KOKKOS_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name))
      requests.push_back(fmt::format("{}={}", name, value));
  }
  return requests;
}

/// Returns the number of devices in a list such as KOKKOS_VISIBLE_DEVICES=2,3. Kokkos numbers these
/// devices from 0.
int devices_in(const std::string& visible) {
  return static_cast<int>(std::ranges::count(visible, ',')) + 1;
}

}  // namespace

Backends backends() {
  Backends result;
  if (device_build) result.device = Space::name();
  result.host = HostSpace::name();
#if defined(KOKKOS_ENABLE_SERIAL)
  result.host_has_threads = !std::is_same_v<HostSpace, Kokkos::Serial>;
#else
  result.host_has_threads = true;
#endif
  return result;
}

std::string list_of(const Backends& backends) {
  std::string text;
  const auto add = [&text](const std::string& name, const char* doc) {
    text += fmt::format("  {:<10} {}\n", name, doc);
  };
  if (!backends.device.empty()) add(backends.device, "all kernels, on one GPU per rank");
  add(backends.host, backends.device.empty()
                         ? (backends.host_has_threads ? "all kernels, on the host's threads"
                                                      : "all kernels, on one thread per rank")
                         : (backends.host_has_threads ? "the host's part, on its threads"
                                                      : "the host's part, on one thread per rank"));
  return text;
}

void check_backends(const std::vector<std::string>& options, const Backends& backends) {
  if (backends.device.empty()) {
    auto request = find(options, device_id_names);
    if (!request) request = find(options, device_choice_names);
    if (request) {
      throw Error(*request + " asks for a device",
                  fmt::format("this build runs on the host only, with {}", backends.host),
                  "Omit it, or build for a GPU: `spack install rivulet +cuda cuda_arch=90`, "
                  "`+rocm amdgpu_target=gfx90a`, or `cmake --preset cuda` (docs/install.md).");
    }
  }
  const auto threads = find(options, thread_names);
  for (const auto& request : {threads, find(options, device_id_names)}) {
    if (request && !number_in(*request)) {
      throw Error(*request + " is invalid", "Kokkos expects a whole number",
                  "Give a whole number, or omit it.");
    }
  }
  if (threads && number_in(*threads) == 0u) {
    throw Error(*threads + " is invalid", "kernels need a thread", "Give 1 or more.");
  }
  if (backends.host_has_threads || !threads || number_in(*threads).value_or(1) <= 1) return;
  throw Error(
      *threads + " asks for threads",
      fmt::format("on the host this build runs with {}, on one thread per rank", backends.host),
      "Omit it, start more ranks, or build with OpenMP: `spack install rivulet "
      "+openmp` or `cmake --preset openmp` (docs/install.md).");
}

void check_devices(const std::vector<std::string>& requests, const Backends& backends,
                   const Devices& devices) {
  const auto request = find(requests, map_names);
  if (request && !request->ends_with("=mpi_rank") && !request->ends_with("=random")) {
    throw Error(*request + " is invalid", "Kokkos has no such way to choose a device",
                "Give mpi_rank or random, or omit it.");
  }
  if (devices.count == 0) {
    throw Error(
        "there is no device to run on",
        fmt::format("this build's kernels run on {}: {}", backends.device, devices.reason_for_none),
        "Start Rivulet on a node with a GPU (with Slurm: --gpus-per-node=1), or use a build for "
        "CPUs.");
  }
  const auto visible = find(requests, std::array{"KOKKOS_VISIBLE_DEVICES"});
  const int count = visible ? devices_in(*visible) : devices.count;
  const auto id = find(requests, device_id_names);
  if (!id) return;
  const auto number = number_in(*id);
  if (!number || *number < static_cast<std::uint64_t>(count)) return;
  throw Error(*id + " names no device",
              count == 1 ? "there is one, number 0"
                         : fmt::format("there are {}, numbers 0 to {}", count, count - 1),
              "Give one of these, or omit it: ranks take devices in turn.");
}

void check_devices(const std::vector<std::string>& options) {
  if (const auto devices = visible_devices()) {
    check_devices(with_environment(options), backends(), *devices);
  }
}

void check_threads(const std::vector<std::string>& requests, int openmp_threads) {
  const auto request = find(requests, thread_names);
  const std::uint64_t threads = request ? number_in(*request).value_or(max_openmp_threads + 1)
                                        : static_cast<std::uint64_t>(std::max(openmp_threads, 0));
  if (threads <= max_openmp_threads) return;
  throw Error(request ? *request + " is invalid" : fmt::format("{} threads are too many", threads),
              fmt::format("Kokkos runs at most {} OpenMP threads a process", max_openmp_threads),
              request ? "Give it a smaller number, and start more ranks."
                      : "Start more ranks with fewer threads each: set OMP_NUM_THREADS.");
}

void check_threads([[maybe_unused]] const std::vector<std::string>& options) {
#if defined(KOKKOS_ENABLE_OPENMP) && defined(_OPENMP)
  check_threads(with_environment(options), omp_get_max_threads());
#endif
}

std::vector<std::string> round_robin_device(const std::vector<std::string>& requests,
                                            const io::NodePlace& place, const Devices& devices) {
  const bool is_chosen = find(requests, device_id_names) || find(requests, device_choice_names);
  if (is_chosen || devices.count < 2 || place.ranks < 2) return {};
  return {fmt::format("--kokkos-device-id={}", place.rank % devices.count)};
}

std::string sharing_warning(const ExclusiveResource& resource,
                            const std::vector<std::string>& hosts,
                            const std::vector<std::string>& resources) {
  std::map<std::string, int> ranks;                    // number of ranks per host
  std::map<std::string, std::set<std::string>> names;  // the ranks' devices or cores, per host
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (resources[rank].empty()) continue;
    ++ranks[hosts[rank]];
    std::istringstream list(resources[rank]);
    for (std::string name; std::getline(list, name, ',');) names[hosts[rank]].insert(name);
  }
  for (const auto& [host, rank_count] : ranks) {
    const auto distinct = static_cast<int>(names[host].size());
    if (rank_count <= distinct) continue;
    return fmt::format("{} ranks share {} {}{} (on {}{}). {}; results are the same.", rank_count,
                       distinct, resource.name, distinct == 1 ? "" : "s", host,
                       ranks.size() == 1 ? "" : ", and possibly on other nodes", resource.advice);
  }
  return "";
}

std::string bound_cores() {
  std::string names;
#if defined(__linux__)
  const char* const bind = std::getenv("OMP_PROC_BIND");
  cpu_set_t cores;
  const bool is_bound = bind != nullptr &&
                        std::string_view("fF").find(*bind) == std::string::npos &&
                        sched_getaffinity(0, sizeof cores, &cores) == 0;
  for (std::size_t i = 0; is_bound && i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &cores)) names += fmt::format("{}{}", names.empty() ? "" : ",", i);
  }
#endif
  return names;
}

KokkosSession::KokkosSession(const char* program, const std::vector<std::string>& options,
                             const io::NodePlace& place) {
  check_threads(options);
  std::vector<std::string> arguments{program};
  arguments.insert(arguments.end(), options.begin(), options.end());
  if (const auto devices = visible_devices()) {
    const std::vector<std::string> requests = with_environment(options);
    check_devices(requests, backends(), *devices);
    for (std::string& option : round_robin_device(requests, place, *devices)) {
      arguments.push_back(std::move(option));
    }
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  // Without OMP_PROC_BIND, Kokkos 3.4 prints advice to standard output. The advised binding would
  // run all ranks of a node on the same cores. Setting the variable here suppresses the advice.
  // OpenMP does not see the change, because check_threads() has already made it read the variable.
  setenv("OMP_PROC_BIND", "false", 0);
  try {
    Kokkos::initialize(count, pointers.data());  // removes known options from the list
  } catch (const std::exception& failure) {
    throw Error("Kokkos failed to start", failure.what(),
                "See `rivulet --kokkos-help`, and check variables that begin with KOKKOS_.");
  }
  if (count < 2) return;
  const std::string unknown = pointers[1];
  Kokkos::finalize();
  throw Error("unknown option " + unknown,
              "this build's Kokkos does not know it, or rejects its value",
              "See `rivulet --kokkos-help`.");
}

KokkosSession::~KokkosSession() { Kokkos::finalize(); }

#if defined(KOKKOS_ENABLE_OPENMP) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)

void restart_with_short_spins(char** argv, char** environment) {
  // A base address of 0 means that the user has called the dynamic loader with the program as its
  // argument.
  if (getauxval(AT_BASE) == 0) return;
  std::size_t variables = 0;
  for (; environment[variables] != nullptr; ++variables) {
    const std::string_view variable = environment[variables];
    if (variable.starts_with("GOMP_SPINCOUNT=") || variable.starts_with("OMP_WAIT_POLICY=")) return;
  }
  static char spin_count[] = "GOMP_SPINCOUNT=1000";
  auto** const new_environment = static_cast<char**>(alloca((variables + 2) * sizeof(char*)));
  std::copy_n(environment, variables, new_environment);
  new_environment[variables] = spin_count;
  new_environment[variables + 1] = nullptr;
  // Executes the program's own path instead of /proc/self/exe, because the process is named after
  // the path. If execve() fails, the program continues unchanged.
  char path[PATH_MAX] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) > 0) execve(path, argv, new_environment);
}

#else

void restart_with_short_spins(char**, char**) {}

#endif

}  // namespace rivulet
