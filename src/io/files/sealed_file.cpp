// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "io/files/sha256.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// Texts at the beginning and the end of a seal. If a changed byte destroys one mark, the other
/// still distinguishes the seal from another program's user block.
constexpr std::string_view first_mark = "rivulet sealed file: ";
constexpr std::string_view last_mark = " end of seal\n";
constexpr std::string_view kind_mark = "\nkind: ";
constexpr std::string_view run_mark = "\nrun: ";
constexpr std::string_view omitted_mark = ", but for the ";
constexpr std::string_view begin_mark = " bytes from byte ";

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 18;

FileDescriptor open_for_seal(const std::string& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

/// Returns an extent's bytes, or fewer at the file's end. Throws Error if reading fails.
std::string read_at(const FileDescriptor& file, const std::string& path, const Extent& extent) {
  std::string bytes = io::read_at(file, extent.begin, extent.bytes);
  if (errno == 0) return bytes;
  throw Error("cannot read '" + path + "'", std::generic_category().message(errno),
              "Check the disk and the file system.");
}

/// The contents of a seal, except the SHA-256.
struct SealContents {
  std::uint64_t size = 0;  ///< of the file
  SealDescription description;
  Extent omitted;
};

std::string lines_of(const SealDescription& description) {
  std::string lines;
  if (!description.kind.empty()) lines += fmt::format("{}{}", kind_mark, description.kind);
  if (!description.run.empty()) lines += fmt::format("{}{}", run_mark, description.run);
  return lines + "\n";
}

void add(Sha256& sha, const FileDescriptor& file, const std::string& path, std::uint64_t begin,
         std::uint64_t end) {
  while (begin < end) {
    const std::string piece = read_at(file, path, {begin, std::min(end - begin, piece_bytes)});
    if (piece.empty()) return;  // the file was cut short
    sha.update(std::string_view(piece));
    begin += piece.size();
  }
}

std::string seal_of(const FileDescriptor& file, const std::string& path,
                    const SealContents& sealed) {
  const Extent& gap = sealed.omitted;
  Sha256 sha;
  add(sha, file, path, seal_bytes, gap.bytes == 0 ? sealed.size : gap.begin);
  if (gap.bytes != 0) add(sha, file, path, gap.end(), sealed.size);
  const std::string lines = lines_of(sealed.description);
  if (lines.size() > 1) sha.update(std::string_view(lines));
  std::string seal = fmt::format("{}SHA-256 {} over the {} bytes that follow the first {}",
                                 first_mark, sha.hex(), sealed.size - seal_bytes, seal_bytes);
  if (gap.bytes != 0) {
    seal += fmt::format("{}{}{}{} on", omitted_mark, gap.bytes, begin_mark, gap.begin);
  }
  seal += (lines.size() > 1 ? ", and the lines below" : "") + lines;
  seal.resize(seal_bytes - last_mark.size(), ' ');  // truncates only the text of a damaged seal
  return seal + std::string(last_mark);
}

SealDescription description_in(std::string_view seal) {
  return {line_after(seal, kind_mark), line_after(seal, run_mark)};
}

/// Returns the number that follows the mark, or 0 if there is none.
std::uint64_t number_after(std::string_view seal, std::string_view mark) {
  const std::string text = line_after(seal, mark);
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Returns the extent that the seal omits. A damaged seal may name any extent; an extent that
/// does not fit the file counts as empty.
Extent omitted_extent(std::string_view seal, std::uint64_t size) {
  const Extent gap{number_after(seal, begin_mark), number_after(seal, omitted_mark)};
  const bool fits = gap.begin >= seal_bytes && gap.begin <= size && gap.bytes <= size - gap.begin;
  return fits ? gap : Extent{};
}

bool has_both_marks(std::string_view seal) {
  return seal.size() == seal_bytes && seal.starts_with(first_mark) && seal.ends_with(last_mark);
}

/// True if `seal` has at least one of a seal's two marks.
bool has_any_mark(std::string_view seal) {
  return seal.starts_with(first_mark) || (seal.size() == seal_bytes && seal.ends_with(last_mark));
}

std::string read_seal(const FileDescriptor& file, const std::string& path) {
  return read_at(file, path, {0, std::min(seal_bytes, size_of_regular(file))});
}

}  // namespace

void seal(const FileDescriptor& file, const std::string& path, const SealDescription& description,
          const Extent& omitted) {
  const FileDescriptor current = open_for_seal(path);
  if (!current.valid()) throw_cannot_write(path, errno);
  const std::uint64_t size = std::max(size_of_regular(current), seal_bytes);
  const std::string text = seal_of(
      current, path, {size, description, size > max_fully_hashed_bytes ? omitted : Extent{}});
  if (const int code = write_at(file, 0, text); code != 0) throw_cannot_write(path, code);
}

std::optional<SealDescription> seal_description(const std::string& path) {
  const FileDescriptor file = open_for_seal(path);
  if (!file.valid()) return std::nullopt;
  const std::string text = read_seal(file, path);
  return has_both_marks(text) ? std::optional(description_in(text)) : std::nullopt;
}

SealMatch match_seal(const FileDescriptor& file, const std::string& path) {
  const std::string text = read_seal(file, path);
  if (!has_any_mark(text)) return SealMatch::none;
  const std::uint64_t size = size_of_regular(file);
  const Extent omitted = omitted_extent(text, size);
  const bool is_good =
      has_both_marks(text) && text == seal_of(file, path, {size, description_in(text), omitted});
  return is_good ? SealMatch::good : SealMatch::broken;
}

bool check_seal(const FileDescriptor& file, const std::string& path) {
  const SealMatch match = match_seal(file, path);
  if (match != SealMatch::broken) return match == SealMatch::good;
  throw Error("'" + path + "' is damaged",
              "it was cut short or changed: its SHA-256 does not match its seal",
              "Use another copy of it, or make it again.");
}

bool check_seal(const std::string& path) {
  const FileDescriptor file = open_for_seal(path);
  return file.valid() && check_seal(file, path);
}

/// HDF5's signature is at offset 0, or after a user block of 512, 1024, 2048, ... bytes.
bool looks_like_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  const FileDescriptor file = open_for_seal(path);
  const std::uint64_t size = size_of_regular(file);
  for (std::uint64_t at = 0; at + signature.size() <= size; at = std::max(2 * at, seal_bytes)) {
    if (read_at(file, path, {at, signature.size()}) == signature) return true;
  }
  return false;
}

}  // namespace rivulet::io
