// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <span>
#include <string_view>
#include <system_error>

#include "io/outputs/file_space.hpp"
#include "io/results/sha256.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// The first and the last characters of a seal, so that one byte changed does not make it look like
/// somebody else's user block.
constexpr std::string_view first_mark = "rivulet sealed file: ";
constexpr std::string_view last_mark = " end of seal\n";
constexpr std::string_view kind_mark = "\nkind: ";
constexpr std::string_view run_mark = "\nrun: ";
constexpr std::string_view places_mark = " places";

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 18;
/// Bytes of an extent in the list before the seal: begin and length, little-endian.
constexpr std::uint64_t listed_bytes = 16;
static_assert(sizeof(Extent) == listed_bytes && std::endian::native == std::endian::little);

FileDescriptor opened(const std::string& path, int flags) {
  return FileDescriptor(::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
}

/// The size of a regular file, else 0.
std::uint64_t size_of(const FileDescriptor& file) {
  return is_regular(file.get()) ? static_cast<std::uint64_t>(identity_of(file)->size) : 0;
}

/// Reads an extent's bytes, fewer at the file's end.
std::string read_at(const FileDescriptor& file, const std::string& path, const Extent& where) {
  std::string bytes = io::read_at(file, where.begin, where.bytes);
  if (errno == 0) return bytes;
  throw Error("cannot read '" + path + "'", std::generic_category().message(errno),
              "Check the disk and the file system.");
}

void write_at(const FileDescriptor& file, const std::string& path, std::uint64_t at,
              std::string_view bytes) {
  if (const int code = io::write_at(file, at, bytes); code != 0) throw_cannot_write(path, code);
}

/// A file with a seal, or to be sealed.
struct Sealed {
  bool is_behind = false;  ///< the seal
  Extent body;             ///< what the seal is of, the list before the seal included
  SealedAs as;
  std::vector<Extent> left_out = {};
};

std::string lines_of(const SealedAs& as) {
  std::string lines;
  if (!as.kind.empty()) lines += fmt::format("{}{}", kind_mark, as.kind);
  if (!as.run.empty()) lines += fmt::format("{}{}", run_mark, as.run);
  return lines + "\n";
}

void add(Sha256& sha, const FileDescriptor& file, const std::string& path, Extent rest) {
  while (rest.bytes > 0) {
    const std::string piece = read_at(file, path, {rest.begin, std::min(rest.bytes, piece_bytes)});
    if (piece.empty()) return;  // shorter than it was
    sha.update(piece);
    rest = {rest.begin + piece.size(), rest.bytes - piece.size()};
  }
}

std::string seal_of(const FileDescriptor& file, const std::string& path, const Sealed& sealed) {
  Sha256 sha;
  std::uint64_t at = sealed.body.begin;
  std::uint64_t bytes_left_out = 0;
  for (const Extent& one : sealed.left_out) {
    add(sha, file, path, {at, one.begin - at});
    at = one.end();
    bytes_left_out += one.bytes;
  }
  add(sha, file, path, {at, sealed.body.end() - at});
  const std::string lines = lines_of(sealed.as);
  if (lines.size() > 1) sha.update(std::string_view(lines));
  std::string where = fmt::format("that follow the first {}", seal_bytes);
  if (sealed.is_behind) where = "before this";
  if (!sealed.left_out.empty()) {
    where +=
        fmt::format(", but for {} bytes in {}{}, which the last {} of them list", bytes_left_out,
                    sealed.left_out.size(), places_mark, sealed.left_out.size() * listed_bytes);
  }
  if (lines.size() > 1) where += ", and the lines below";
  std::string seal = fmt::format("{}SHA-256 {} over the {} bytes {}{}", first_mark, sha.hex(),
                                 sealed.body.bytes, where, lines);
  seal.resize(seal_bytes - last_mark.size(), ' ');  // shorter only where lines are damaged
  return seal + std::string(last_mark);
}

/// Between the mark and the end of its line.
std::string line_after(std::string_view seal, std::string_view mark) {
  const std::size_t at = seal.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = seal.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

SealedAs said_by(std::string_view seal) {
  return {line_after(seal, kind_mark), line_after(seal, run_mark)};
}

/// Length of the list before a seal at the file's end; 0 if the seal has none.
std::uint64_t places_said_by(std::string_view seal) {
  const std::size_t end = seal.find(places_mark);
  if (end == std::string_view::npos) return 0;
  const std::size_t begin = seal.find_last_not_of("0123456789", end - 1) + 1;
  std::uint64_t count = 0;
  std::from_chars(seal.data() + begin, seal.data() + end, count);
  return count;
}

/// The extents that the list before the seal has. Those of a damaged list may be anywhere: then it
/// is the list alone.
std::vector<Extent> listed(const FileDescriptor& file, const std::string& path, const Extent& body,
                           std::uint64_t count) {
  if (count > body.bytes / listed_bytes) return {};
  const std::uint64_t list = body.end() - count * listed_bytes;
  const std::string bytes = read_at(file, path, {list, count * listed_bytes});
  std::vector<Extent> extents(bytes.size() / listed_bytes);
  bytes.copy(reinterpret_cast<char*>(extents.data()), extents.size() * listed_bytes);
  std::uint64_t at = 0;
  for (const Extent& one : extents) {
    if (one.begin < at || one.begin > list || one.bytes > list - one.begin) return {};
    at = one.end();
  }
  return extents;
}

bool is_whole(std::string_view seal) {
  return seal.size() == seal_bytes && seal.starts_with(first_mark) && seal.ends_with(last_mark);
}

/// Parts of one show that the file had it.
bool is_marked(std::string_view seal) {
  return seal.starts_with(first_mark) || (seal.size() == seal_bytes && seal.ends_with(last_mark));
}

struct Found {
  bool is_behind = false;
  std::string seal;  ///< empty where there is none
};

Found found_in(const FileDescriptor& file, const std::string& path) {
  const std::uint64_t size = size_of(file);
  for (const bool is_behind : {false, true}) {
    if (is_behind && size < seal_bytes) break;
    const std::uint64_t begin = is_behind ? size - seal_bytes : 0;
    Found found{is_behind, read_at(file, path, {begin, std::min(seal_bytes, size)})};
    if (is_marked(found.seal)) return found;
  }
  return {};
}

}  // namespace

void seal_before(const std::string& path, const SealedAs& as) {
  const FileDescriptor file = opened(path, O_RDWR | O_NOFOLLOW);
  if (!file.valid()) throw_cannot_write(path, errno);
  const std::uint64_t size = std::max(size_of(file), seal_bytes);
  write_at(file, path, 0, seal_of(file, path, {false, {seal_bytes, size - seal_bytes}, as}));
}

void seal_behind(const std::string& path, const SealedAs& as, const std::vector<Extent>& left_out) {
  const FileDescriptor file = opened(path, O_RDWR | O_NOFOLLOW);
  if (!file.valid()) throw_cannot_write(path, errno);
  const std::uint64_t size = size_of(file);
  const auto list = std::as_bytes(std::span(left_out));
  write_at(file, path, size, {reinterpret_cast<const char*>(list.data()), list.size()});
  const std::uint64_t bytes = size + list.size();
  write_at(file, path, bytes, seal_of(file, path, {true, {0, bytes}, as, left_out}));
}

std::optional<SealedAs> sealed_as(const std::string& path) {
  const FileDescriptor file = opened(path, O_RDONLY);
  if (!file.valid()) return std::nullopt;
  const Found found = found_in(file, path);
  if (!is_whole(found.seal)) return std::nullopt;
  return said_by(found.seal);
}

bool check_seal(const std::string& path) {
  const FileDescriptor file = opened(path, O_RDONLY);
  if (!file.valid()) return false;
  const Found found = found_in(file, path);
  if (found.seal.empty()) return false;
  const std::uint64_t size = size_of(file);
  if (is_whole(found.seal)) {
    Sealed sealed{found.is_behind, {seal_bytes, size - seal_bytes}, said_by(found.seal)};
    if (found.is_behind) {
      sealed.body.begin = 0;
      sealed.left_out = listed(file, path, sealed.body, places_said_by(found.seal));
    }
    if (found.seal == seal_of(file, path, sealed)) return true;
  }
  throw Error("'" + path + "' is damaged",
              "it was cut short or changed: its SHA-256 is not the one that its seal has",
              "Use another copy of it, or make it again.");
}

bool looks_like_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  const FileDescriptor file = opened(path, O_RDONLY);
  const auto is_at = [&](std::uint64_t begin) {
    return size_of(file) >= begin + signature.size() &&
           read_at(file, path, {begin, signature.size()}) == signature;
  };
  return is_at(0) || is_at(seal_bytes);
}

}  // namespace rivulet::io
