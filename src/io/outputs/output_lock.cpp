// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/output_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

// As statfs(2) and the file systems' own sources name them.
constexpr std::array<std::uint32_t, 9> of_one_host{
    0xef53,      // ext2, ext3, ext4
    0x58465342,  // xfs
    0x9123683e,  // btrfs
    0x01021994,  // tmpfs
    0x858458f6,  // ramfs
    0x794c7630,  // overlayfs
    0x2fc12fc1,  // zfs
    0xf2f52010,  // f2fs
    0xca451a4e,  // bcachefs
};
constexpr std::array<std::uint32_t, 2> of_many_hosts{
    0x47504653,  // GPFS
    0x00c36400,  // Ceph
};
constexpr std::uint32_t nfs = 0x6969;
constexpr std::uint32_t lustre = 0x0bd00bd0;

bool nfs_reaches(const std::string& options) {
  const auto has = [&](const char* one) { return options.find(one) != std::string::npos; };
  return !options.empty() && !has(",nolock,") && !has(",local_lock=all,") &&
         !has(",local_lock=flock,");
}

#ifdef __linux__
/// The options, those of the file system included, of what is mounted as this device (proc(5),
/// /proc/self/mountinfo), between commas.
std::string mount_options(dev_t device) {
  const std::string wanted = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  std::ifstream mounts("/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream fields(line);
    std::string number, parent, id, root, place, options, other;
    fields >> number >> parent >> id >> root >> place >> options;
    if (id != wanted) continue;
    while (fields >> other && other != "-") {
    }
    std::string type, source, super;
    fields >> type >> source >> super;
    return "," + options + "," + super + ",";
  }
  return "";
}
#endif

/// Between its making and its writing a lock says nothing, for microseconds, or longer on a file
/// system of a network.
constexpr int tries = 200;
constexpr std::chrono::milliseconds pause{10};

std::string contents_of(const FileDescriptor& file) {
  constexpr std::uint64_t enough = 4096;  // more than any lock has
  return read_at(file, 0, enough);
}

/// Follows no link, and does not wait for a pipe's other end.
FileDescriptor open_existing(const std::string& path) {
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileDescriptor file(::open(path.c_str(), O_RDWR | flags));
  if (file.valid() || errno != EACCES) return file;
  return FileDescriptor(::open(path.c_str(), O_RDONLY | flags));  // another user's
}

bool is_writable(const FileDescriptor& file) {
  return (::fcntl(file.get(), F_GETFL) & O_ACCMODE) == O_RDWR;
}

/// Whether the name still leads to the file.
bool names(const std::string& path, const FileDescriptor& file) {
  return is_one_file(identity_of(path, Links::not_followed), identity_of(file));
}

std::optional<Writer> writer_in_file(const FileDescriptor& file) {
  return is_regular(file.get()) ? writer_in(contents_of(file)) : std::nullopt;
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

[[noreturn]] void refuse_busy(const std::string& shown, const Writer& writer) {
  throw Error("cannot write '" + shown + "'", "another run is writing it: " + writer.text(),
              "Wait for it to end, or choose another path.");
}

[[noreturn]] void refuse_unsure(const std::string& shown, const std::string& lock,
                                const std::string& writer) {
  throw Error(
      "cannot write '" + shown + "'",
      "another run is writing it, or was killed and cannot be seen from here: " + writer,
      "Wait for it to end, or choose another path; if it no longer runs, remove '" + lock + "'.");
}

/// Throws Error unless the process has surely ended.
void require_ended(const Writer& writer, const std::string& shown, const std::string& lock) {
  const Life life = life_of(writer.process);
  if (life == Life::running) refuse_busy(shown, writer);
  if (life == Life::unknown) refuse_unsure(shown, lock, writer.text());
}

}  // namespace

OutputLock::OutputLock(const std::string& path, const std::string& shown,
                       const std::string& temporary, bool keeps)
    : path_(path),
      shown_(shown),
      lock_(lock_of(path)),
      self_{this_process(), utc_now(), name_of(temporary), false, keeps} {
  for (int i = 0; i < tries; ++i) {
    if (take()) return;
    file_ = {};
    std::this_thread::sleep_for(pause);
  }
  refuse_unsure(shown_, lock_, "its lock does not say who");
}

OutputLock::~OutputLock() {
  if (is_in_place()) ::unlink(lock_.c_str());
}

/// False if it is to be tried again: somebody is just taking the lock, or giving it up.
bool OutputLock::take() {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  file_ = FileDescriptor(::open(lock_.c_str(), flags, 0666));
  const bool is_new = file_.valid();
  if (!is_new && errno != EEXIST) throw_cannot_write(shown_, errno);
  if (!is_new) {
    file_ = open_existing(lock_);
    if (!file_.valid() && errno == ENOENT) return false;
  }
  const std::string before = is_regular(file_.get()) ? contents_of(file_) : "";
  if (!is_regular(file_.get()) || !may_be_lock(before)) {
    throw Error("cannot write '" + shown_ + "'",
                "its lock, '" + lock_ + "', exists and is not one of Rivulet's",
                "Remove it, or choose another path.");
  }
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return take_locked(before);
  // File systems without locks say so by many numbers (Cray's DVS by 524).
  if (errno != EWOULDBLOCK) return take_without_locks(is_new, before);
  if (const auto writer = writer_in_file(file_)) refuse_busy(shown_, *writer);
  return false;
}

