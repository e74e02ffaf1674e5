// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/process_identity.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "io/mpi/node.hpp"

namespace rivulet::io {
namespace {

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The kernel's name of this start of it, and that of the numbers' space (proc(5), namespaces(7)).
std::string numbers_space() {
  const std::string boot = first_line_of("/proc/sys/kernel/random/boot_id");
  std::error_code none;
  const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", none);
  return none || boot.empty() ? "" : boot + " " + space.string();
}

struct Status {
  char state = '?';
  std::uint64_t started = 0;
};

/// Fields 3 and 22 of /proc/N/stat (proc(5)). Field 2 is the program's name, which may hold
/// anything and ends with the last ')'.
Status status_of(std::uint64_t number) {
  const std::string line = first_line_of("/proc/" + std::to_string(number) + "/stat");
  Status status;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return status;
  std::istringstream fields(line.substr(name_end + 1));
  fields >> status.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  fields >> status.started;
  return status;
}

bool is_dead(char state) { return state == 'Z' || state == 'X'; }

}  // namespace

ProcessIdentity this_process() {
  const auto number = static_cast<std::uint64_t>(::getpid());
  return {host_name(), numbers_space(), number, status_of(number).started};
}

Life life_of(const ProcessIdentity& process) {
  if (process.host != host_name() || process.space != numbers_space()) return Life::unknown;
  // To kill(), 0 and what is negative are groups of processes.
  const bool may_be_one = process.number > 0 && process.number <= std::numeric_limits<pid_t>::max();
  if (!may_be_one) return Life::ended;
  if (::kill(static_cast<pid_t>(process.number), 0) != 0 && errno == ESRCH) return Life::ended;
  const Status status = status_of(process.number);
  return status.started == process.started && !is_dead(status.state) ? Life::running : Life::ended;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return std::strftime(text.data(), text.size(), "%FT%TZ", &utc) > 0 ? text.data() : "unknown";
}

}  // namespace rivulet::io
