// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/sealed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string_view>
#include <vector>

#include "io/file_space.hpp"
#include "io/sha256.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// The first and the last characters of a seal, so that one byte changed does not make it look like
/// somebody else's user block.
constexpr std::string_view first_mark = "rivulet sealed file: ";
constexpr std::string_view last_mark = " end of seal\n";

constexpr std::size_t piece_bytes = std::size_t{1} << 16;  // the disk reads ahead anyhow

/// The seal of what follows in the stream.
std::string seal_of(std::istream& file) {
  Sha256 sha;
  std::uint64_t size = 0;
  std::vector<char> piece(piece_bytes);
  while (file.read(piece.data(), piece_bytes), file.gcount() > 0) {
    const auto count = static_cast<std::size_t>(file.gcount());
    sha.update(std::string_view(piece.data(), count));
    size += count;
  }
  std::string seal = fmt::format("{}SHA-256 {} over the {} bytes that follow the first {}\n",
                                 first_mark, sha.hex(), size, seal_bytes);
  seal.resize(seal_bytes - last_mark.size(), ' ');
  return seal + std::string(last_mark);
}

}  // namespace

void seal_file(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(seal_bytes);
  if (!file) throw_cannot_write(path, errno);
  const std::string seal = seal_of(file);
  if (file.bad()) throw_cannot_write(path, errno);
  file.clear();  // of the end of the file
  file.seekp(0);
  file.write(seal.data(), static_cast<std::streamsize>(seal.size()));
  file.flush();
  if (!file) throw_cannot_write(path, errno);
}

bool check_seal(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string found(seal_bytes, '\0');
  file.read(found.data(), seal_bytes);
  found.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  const bool is_whole = found.size() == seal_bytes;
  if (!found.starts_with(first_mark) && !(is_whole && found.ends_with(last_mark))) return false;
  if (is_whole && found == seal_of(file) && !file.bad()) return true;
  throw Error("'" + path + "' is damaged",
              "it was cut short or changed: its SHA-256 is not the one that it begins with",
              "Use another copy of it, or make it again.");
}

}  // namespace rivulet::io