/// Where nobody else holds the file system's lock. One that did and is gone has ended; of one that
/// had none to hold, or whose lock would not be seen here, the process tells.
bool OutputLock::take_locked(const std::string& before) {
  if (!is_in_place()) return false;
  if (const auto writer = writer_in(before)) {
    const bool has_ended = writer->holds_lock && locks_reach_everybody(file_.get());
    if (!has_ended) require_ended(*writer, shown_, lock_);
    remove_what_is_left(*writer);
  }
  if (!is_writable(file_)) {
    take_away();
    return false;
  }
  self_.holds_lock = true;
  write();
  return true;
}

/// The process that makes the lock file has the right.
bool OutputLock::take_without_locks(bool is_new, const std::string& before) {
  if (is_new) {
    write();
    return true;
  }
  const auto writer = writer_in(before);
  if (!writer) return false;
  require_ended(*writer, shown_, lock_);
  remove_what_is_left(*writer);
  move_away();
  return false;
}

void OutputLock::remove_what_is_left(const Writer& before) const {
  if (!is_temporary_of(before.temporary, path_) || before.keeps) return;
  if (before.temporary == self_.temporary) return;  // this run goes on with it
  const auto left = std::filesystem::path(path_).parent_path() / before.temporary;
  std::error_code none;
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(left, none))) {
    std::filesystem::remove(left, none);
  }
}

/// Removes the lock that is open. Another process may have done so, and have put its own there:
/// that one is put back.
void OutputLock::move_away() const {
  const std::string away = lock_ + "-" + std::to_string(self_.process.number);
  if (std::rename(lock_.c_str(), away.c_str()) != 0) return;
  std::error_code none;  // a lock that others have made since then stays
  if (!names(away, file_)) std::filesystem::create_hard_link(away, lock_, none);
  ::unlink(away.c_str());
}

/// Replaces the lock of another user's ended run by this run's own, if the folder's permissions
/// allow.
void OutputLock::take_away() const {
  if (::unlink(lock_.c_str()) == 0 || errno == ENOENT) return;
  throw Error("cannot write '" + shown_ + "'",
              "its lock, '" + lock_ +
                  "', is another user's, whose run has ended, and cannot be removed: " +
                  std::generic_category().message(errno),
              "Have its owner remove it, or choose another path.");
}

void OutputLock::write() {
  const int code = written();
  if (code == 0) return;
  ::unlink(lock_.c_str());
  throw_cannot_write(shown_, code);
}

/// Returns 0 or errno.
int OutputLock::written() const {
  const std::string text = lock_text(self_);
  if (const int code = write_at(file_, 0, text); code != 0) return code;
  return ::ftruncate(file_.get(), static_cast<off_t>(text.size())) == 0 ? 0 : errno;
}

void OutputLock::keep(bool kept) {
  if (self_.keeps == kept) return;
  self_.keeps = kept;
  int code = written();
  // A power cut must not make others forget it.
  if (code == 0 && ::fsync(file_.get()) != 0 && errno != EINVAL) code = errno;
  if (code == 0) return;
  self_.keeps = !kept;
  throw_cannot_write(shown_, code);
}

bool OutputLock::is_in_place() const { return file_.valid() && names(lock_, file_); }

std::optional<Writer> writer_of(const std::string& path) {
  return writer_in_file(open_existing(lock_of(path)));
}

bool locks_reach(std::uint32_t system, const std::string& options) {
  if (std::ranges::find(of_one_host, system) != of_one_host.end()) return true;
  if (std::ranges::find(of_many_hosts, system) != of_many_hosts.end()) return true;
  if (system == nfs) return nfs_reaches(options);
  // Mounted with localflock, Lustre knows the locks of one host alone.
  return system == lustre && options.find(",flock,") != std::string::npos;
}

bool locks_reach_everybody([[maybe_unused]] int descriptor) {
#ifdef __linux__
  struct statfs system {};
  struct stat file {};
  if (::fstatfs(descriptor, &system) != 0 || ::fstat(descriptor, &file) != 0) return false;
  return locks_reach(static_cast<std::uint32_t>(system.f_type), mount_options(file.st_dev));
#else
  return false;
#endif
}

void remove_lock(const std::string& lock, const std::string& temporary) {
  const auto writer = writer_in_file(open_existing(lock));
  if (writer && writer->temporary == name_of(temporary)) ::unlink(lock.c_str());
}

}  // namespace rivulet::io
