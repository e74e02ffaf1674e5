// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/mpi/node.hpp"
#include "machine/devices.hpp"

namespace rivulet {

/// Starts this program again, as the same process, with GOMP_SPINCOUNT=1000, unless the environment
/// says how OpenMP's threads wait, or the OpenMP is another than GCC's. By default waiting threads
/// spin for milliseconds: where other programs take the cores, they keep them from the very threads
/// that they wait for (`rivulet fill` took 20 times as long beside three compilers on two cores).
/// 1000 turns are libgomp's own number for more threads than cores. It reads the variable before
/// main() is called, so that setting it there has no effect.
///
/// Called first of all, before constructors: uses system calls alone.
void wait_shortly(char** argv, char** environment);

struct Backends {
  std::string device;  ///< Kokkos' name of it; empty where kernels run on the host
  std::string host;
  bool host_has_threads = false;
};
Backends backends();

/// A line for each backend, for `rivulet --list`.
std::string list_of(const Backends& backends);

/// Checks options that begin with --kokkos-. Throws Error for a device or threads that the build
/// does not support.
void check_backends(const std::vector<std::string>& options, const Backends& backends);

/// Throws Error if there is no device, or not the one that an option or an environment variable,
/// NAME=VALUE, asks for.
void check_devices(const std::vector<std::string>& asked, const Backends& backends,
                   const Devices& devices);
/// The same for this process, in builds whose kernels run on devices.
void check_devices(const std::vector<std::string>& options);

/// Throws Error if more threads are asked for, or OpenMP would start more, than Kokkos supports.
void check_threads(const std::vector<std::string>& asked, int openmp_threads);
/// The same for this process.
void check_threads(const std::vector<std::string>& options);

/// The option that distributes a node's devices over its ranks in turn, which Kokkos itself does
/// with some launchers; empty if the user has chosen or there is one device.
std::vector<std::string> device_in_turn(const std::vector<std::string>& asked,
                                        const io::NodePlace& place, const Devices& devices);

/// What ranks should not share: "device" or "core", and what to do if they do.
struct Own {
  std::string_view name;
  std::string_view advice;
};
inline constexpr Own own_devices{"device", "Start as many ranks per node as it has devices"};
inline constexpr Own own_cores{
    "core", "Let the launcher bind each rank to cores of its own, or unset OMP_PROC_BIND"};

/// A warning if a host's ranks are more than what they have of it, else empty. Of each rank: its
/// host, and names of what it has, separated by commas; none if that is not known.
std::string sharing_warning(const Own& own, const std::vector<std::string>& hosts,
                            const std::vector<std::string>& had);

/// The processors that this thread runs on, if OpenMP binds threads: each process, of those that
/// the launcher left it, its first thread to the first. Else empty, and where it is not Linux.
std::string bound_cores();

/// Initializes Kokkos and finalizes it at the end of this object's life.
class KokkosSession {
 public:
  /// Throws Error for options that Kokkos does not know, and if there is no device.
  KokkosSession(const char* program, const std::vector<std::string>& options,
                const io::NodePlace& place);
  ~KokkosSession();
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
};

}  // namespace rivulet
