// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library that LD_PRELOAD puts between a program and the C library. Environment variables select
// the faults. HOSTILE_UNREADABLE, _PIPE, _BREAKS, _LOSES and _STOPS hold the end of a file's name.
// - HOSTILE_FAILS="pwrite 16" makes the 16th pwrite() fail. Calls are counted over files with
//   ".part", ".h5", ".ckpt" or ".unfinished" in their names; "malloc" counts allocations of at
//   least 16 KiB. If HOSTILE_RANK is set, the call fails on that rank only. At its end, the process
//   writes the count to the file HOSTILE_COUNT.
// - HOSTILE_KILLS=n kills the process after the n-th rename().
// - HOSTILE_NO_LOCKS makes flock() fail with this error number.
// - HOSTILE_UNREADABLE makes open() fail if it opens the file for reading.
// - HOSTILE_PIPE replaces the file by a pipe when the file is opened for reading for the first
//   time, or for the n-th time if HOSTILE_PIPE_AT=n.
// - HOSTILE_BREAKS makes read() and pread() fail at every offset of the file but 0, as on a broken
//   disk.
// - HOSTILE_LOSES makes fsync() of the file fail, as on a broken disk. If HOSTILE_WAITS is set,
//   sync_file_range() fails instead: it consumes the error, so the next fsync() succeeds.
// - HOSTILE_STOPS stops the process (SIGSTOP) at the fsync() of the file.
// - HOSTILE_OLD_RENAME makes renameat2() fail, as on file systems without it.
// - HOSTILE_LOG names a file that gets a line "rename NAME" for each rename() and renameat2(), and
//   a line "fsync NAME" for each fsync(). Each open() that may create a file adds "create NAME",
//   with " O_EXCL" and " O_NOFOLLOW" if set.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

/// The call that fails. All members are 0 until constructors run, because the first allocations
/// must not fail.
struct Failing {
  std::array<char, 16> call;
  long place;
  std::atomic<long> count;
};
Failing failing;
std::atomic<long> renames;
std::atomic<long> pipes;

[[gnu::constructor]] void choose() {
  const char* const rank = std::getenv("HOSTILE_RANK");
  const char* const own_rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const char* const fails = std::getenv("HOSTILE_FAILS");
  if (fails == nullptr ||
      (rank != nullptr && (own_rank == nullptr || std::strcmp(rank, own_rank) != 0)))
    return;
  std::sscanf(fails, "%15s %ld", failing.call.data(), &failing.place);
}

[[gnu::destructor]] void write_count() {
  const char* const path = std::getenv("HOSTILE_COUNT");
  if (path == nullptr || failing.call[0] == 0) return;
  if (std::FILE* const file = std::fopen(path, "w"); file != nullptr) {
    std::fprintf(file, "%ld", failing.count.load());
    std::fclose(file);
  }
}

bool is_call(const char* call) { return std::strcmp(failing.call.data(), call) == 0; }

bool is_next(int code) {
  if (++failing.count != failing.place) return false;
  errno = code;
  return true;
}

