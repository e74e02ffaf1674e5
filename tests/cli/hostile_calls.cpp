// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library that LD_PRELOAD puts between a program and the C library, where it
// - lets flock() fail as file systems without locks do, if HOSTILE_NO_LOCKS is set;
// - lets files whose names end as HOSTILE_UNREADABLE says not be opened for reading;
// - lets files whose names end as HOSTILE_BREAKS says be read at their beginning alone: read() and
//   pread() farther on fail as disks that break do;
// - lets fsync() of files whose names end as HOSTILE_LOSES says fail as disks that break do; or, if
//   HOSTILE_WAITS is set, sync_file_range(), which takes the error from the fsync() after it;
// - lets renameat2() fail as file systems without it do, if HOSTILE_OLD_RENAME is set;
// - adds a line "CALL NAME" for each rename(), renameat2() and fsync() to the file that HOSTILE_LOG
// names, and
//   "create NAME", with " O_EXCL" and " O_NOFOLLOW" if it has them, for open() that may make one.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

void log_line(const std::string& line) {
  const char* const path = std::getenv("HOSTILE_LOG");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr) return;
  std::fputs((line + "\n").c_str(), file);
  std::fclose(file);
}

bool is_unreadable(std::string_view path, int flags) {
  const char* const end = std::getenv("HOSTILE_UNREADABLE");
  return end != nullptr && path.ends_with(end) && (flags & O_ACCMODE) == O_RDONLY;
}

int open_unless_hostile(const char* real, const char* path, int flags, mode_t mode) {
  if ((flags & O_CREAT) != 0) {
    log_line(std::string("create ") + path + ((flags & O_EXCL) != 0 ? " O_EXCL" : "") +
             ((flags & O_NOFOLLOW) != 0 ? " O_NOFOLLOW" : ""));
  }
  if (!is_unreadable(path, flags)) return next<int(const char*, int, ...)>(real)(path, flags, mode);
  errno = EACCES;
  return -1;
}

/// A new file's, which is behind the flags only then.
mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

std::string name_of(int descriptor) {
  std::array<char, 4096> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return ::readlink(link.c_str(), name.data(), name.size() - 1) > 0 ? name.data() : "";
}

bool is_lost(std::string_view name) {
  const char* const end = std::getenv("HOSTILE_LOSES");
  return end != nullptr && name.ends_with(end);
}

/// Whether to read the file from there on fails.
bool breaks(int descriptor, off_t from) {
  const char* const end = std::getenv("HOSTILE_BREAKS");
  if (end == nullptr || from <= 0 || !name_of(descriptor).ends_with(end)) return false;
  errno = EIO;
  return true;
}

}  // namespace

extern "C" {

ssize_t read(int descriptor, void* to, std::size_t bytes) {
  if (breaks(descriptor, ::lseek(descriptor, 0, SEEK_CUR))) return -1;
  return next<ssize_t(int, void*, std::size_t)>("read")(descriptor, to, bytes);
}

ssize_t pread(int descriptor, void* to, std::size_t bytes, off_t from) {
  if (breaks(descriptor, from)) return -1;
  return next<ssize_t(int, void*, std::size_t, off_t)>("pread")(descriptor, to, bytes, from);
}

ssize_t pread64(int descriptor, void* to, std::size_t bytes, off64_t from) {
  if (breaks(descriptor, from)) return -1;
  return next<ssize_t(int, void*, std::size_t, off64_t)>("pread64")(descriptor, to, bytes, from);
}

int flock(int descriptor, int operation) {
  if (std::getenv("HOSTILE_NO_LOCKS") == nullptr)
    return next<int(int, int)>("flock")(descriptor, operation);
  errno = ENOLCK;
  return -1;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_unless_hostile("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_unless_hostile("open64", path, flags, mode);
}

int rename(const char* from, const char* to) noexcept {
  log_line(std::string("rename ") + to);
  return next<int(const char*, const char*)>("rename")(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned how) noexcept {
  log_line(std::string("rename ") + to);
  if (std::getenv("HOSTILE_OLD_RENAME") != nullptr) {
    errno = EINVAL;
    return -1;
  }
  return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from,
                                                                              to_folder, to, how);
}

int fsync(int descriptor) {
  const std::string name = name_of(descriptor);
  if (!name.empty()) log_line("fsync " + name);
  if (!is_lost(name) || std::getenv("HOSTILE_WAITS") != nullptr) {
    return next<int(int)>("fsync")(descriptor);
  }
  errno = EIO;
  return -1;
}

int sync_file_range(int descriptor, off64_t from, off64_t bytes, unsigned how) {
  if (std::getenv("HOSTILE_WAITS") == nullptr || !is_lost(name_of(descriptor))) {
    return next<int(int, off64_t, off64_t, unsigned)>("sync_file_range")(descriptor, from, bytes,
                                                                         how);
  }
  errno = EIO;
  return -1;
}
}
