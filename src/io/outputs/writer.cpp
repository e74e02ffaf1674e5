// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/writer.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <string_view>

#include "io/mpi/node.hpp"
#include "io/results/sha256.hpp"

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

constexpr std::string_view mark = "rivulet lock 1\n";
constexpr std::string_view temporary_end = ".part";
constexpr std::size_t random_digits = 16;
/// File systems take names of 255 bytes, eCryptfs of 143. Open MPI's shared file pointers add some
/// 40 bytes to the temporary name's 22.
constexpr std::size_t longest_name = 80;

/// A file's name, with room for more behind it.
std::string short_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.size() <= longest_name) return name;
  constexpr std::size_t digits = 16;
  std::size_t kept = longest_name - digits - 1;
  while (kept > 0 && (name[kept] & 0xc0) == 0x80) --kept;  // not within a character of UTF-8
  Sha256 sha;
  sha.update(std::as_bytes(std::span(name)));
  return name.substr(0, kept) + "~" + sha.hex().substr(0, digits);
}

std::string beside(const std::string& path, const std::string& name) {
  return (std::filesystem::path(path).parent_path() / name).string();
}

/// 0 for what is not a number.
std::uint64_t number_in(const std::string& text) {
  constexpr std::size_t most_digits = 19;
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  return text.empty() || !digits || text.size() > most_digits ? 0 : std::stoull(text);
}

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

std::string Writer::text() const {
  return fmt::format("process {} on {}, since {}", process.number, process.host, since);
}

std::string lock_text(const Writer& writer) {
  return fmt::format(
      "{}host: {}\nprocess: {}\nsince: {}\ntemporary: {}\nlocked: {}\nkept: {}\nspace: "
      "{}\nstarted: {}\n",
      mark, writer.process.host, writer.process.number, writer.since, writer.temporary,
      writer.holds_lock ? "yes" : "no", writer.keeps ? "yes" : "no", writer.process.space,
      writer.process.started);
}

std::optional<Writer> writer_in(const std::string& text) {
  if (!text.starts_with(mark)) return std::nullopt;
  Writer writer;
  bool whole = false;  // with its last line
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    const std::string key = line.substr(0, colon);
    const std::string value = line.substr(std::min(colon + 2, line.size()));
    if (key == "host") writer.process.host = value;
    if (key == "process") writer.process.number = number_in(value);
    if (key == "since") writer.since = value;
    if (key == "temporary") writer.temporary = value;
    if (key == "locked") writer.holds_lock = value == "yes";
    if (key == "kept") writer.keeps = value == "yes";
    if (key == "space") writer.process.space = value;
    if (key == "started") writer.process.started = number_in(value);
    whole = key == "started";
  }
  return whole ? std::optional(writer) : std::nullopt;
}

bool may_be_lock(const std::string& text) { return mark.starts_with(text.substr(0, mark.size())); }

std::string lock_of(const std::string& path) {
  return beside(path, fmt::format(".{}.rivulet-lock", short_name(path)));
}

std::string temporary_of(const std::string& path) {
  std::random_device random;
  const std::uint64_t high = random();
  return beside(path, fmt::format("{}.{:0{}x}{}", short_name(path), high << 32 | random(),
                                  random_digits, temporary_end));
}

bool is_temporary_of(const std::string& name, const std::string& path) {
  const std::string begin = short_name(path) + ".";
  return name.size() == begin.size() + random_digits + temporary_end.size() &&
         name.starts_with(begin) && name.ends_with(temporary_end) &&
         name.find_first_not_of("0123456789abcdef", begin.size()) ==
             name.size() - temporary_end.size();
}

std::string output_of(const std::string& temporary) {
  return temporary.substr(0, temporary.size() - 1 - random_digits - temporary_end.size());
}

}  // namespace rivulet::io
