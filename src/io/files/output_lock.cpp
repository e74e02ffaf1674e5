// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string_view>

#include "io/files/sha256.hpp"
#include "io/mpi/node.hpp"
#include "io/words/scalar_text.hpp"
#include "io/words/standard_streams.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr std::string_view temporary_end = ".part";
constexpr std::size_t random_digits = 16;
/// Maximum length, in bytes, of names that are not shortened. A temporary name adds 22 bytes, and
/// Open MPI's shared file pointers add about 40. The sum fits eCryptfs, which allows 143 bytes;
/// other file systems allow 255.
constexpr std::size_t longest_name = 80;

/// Returns a file's name, shortened to longest_name bytes if it is longer.
std::string short_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.size() <= longest_name) return name;
  constexpr std::size_t digits = 16;
  std::size_t kept = longest_name - digits - 1;
  while (kept > 0 && (name[kept] & 0xc0) == 0x80) --kept;  // not within a UTF-8 character
  Sha256 sha;
  sha.update(std::string_view(name));
  return name.substr(0, kept) + "~" + sha.hex().substr(0, digits);
}

std::string beside(const std::string& path, const std::string& name) {
  return (std::filesystem::path(path).parent_path() / name).string();
}

constexpr std::string_view first_line = "rivulet lock\n";
constexpr std::string_view writer_key = "\nwriter: ";
constexpr std::string_view temporary_key = "\ntemporary: ";

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Opens a file without following links or waiting for a pipe's other end.
FileDescriptor opened(const std::string& path, int flags) {
  constexpr int always = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags | always, 0666));
}

std::string text_in(const FileDescriptor& file) {
  constexpr std::uint64_t enough = 4096;  // longer than any lock file
  return read_at(file, 0, enough);
}

std::string text_of(const std::string& path) {
  const FileDescriptor file = opened(path, O_RDONLY);
  return is_regular(file.get()) ? text_in(file) : "";
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

OutputLock::OutputLock(const std::string& path, const std::string& shown,
                       const std::string& temporary)
    : path_(path), shown_(shown), lock_(lock_of(path)), temporary_(name_of(temporary)) {
  while (!take()) {
  }
}

/// Unlinks the lock file before releasing the lock. A run that then acquires the lock of the
/// unlinked file tries again.
OutputLock::~OutputLock() {
  if (is_in_place()) ::unlink(lock_.c_str());
}

/// Acquires the lock; throws Error if another run holds it. Returns false if the last holder has
/// just removed the lock file.
bool OutputLock::take() {
  const std::string text = open_file();
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) {
    if (!is_in_place()) return false;
    remove_leftover(text);
    if (is_writable_) write(text.size());
    return true;
  }
  if (errno == EWOULDBLOCK) {
    const std::string writer = line_after(text_in(file_), writer_key);
    throw Error("cannot write '" + shown_ + "'",
                "another run is writing it" + (writer.empty() ? "" : ": " + writer),
                "Wait for it to end, or choose another path.");
  }
  // Any other errno means that the file system has no locks. Its value differs between file systems
  // (524 on Cray's DVS).
  if (text.empty()) ::unlink(lock_.c_str());
  file_ = {};
  return true;
}

/// Opens the lock file and returns its text, which is empty if this run has created the file.
std::string OutputLock::open_file() {
  file_ = opened(lock_, O_RDWR | O_CREAT);
  const int code = errno;
  is_writable_ = file_.valid();
  if (!file_.valid() && code == EACCES) file_ = opened(lock_, O_RDONLY);  // another user's
  if (file_.valid() && is_regular(file_.get())) {
    std::string text = text_in(file_);
    if (first_line.starts_with(std::string_view(text).substr(0, first_line.size()))) return text;
  } else if (!file_.valid() && code != ELOOP && code != EISDIR && code != ENXIO) {
    throw_cannot_write(shown_, code);
  }
  throw Error("cannot write '" + shown_ + "'",
              "its lock file, '" + lock_ + "', exists and is not a lock of Rivulet",
              "Remove that file, or choose another path.");
}

/// Removes the temporary file of a dead writer on this host. Only warns of a temporary file of
/// another host, because a lock may exclude only processes of one host.
void OutputLock::remove_leftover(const std::string& text) const {
  const std::string name = line_after(text, temporary_key);
  if (!is_temporary_of(name, path_)) return;
  const std::string leftover = (std::filesystem::path(path_).parent_path() / name).string();
  const std::string writer = line_after(text, writer_key);
  if (writer.find(" on " + host_name() + ", ") != std::string::npos) {
    ::unlink(leftover.c_str());
  } else if (identity_of(leftover, Links::not_followed)) {
    warn(fmt::format("'{}' is a temporary file of {}. Remove it if that process has ended.",
                     leftover, writer));
  }
}

/// Replaces the lock file's text, which had `before` bytes.
void OutputLock::write(std::uint64_t before) const {
  const std::string text = fmt::format("{}writer: process {} on {}, since {}\ntemporary: {}\n",
                                       first_line, ::getpid(), host_name(), utc_now(), temporary_);
  int code = write_at(file_, 0, text);
  const bool is_shorter = code == 0 && text.size() < before;
  if (is_shorter && ::ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0) code = errno;
  if (code == 0) return;
  ::unlink(lock_.c_str());
  throw_cannot_write(shown_, code);
}

bool OutputLock::is_in_place() const {
  return file_.valid() && is_one_file(identity_of(lock_, Links::not_followed), identity_of(file_));
}

std::string writer_of(const std::string& path) {
  return line_after(text_of(lock_of(path)), writer_key);
}

void remove_lock(const std::string& lock, const std::string& temporary) {
  const std::string text = text_of(lock);
  const std::string named = line_after(text, temporary_key);
  if (!named.empty() && unfinished_of(named) == unfinished_of(name_of(temporary))) {
    ::unlink(lock.c_str());
  }
}

}  // namespace rivulet::io
