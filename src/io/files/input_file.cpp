// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <new>
#include <regex>
#include <string_view>
#include <system_error>

#include "io/mpi/node.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

std::string remedy(const Input& input, int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return input.remedy_if_missing;
    case EACCES:
    case EPERM:
      return "Check the permissions of the file and of the folders above it.";
    case ELOOP:
      return "Check where its symbolic links lead.";
    case ENAMETOOLONG:
      return "Give a shorter name.";
    case EISDIR:
      return "Name a file.";
    default:
      return "Check the disk and the file system.";
  }
}

std::string reason(int code) {
  if (code == ENOENT || code == ENOTDIR) return "there is no such file";
  if (code == EISDIR) return "it is a directory";
  return std::generic_category().message(code);
}

[[noreturn]] void refuse(const Input& input, int code) {
  throw Error(input.problem, reason(code), remedy(input, code));
}

const char* kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "it is a pipe";
  if (S_ISSOCK(mode)) return "it is a socket";
  return "it is a device";
}

void require_regular(const Input& input, const struct stat& status) {
  if (S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && input.may_be_a_pipe)) return;
  if (S_ISDIR(status.st_mode)) refuse(input, EISDIR);
  throw Error(input.problem, kind_of(status.st_mode), "Name a regular file.");
}

void require_length(const Input& input, std::uint64_t bytes, std::uint64_t max_bytes) {
  if (bytes <= max_bytes) return;
  throw Error(input.problem, "it is longer than " + bytes_text(max_bytes), "Check its name.");
}

/// Returns the file's length. Throws Error if the length exceeds `max_bytes` or the available
/// memory. read_all() calls this function before it reads, because a sparse file may be many
/// tebibytes long.
std::uint64_t length_of(const Input& input, int file, std::uint64_t max_bytes) {
  struct stat status {};
  if (::fstat(file, &status) != 0) refuse(input, errno);
  const auto bytes = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  require_length(input, bytes, max_bytes);
  if (bytes > available_memory()) throw_no_memory(input);
  return bytes;
}

std::string read_all(const Input& input, int file, std::uint64_t max_bytes) {
  std::string text;
  text.reserve(length_of(input, file, max_bytes));
  std::array<char, 1 << 14> piece{};  // large enough for most decks
  for (;;) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(input, errno);
    if (count == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
    require_length(input, text.size(), max_bytes);
  }
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

}  // namespace

FileDescriptor open_input(const Input& input) {
  struct stat status {};
  // Checks the file's type before open(), because open() may block on a pipe without a writer, or
  // rewind a tape.
  if (::stat(input.path.c_str(), &status) != 0) refuse(input, errno);
  require_regular(input, status);
  const int nonblocking_flag = input.may_be_a_pipe ? 0 : O_NONBLOCK;  // the file may now be a pipe
  FileDescriptor file(::open(input.path.c_str(), O_RDONLY | O_CLOEXEC | nonblocking_flag));
  if (!file.valid() || ::fstat(file.get(), &status) != 0) refuse(input, errno);
  require_regular(input, status);
  return file;
}

std::string shell_quoted(const std::string& text) {
  return fmt::format("'{}'", std::regex_replace(text, std::regex("'"), "'\\''"));
}

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return ending;
}

void throw_no_memory(const Input& input) {
  throw Error(input.problem, "no memory is left for it",
              "Give a smaller file, or use a machine with more memory.");
}

std::string read_input(const Input& input, std::uint64_t max_bytes) {
  const FileDescriptor file = open_input(input);
  try {
    return read_all(input, file.get(), max_bytes);
  } catch (const std::bad_alloc&) {
    throw_no_memory(input);
  }
}

}  // namespace rivulet::io
