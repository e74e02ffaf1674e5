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

#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void refuse_unfinished(const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot continue '{}'", path),
              "the file of numbers that the run has written " + why,
              "Put it back where it was, or remove the checkpoint and run its deck again.");
}

FileDescriptor open_unfinished(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.valid()) return file;
  if (errno == ENOENT) refuse_unfinished(path, "is gone");
  if (errno == ELOOP) refuse_unfinished(path, "is not a regular file");
  refuse_unfinished(path, "cannot be opened: " + std::generic_category().message(errno));
}

}  // namespace

std::string unfinished_mark(const std::string& path) {
  return "rivulet: unfinished, " + std::filesystem::path(path).stem().string();
}

void require_one_file_system(const std::string& path, const std::string& display_name,
                             const std::string& unfinished) {
  const auto to = identity_of(folder_of(path));
  if (!to) throw_cannot_write(display_name, errno);
  const auto from = identity_of(folder_of(unfinished));
  if (!from || to->device == from->device) return;
  throw Error("cannot write '" + display_name + "'",
              "the unfinished file, '" + unfinished +
                  "', is on another file system and cannot be renamed to it",
              "Choose a path on that file system.");
}

UnfinishedFile unfinished_file(const std::string& path, const Extent& head_extent) {
  UnfinishedFile file{path, std::filesystem::file_size(path), 0, head_extent, {}};
  const std::string head = read_at(open_unfinished(path), head_extent.begin, head_extent.bytes);
  const std::size_t mark = head.find(unfinished_mark(path));
  if (head.size() < head_extent.bytes || mark == std::string::npos) {
    throw_cannot_write(path, "its first bytes cannot be read back");
  }
  file.mark_offset = head_extent.begin + mark;
  file.head.resize((head_extent.bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
  head.copy(reinterpret_cast<char*>(file.head.data()), head.size());
  return file;
}

void restore_unfinished(const UnfinishedFile& recorded) {
  const FileDescriptor file = open_unfinished(recorded.path);
  if (!is_regular(file.get())) refuse_unfinished(recorded.path, "is not a regular file");
  const std::string mark = unfinished_mark(recorded.path);
  if (read_at(file, recorded.mark_offset, mark.size()) != mark) {
    refuse_unfinished(recorded.path, "was replaced by another file");
  }
  const auto size = static_cast<std::uint64_t>(identity_of(file)->size);
  if (size < recorded.bytes) {
    refuse_unfinished(recorded.path,
                      fmt::format("was cut short, from {} B to {} B", recorded.bytes, size));
  }
  const auto* const head = reinterpret_cast<const char*>(recorded.head.data());
  if (const int code =
          write_at(file, recorded.head_extent.begin, {head, recorded.head_extent.bytes});
      code != 0) {
    throw_cannot_write(recorded.path, code);
  }
  // Truncates the file only if it is longer than recorded, because even a truncation to its current
  // size releases space reserved beyond the end.
  if (size > recorded.bytes && ::ftruncate(file.get(), static_cast<off_t>(recorded.bytes)) != 0) {
    throw_cannot_write(recorded.path, errno);
  }
  if (::fsync(file.get()) != 0 && errno != EINVAL) throw_cannot_write(recorded.path, errno);
}

}  // namespace rivulet::io
