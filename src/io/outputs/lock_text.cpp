// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/lock_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <sstream>

#include "io/results/sha256.hpp"

namespace rivulet::io {
namespace {

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
  return beside(path, "." + short_name(path) + ".rivulet-lock");
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
