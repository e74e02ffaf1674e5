// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/mpi/node.hpp"
#include "machine/devices.hpp"

namespace rivulet {

/// Restarts this program in the same process with GOMP_SPINCOUNT=1000. No-op if the environment
/// already determines how OpenMP's threads wait, or if OpenMP is not GCC's.
///
/// By default, waiting threads spin for milliseconds. If other programs occupy the cores, spinning
/// threads delay the threads that they wait for: on two cores, `rivulet fill` took 20 times as long
/// while three compilers ran. libgomp itself spins 1000 times if there are more threads than cores.
/// Setting the variable in main() has no effect, because libgomp has read it by then.
///
/// Must be called before anything else, even constructors of static objects, and therefore uses
/// system calls only.
void restart_with_short_spins(char** argv, char** environment);

struct Backends {
  std::string device;  ///< Kokkos' name of the device backend; empty if kernels run on the host
  std::string host;
  bool host_has_threads = false;
};
Backends backends();

/// Returns one line per backend, for `rivulet --list`.
std::string list_of(const Backends& backends);

/// Checks options that begin with --kokkos-. Throws Error if their numbers are invalid, or if they
/// ask for a device or threads that the build does not support.
void check_backends(const std::vector<std::string>& options, const Backends& backends);

/// Throws Error if there is no device, or if an entry of `requests` asks for a missing device or an
/// unknown mapping of ranks to devices. An entry is an option or an environment variable,
/// NAME=VALUE.
void check_devices(const std::vector<std::string>& requests, const Backends& backends,
                   const Devices& devices);
/// Checks the options and environment variables of this process. No-op in builds whose kernels run
/// on the host.
void check_devices(const std::vector<std::string>& options);

/// Throws Error if an entry of `requests` asks for more threads than Kokkos supports. If no entry
/// sets the number of threads, checks `openmp_threads`, the number that OpenMP would start.
void check_threads(const std::vector<std::string>& requests, int openmp_threads);
/// Checks the number of threads of this process. No-op without OpenMP.
void check_threads(const std::vector<std::string>& options);

/// Returns the option that assigns a device to this rank, round-robin over the node's ranks, as
/// Kokkos itself does with some launchers. Empty if the user has chosen a device, or if the node
/// has only one device or one rank.
std::vector<std::string> round_robin_device(const std::vector<std::string>& requests,
                                            const io::NodePlace& place, const Devices& devices);

/// A resource that ranks should not share, and advice in case they do.
struct ExclusiveResource {
  std::string_view name;
  std::string_view advice;
};
inline constexpr ExclusiveResource device_resource{
    "device", "Start as many ranks per node as it has devices"};
inline constexpr ExclusiveResource core_resource{
    "core", "Let the launcher bind each rank to cores of its own, or unset OMP_PROC_BIND"};

/// Returns a warning if a host has fewer distinct resources than ranks, else an empty string. For
/// each rank, `hosts` contains the name of its host, and `resources` contains the names of its
/// resources, separated by commas. The names are empty if they are unknown.
std::string sharing_warning(const ExclusiveResource& resource,
                            const std::vector<std::string>& hosts,
                            const std::vector<std::string>& resources);

/// Returns the processors that this thread may run on, separated by commas, if OpenMP binds
/// threads. (OpenMP then binds the first thread of a process to the first processor that the
/// launcher left to the process.) Empty otherwise, and on systems other than Linux.
std::string bound_cores();

/// Initialises Kokkos, and finalises it in the destructor.
class KokkosSession {
 public:
  /// Throws Error for options that Kokkos does not know, for too many threads, and if there is no
  /// device.
  KokkosSession(const char* program, const std::vector<std::string>& options,
                const io::NodePlace& place);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

}  // namespace rivulet
