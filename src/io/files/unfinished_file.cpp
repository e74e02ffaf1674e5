// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/unfinished_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "io/files/file_space.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void refuse_unfinished(const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot continue '{}'", path),
              "the file of numbers that the run has written " + why,
              "Put it back where it was, or remove the checkpoint and run its deck again.");
}

FileDescriptor opened(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.valid()) return file;
  if (errno == ENOENT) refuse_unfinished(path, "is gone");
  if (errno == ELOOP) refuse_unfinished(path, "is not a regular file");
  refuse_unfinished(path, "cannot be opened: " + std::generic_category().message(errno));
}

}  // namespace

std::string mark_of_unfinished(const std::string& path) {
  return "rivulet: unfinished, " + std::filesystem::path(path).stem().string();
}

void require_one_file_system(const std::string& path, const std::string& shown,
                             const std::string& unfinished) {
  const auto to = identity_of(folder_of(path));
  if (!to) throw_cannot_write(shown, errno);
  const auto from = identity_of(folder_of(unfinished));
  if (!from || to->device == from->device) return;
  throw Error("cannot write '" + shown + "'",
              "the unfinished file, '" + unfinished +
                  "', is on another file system and cannot be renamed to it",
              "Choose a path on that file system.");
}

UnfinishedFile unfinished_file(const std::string& path, const Extent& place) {
  UnfinishedFile file{path, std::filesystem::file_size(path), 0, place, {}};
  const std::string head = read_at(opened(path), place.begin, place.bytes);
  const std::size_t mark = head.find(mark_of_unfinished(path));
  if (head.size() < place.bytes || mark == std::string::npos) {
    throw_cannot_write(path, "its first bytes cannot be read back");
  }
  file.mark_at = place.begin + mark;
  file.head.resize((place.bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  head.copy(reinterpret_cast<char*>(file.head.data()), head.size());
  return file;
}

void restore_unfinished(const UnfinishedFile& whole) {
  const FileDescriptor file = opened(whole.path);
  if (!is_regular(file.get())) refuse_unfinished(whole.path, "is not a regular file");
  const std::string mark = mark_of_unfinished(whole.path);
  if (read_at(file, whole.mark_at, mark.size()) != mark) {
    refuse_unfinished(whole.path, "was replaced by another file");
  }
  const auto size = static_cast<std::uint64_t>(identity_of(file)->size);
  if (size < whole.bytes) {
    refuse_unfinished(whole.path,
                      fmt::format("was cut short, from {} B to {} B", whole.bytes, size));
  }
  const auto* const head = reinterpret_cast<const char*>(whole.head.data());
  if (const int code = write_at(file, whole.place.begin, {head, whole.place.bytes}); code != 0) {
    throw_cannot_write(whole.path, code);
  }
  // Truncates only a file that is longer, because truncation also releases space claimed beyond the
  // end.
  if (size > whole.bytes && ::ftruncate(file.get(), static_cast<off_t>(whole.bytes)) != 0) {
    throw_cannot_write(whole.path, errno);
  }
  if (::fsync(file.get()) != 0 && errno != EINVAL) throw_cannot_write(whole.path, errno);
}

}  // namespace rivulet::io
