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

constexpr std::string_view temporary_suffix = ".part";
constexpr std::size_t random_digits = 16;
/// Names longer than this many bytes are shortened. A temporary name adds 22 bytes, and
/// Open MPI's shared file pointers add about 40. The sum fits eCryptfs, which allows 143 bytes;
/// other file systems allow 255.
constexpr std::size_t max_name_bytes = 80;

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Returns a file's name, shortened to max_name_bytes bytes if it is longer.
std::string short_name(const std::string& path) {
  const std::string name = name_of(path);
  if (name.size() <= max_name_bytes) return name;
  constexpr std::size_t digits = 16;
  std::size_t prefix_bytes = max_name_bytes - digits - 1;
  // The cut must not be within a UTF-8 character.
  while (prefix_bytes > 0 && (name[prefix_bytes] & 0xc0) == 0x80) --prefix_bytes;
  Sha256 sha;
  sha.update(std::string_view(name));
  return name.substr(0, prefix_bytes) + "~" + sha.hex().substr(0, digits);
}

std::string sibling_path(const std::string& path, const std::string& name) {
  return (std::filesystem::path(path).parent_path() / name).string();
}

constexpr std::string_view lock_header = "rivulet lock\n";
constexpr std::string_view writer_key = "\nwriter: ";
constexpr std::string_view temporary_key = "\ntemporary: ";

/// Opens a file without following links or waiting for a pipe's other end.
FileDescriptor open_without_waiting(const std::string& path, int flags) {
  constexpr int always = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags | always, 0666));
}

std::string lock_text(const FileDescriptor& file) {
  constexpr std::uint64_t max_lock_bytes = 4096;
  return read_at(file, 0, max_lock_bytes);
}

std::string lock_text_at(const std::string& path) {
  const FileDescriptor file = open_without_waiting(path, O_RDONLY);
  return is_regular(file.get()) ? lock_text(file) : "";
}

}  // namespace

std::string lock_of(const std::string& path) {
  return sibling_path(path, fmt::format(".{}.lock", short_name(path)));
}

std::string temporary_of(const std::string& path) {
  std::random_device random;
  const std::uint64_t high = random();
  return sibling_path(path, fmt::format("{}.{:0{}x}{}", short_name(path), high << 32 | random(),
                                        random_digits, temporary_suffix));
}

bool is_temporary_of(const std::string& name, const std::string& path) {
  const std::string begin = short_name(path) + ".";
  return name.size() == begin.size() + random_digits + temporary_suffix.size() &&
         name.starts_with(begin) && name.ends_with(temporary_suffix) &&
         name.find_first_not_of("0123456789abcdef", begin.size()) ==
             name.size() - temporary_suffix.size();
}

std::string unfinished_of(const std::string& temporary) {
  return std::filesystem::path(temporary).replace_extension(".unfinished").string();
}

std::string output_of(const std::string& temporary) {
  const auto digits = std::filesystem::path(temporary).replace_extension();
  return std::filesystem::path(digits).replace_extension().string();
}

OutputLock::OutputLock(const std::string& path, const std::string& display_name,
                       const std::string& temporary)
    : path_(path),
      display_name_(display_name),
      lock_(lock_of(path)),
      temporary_(name_of(temporary)) {
  while (!try_acquire()) {
  }
}

/// Unlinks the lock file before releasing the lock. A run that then acquires the lock of the
/// unlinked file tries again.
OutputLock::~OutputLock() {
  if (is_in_place()) ::unlink(lock_.c_str());
}

/// Acquires the lock; throws Error if another run holds it. Returns false if the last holder has
/// just removed the lock file.
bool OutputLock::try_acquire() {
  const std::string text = open_file();
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) {
    if (!is_in_place()) return false;
    remove_leftover(text);
    if (is_writable_) write(text.size());
    return true;
  }
  if (errno == EWOULDBLOCK) {
    const std::string writer = line_after(lock_text(file_), writer_key);
    throw Error("cannot write '" + display_name_ + "'",
                "another run is writing it" + (writer.empty() ? "" : ": " + writer),
                "Wait for it to end, or choose another path.");
  }
  // Any other errno means that the file system has no locks. This errno differs between file
  // systems (524 on Cray's DVS).
  if (text.empty()) ::unlink(lock_.c_str());
  file_ = {};
  return true;
}

/// Opens the lock file and returns its text, which is empty if this run has created the file.
std::string OutputLock::open_file() {
  file_ = open_without_waiting(lock_, O_RDWR | O_CREAT);
  const int code = errno;
  is_writable_ = file_.valid();
  // The file may belong to another user.
  if (!file_.valid() && code == EACCES) file_ = open_without_waiting(lock_, O_RDONLY);
  if (file_.valid() && is_regular(file_.get())) {
    std::string text = lock_text(file_);
    if (lock_header.starts_with(std::string_view(text).substr(0, lock_header.size()))) return text;
  } else if (!file_.valid() && code != ELOOP && code != EISDIR && code != ENXIO) {
    throw_cannot_write(display_name_, code);
  }
  throw Error("cannot write '" + display_name_ + "'",
              "its lock file, '" + lock_ + "', exists and is not a lock of Rivulet",
              "Remove that file, or choose another path.");
}

/// Removes the temporary file of a dead writer on this host. For a writer on another host, only
/// warns: the lock may exclude only processes of one host, and the other host's writer may still
/// run.
void OutputLock::remove_leftover(const std::string& text) const {
  const std::string name = line_after(text, temporary_key);
  if (!is_temporary_of(name, path_)) return;
  const std::string leftover = sibling_path(path_, name);
  const std::string writer = line_after(text, writer_key);
  if (writer.find(" on " + host_name() + ", ") != std::string::npos) {
    ::unlink(leftover.c_str());
  } else if (identity_of(leftover, Links::not_followed)) {
    warn(fmt::format("'{}' is a temporary file of {}. Remove it if that process has ended.",
                     leftover, writer));
  }
}

/// Replaces the lock file's text, which had `old_bytes` bytes.
void OutputLock::write(std::uint64_t old_bytes) const {
  const std::string text = fmt::format("{}writer: process {} on {}, since {}\ntemporary: {}\n",
                                       lock_header, ::getpid(), host_name(), utc_now(), temporary_);
  int code = write_at(file_, 0, text);
  const bool is_shorter = code == 0 && text.size() < old_bytes;
  if (is_shorter && ::ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0) code = errno;
  if (code == 0) return;
  ::unlink(lock_.c_str());
  throw_cannot_write(display_name_, code);
}

bool OutputLock::is_in_place() const {
  return file_.valid() && is_same_file(identity_of(lock_, Links::not_followed), identity_of(file_));
}

std::string writer_of(const std::string& path) {
  return line_after(lock_text_at(lock_of(path)), writer_key);
}

void remove_lock(const std::string& lock, const std::string& temporary) {
  const std::string text = lock_text_at(lock);
  const std::string named_temporary = line_after(text, temporary_key);
  if (!named_temporary.empty() &&
      unfinished_of(named_temporary) == unfinished_of(name_of(temporary))) {
    ::unlink(lock.c_str());
  }
}

}  // namespace rivulet::io