bool is_ours(std::string_view name) {
  for (const char* part : {".part", ".h5", ".ckpt", ".unfinished"}) {
    if (name.find(part) != name.npos) return true;
  }
  return false;
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

bool is_to_be_a_pipe(std::string_view path, int flags) {
  const char* const end = std::getenv("HOSTILE_PIPE");
  if (end == nullptr || !path.ends_with(end) || (flags & O_ACCMODE) != O_RDONLY) return false;
  const char* const place = std::getenv("HOSTILE_PIPE_AT");
  return ++pipes == (place == nullptr ? 1 : std::atol(place));
}

int open_unless_hostile(const char* real, const char* path, int flags, mode_t mode) {
  if (is_call("open") && is_ours(path) && is_next(EACCES)) return -1;
  if ((flags & O_CREAT) != 0) {
    log_line(std::string("create ") + path + ((flags & O_EXCL) != 0 ? " O_EXCL" : "") +
             ((flags & O_NOFOLLOW) != 0 ? " O_NOFOLLOW" : ""));
  }
  if (is_to_be_a_pipe(path, flags) && ::unlink(path) == 0) ::mkfifo(path, 0600);
  if (!is_unreadable(path, flags)) return next<int(const char*, int, ...)>(real)(path, flags, mode);
  errno = EACCES;
  return -1;
}

/// The mode argument follows the flags only if open() may create a file.
mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

std::string name_of(int descriptor) {
  std::array<char, 4096> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return ::readlink(link.c_str(), name.data(), name.size() - 1) > 0 ? name.data() : "";
}

bool fails(const char* call, int descriptor, int code) {
  return is_call(call) && is_ours(name_of(descriptor)) && is_next(code);
}

bool fails_to_rename(const char* to) { return is_call("rename") && is_ours(to) && is_next(EACCES); }

bool is_no_memory(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{16} << 10;
  return bytes >= least && is_call("malloc") && is_next(ENOMEM);
}

int after_rename(int result) {
  const char* const place = std::getenv("HOSTILE_KILLS");
  if (place != nullptr && ++renames == std::atol(place)) std::raise(SIGKILL);
  return result;
}

bool is_lost(std::string_view name) {
  const char* const end = std::getenv("HOSTILE_LOSES");
  return end != nullptr && name.ends_with(end);
}

/// If reading the file from this offset must fail (HOSTILE_BREAKS), sets errno and returns true.
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
  errno = std::atoi(std::getenv("HOSTILE_NO_LOCKS"));
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
  if (fails_to_rename(to)) return -1;
  return after_rename(next<int(const char*, const char*)>("rename")(from, to));
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned how) noexcept {
  log_line(std::string("rename ") + to);
  if (std::getenv("HOSTILE_OLD_RENAME") != nullptr) {
    errno = EINVAL;
    return -1;
  }
  if (fails_to_rename(to)) return -1;
  return after_rename(next<int(int, const char*, int, const char*, unsigned)>("renameat2")(
      from_folder, from, to_folder, to, how));
}

int fsync(int descriptor) {
  const std::string name = name_of(descriptor);
  if (!name.empty()) log_line("fsync " + name);
  const char* const stops = std::getenv("HOSTILE_STOPS");
  if (stops != nullptr && name.ends_with(stops)) std::raise(SIGSTOP);
  if (fails("fsync", descriptor, EIO)) return -1;
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

ssize_t pwrite(int descriptor, const void* from, std::size_t bytes, off_t to) {
  if (fails("pwrite", descriptor, ENOSPC)) return -1;
  return next<ssize_t(int, const void*, std::size_t, off_t)>("pwrite")(descriptor, from, bytes, to);
}

ssize_t pwrite64(int descriptor, const void* from, std::size_t bytes, off64_t to) {
  if (fails("pwrite", descriptor, ENOSPC)) return -1;
  return next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64")(descriptor, from, bytes,
                                                                           to);
}

ssize_t pwritev(int descriptor, const iovec* from, int count, off_t to) {
  if (fails("pwrite", descriptor, ENOSPC)) return -1;
  return next<ssize_t(int, const iovec*, int, off_t)>("pwritev")(descriptor, from, count, to);
}

ssize_t pwritev64(int descriptor, const iovec* from, int count, off64_t to) {
  if (fails("pwrite", descriptor, ENOSPC)) return -1;
  return next<ssize_t(int, const iovec*, int, off64_t)>("pwritev64")(descriptor, from, count, to);
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  if (fails("ftruncate", descriptor, EIO)) return -1;
  return next<int(int, off_t)>("ftruncate")(descriptor, bytes);
}

int ftruncate64(int descriptor, off64_t bytes) noexcept {
  if (fails("ftruncate", descriptor, EIO)) return -1;
  return next<int(int, off64_t)>("ftruncate64")(descriptor, bytes);
}

#ifdef __GLIBC__
void* __libc_malloc(std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  if (is_no_memory(bytes)) return nullptr;
  return __libc_malloc(bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = is_no_memory(bytes) ? nullptr : __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return is_no_memory(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
#endif
}
