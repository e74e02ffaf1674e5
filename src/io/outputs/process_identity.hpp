// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace rivulet::io {

/// A process, told from later ones of the same number and from those of other hosts.
struct ProcessIdentity {
  std::string host;
  /// Where numbers of processes mean the same: this start of the machine, this container. Empty
  /// where the system does not tell.
  std::string space;
  std::uint64_t number = 0;
  std::uint64_t started = 0;  ///< clock ticks after the machine's start; 0 where unknown
};

ProcessIdentity this_process();

enum class Life { running, ended, unknown };

/// Whether a process of this host still runs; unknown for those of other hosts and containers.
Life life_of(const ProcessIdentity& process);

/// The time, as "2026-11-22T20:12:30Z".
std::string utc_now();

}  // namespace rivulet::io
