// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/output_names.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string_view>

#include "io/results/sha256.hpp"

namespace rivulet::io {
namespace {

constexpr std::string_view temporary_end = ".part";
constexpr std::size_t random_digits = 16;
/// File systems take names of 255 bytes, eCryptfs of 143. Open MPI's shared file pointers add some
/// 40 bytes to the temporary name's 22.
constexpr std::size_t longest_name = 80;

/// A file's name, with room for more after it.
std::string short_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.size() <= longest_name) return name;
  constexpr std::size_t digits = 16;
  std::size_t kept = longest_name - digits - 1;
  while (kept > 0 && (name[kept] & 0xc0) == 0x80) --kept;  // not within a character of UTF-8
  Sha256 sha;
  sha.update(std::string_view(name));
  return name.substr(0, kept) + "~" + sha.hex().substr(0, digits);
}

std::string beside(const std::string& path, const std::string& name) {
  return (std::filesystem::path(path).parent_path() / name).string();
}

}  // namespace

std::string lock_of(const std::string& path) {
  return beside(path, fmt::format(".{}.lock", short_name(path)));
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

std::string unfinished_of(const std::string& temporary) {
  return std::filesystem::path(temporary).replace_extension(".unfinished").string();
}

std::string output_of(const std::string& temporary) {
  const auto digits = std::filesystem::path(temporary).replace_extension();
  return std::filesystem::path(digits).replace_extension().string();
}

}  // namespace rivulet::io
