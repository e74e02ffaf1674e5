// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/files/file_space.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

FileDescriptor opened(const std::string& path, const std::string& shown, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) throw_cannot_write(shown, errno);
  return file;
}

FileIdentity identity_in(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

/// Claims disk space for the bytes [begin, begin + bytes). Returns 0 or errno.
int claim([[maybe_unused]] const FileDescriptor& file, [[maybe_unused]] std::uint64_t begin,
          [[maybe_unused]] std::uint64_t bytes) {
#ifdef FALLOC_FL_KEEP_SIZE
  const int result = ::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                                 static_cast<off_t>(bytes));
  return result == 0 ? 0 : errno;
#else
  return EOPNOTSUPP;
#endif
}

int look_for_space(const FileDescriptor& file, std::uint64_t bytes) {
  struct statvfs system {};
  if (::fstatvfs(file.get(), &system) != 0) return 0;  // unknown, so assume that there is space
  return std::uint64_t{system.f_bavail} * system.f_frsize < bytes ? ENOSPC : 0;
}

bool is_lack_of_space(int code) {
  return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO;
}

void flush(const FileDescriptor& file, const std::string& shown) {
  if (::fsync(file.get()) == 0) return;
  if (errno != EINVAL) throw_cannot_write(shown, errno);  // EINVAL: a file system without fsync
}

/// Returns the limit on file sizes (`ulimit -f`) in bytes, or nullopt for none.
std::optional<std::uint64_t> size_limit() {
  struct rlimit limit {};
  const bool is_limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? std::optional<std::uint64_t>(limit.rlim_cur) : std::nullopt;
}

std::string advice(int code) {
  switch (code) {
    case ENOENT:
      return "Create its directory, or choose another path.";
    case EISDIR:
      return "Name a file, not a directory.";
    case EFBIG:
      return size_limit() ? "Ask for less, raise the limit on file sizes (ulimit -f), or choose "
                            "another path."
                          : "Ask for less, or choose a path that allows files this large.";
    case ENOSPC:
    case EDQUOT:
      return "Free space there, or choose another path.";
    default:
      return "Choose a writable path.";
  }
}

}  // namespace

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

std::uint64_t size_of_regular(const FileDescriptor& file) {
  struct stat status {};
  const bool is_one = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  return is_one ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string read_at(const FileDescriptor& file, std::uint64_t at, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  errno = 0;
  while (done < bytes) {
    const ssize_t count =
        ::pread(file.get(), text.data() + done, bytes - done, static_cast<off_t>(at + done));
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    errno = 0;
  }
  text.resize(done);
  return text;
}

int write_at(const FileDescriptor& file, std::uint64_t at, std::string_view bytes) {
  const ssize_t count = ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
  if (count < 0) return errno;
  return static_cast<std::size_t>(count) < bytes.size() ? ENOSPC : 0;
}

FileDescriptor create_file(const std::string& path) {
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags, 0666));
}

int rename_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Without RENAME_NOREPLACE, this function has a race: `to` may appear between the check and the
/// rename.
int rename_to_free_name(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  return identity_of(to, Links::not_followed) ? EEXIST : rename_file(from, to);
}

void throw_cannot_write(const std::string& path, int code) {
  throw Error("cannot write '" + path + "'", std::generic_category().message(code), advice(code));
}

void throw_cannot_write(const std::string& path, const std::string& reason) {
  throw Error("cannot write '" + path + "'", reason,
              "Check the disk and its free space, or choose another path.");
}

std::optional<FileIdentity> identity_of(const std::string& path, Links links) {
  struct stat status {};
  const auto look = links == Links::followed ? ::stat : ::lstat;
  if (look(path.c_str(), &status) != 0) return std::nullopt;
  return identity_in(status);
}

std::optional<FileIdentity> identity_of(const FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return std::nullopt;
  return identity_in(status);
}

bool is_one_file(const std::optional<FileIdentity>& one, const std::optional<FileIdentity>& other) {
  return one && other && one->device == other->device && one->number == other->number;
}

bool is_one_name(const std::string& one, const std::string& other) {
  if (std::filesystem::path(one).filename() != std::filesystem::path(other).filename()) {
    return false;
  }
  const std::string folder = folder_of(one);
  const std::string other_folder = folder_of(other);
  return folder == other_folder || is_one_file(identity_of(folder), identity_of(other_folder));
}

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

void reserve_space(const FileDescriptor& file, const std::string& shown, std::uint64_t bytes) {
  const std::uint64_t size = size_of_regular(file);
  if (bytes <= size) return;
  const auto limit = size_limit();
  if (limit && bytes > *limit) {
    throw Error("cannot write '" + shown + "'", std::generic_category().message(EFBIG),
                "Raise the limit on file sizes (ulimit -f), or choose another path.");
  }
  int code = claim(file, size, bytes - size);
  if (code != 0 && !is_lack_of_space(code)) code = look_for_space(file, bytes - size);
  if (code == 0) return;
  throw Error("cannot write '" + shown + "'",
              std::generic_category().message(code) + " for " + about_bytes(bytes), advice(code));
}

void settle_file(const FileDescriptor& file, std::uint64_t bytes, const std::string& shown) {
  if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) throw_cannot_write(shown, errno);
  flush(file, shown);
}

void flush_file(const std::string& path, const std::string& shown) {
  flush(opened(path, shown, O_WRONLY), shown);
}

void begin_flush([[maybe_unused]] const std::string& path,
                 [[maybe_unused]] const std::string& shown) {
#ifdef SYNC_FILE_RANGE_WRITE
  const FileDescriptor file = opened(path, shown, O_WRONLY);
  constexpr unsigned how = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE;
  if (::sync_file_range(file.get(), 0, 0, how) == 0) return;
  // Throws for EIO, ENOSPC and EDQUOT, because later flushes do not report them again. Any other
  // error means that the system lacks the call.
  if (errno == EIO || errno == ENOSPC || errno == EDQUOT) throw_cannot_write(shown, errno);
#endif
}

void settle_folder_of(const std::string& path, const std::string& shown) {
  const FileDescriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) flush(folder, shown);  // the folder may be writable, but not readable
}

}  // namespace rivulet::io
