// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "io/mpi/node.hpp"
#include "machine/devices.hpp"

namespace rivulet {

/// What this build runs on.
struct Backends {
  std::string device;  ///< Kokkos' name of it; empty where kernels run on the host
  std::string host;
  bool host_has_threads = false;
};
Backends backends();

/// A line a backend, for `rivulet --list`.
std::string list_of(const Backends& backends);

/// Options that begin with --kokkos-, as they were given. Throws Error for a device or threads that
/// the build has not.
void check_backends(const std::vector<std::string>& options, const Backends& backends);

/// Throws Error if there is no device, or not the one asked for: by an option, or by a variable of
/// the environment, NAME=VALUE.
void check_devices(const std::vector<std::string>& asked, const Backends& backends,
                   const Devices& devices);
/// The same of this process, where kernels run on devices.
void check_devices(const std::vector<std::string>& options);

/// Throws Error if more threads are asked for, or OpenMP would start more, than Kokkos has room
/// for.
void check_threads(const std::vector<std::string>& asked, int openmp_threads);
/// The same of this process.
void check_threads(const std::vector<std::string>& options);

/// The option that gives the ranks of a node its devices in turn, which Kokkos does with some
/// launchers; none if the user has chosen, or there is no choice.
std::vector<std::string> device_in_turn(const std::vector<std::string>& asked,
                                        const io::NodePlace& place, const Devices& devices);

/// What is to be said if ranks share devices; hosts and devices: of each rank. Otherwise empty.
std::string sharing_warning(const std::vector<std::string>& hosts,
                            const std::vector<std::string>& devices);

/// Kokkos for the life of this object.
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
