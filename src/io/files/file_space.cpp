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

FileDescriptor open_to_flush(const std::string& path, const std::string& display_name, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) throw_cannot_write(display_name, errno);
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

int check_free_space(const FileDescriptor& file, std::uint64_t bytes) {
  struct statvfs system {};
  if (::fstatvfs(file.get(), &system) != 0) return 0;  // unknown, so assume that there is space
  return std::uint64_t{system.f_bavail} * system.f_frsize < bytes ? ENOSPC : 0;
}

bool is_out_of_space(int code) {
  return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO;
}

void flush(const FileDescriptor& file, const std::string& display_name) {
  if (::fsync(file.get()) == 0) return;
  // EINVAL: the file system has no fsync.
  if (errno != EINVAL) throw_cannot_write(display_name, errno);
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
      return size_limit() ? "Write a smaller file, raise the limit on file sizes (`ulimit -f "
                            "unlimited`), or choose another path."
                          : "Write a smaller file, or choose a path that allows files this large.";
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
  const bool is_regular_file = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  return is_regular_file ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string read_at(const FileDescriptor& file, std::uint64_t offset, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  errno = 0;
  while (done < bytes) {
    const ssize_t count =
        ::pread(file.get(), text.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    errno = 0;
  }
  text.resize(done);
  return text;
}

int write_at(const FileDescriptor& file, std::uint64_t offset, std::string_view bytes) {
  const ssize_t count =
      ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
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
  const auto status_of = links == Links::followed ? ::stat : ::lstat;
  if (status_of(path.c_str(), &status) != 0) return std::nullopt;
  return identity_in(status);
}

std::optional<FileIdentity> identity_of(const FileDescriptor& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return std::nullopt;
  return identity_in(status);
}

bool is_same_file(const std::optional<FileIdentity>& first,
                  const std::optional<FileIdentity>& second) {
  return first && second && first->device == second->device && first->inode == second->inode;
}

bool is_same_path(const std::string& first, const std::string& second) {
  if (std::filesystem::path(first).filename() != std::filesystem::path(second).filename()) {
    return false;
  }
  const std::string folder = folder_of(first);
  const std::string second_folder = folder_of(second);
  return folder == second_folder || is_same_file(identity_of(folder), identity_of(second_folder));
}

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

void reserve_space(const FileDescriptor& file, const std::string& display_name,
                   std::uint64_t bytes) {
  const std::uint64_t size = size_of_regular(file);
  if (bytes <= size) return;
  const auto limit = size_limit();
  if (limit && bytes > *limit) {
    throw Error("cannot write '" + display_name + "'", std::generic_category().message(EFBIG),
                "Raise the limit on file sizes (`ulimit -f unlimited`), or choose another path.");
  }
  int code = claim(file, size, bytes - size);
  if (code != 0 && !is_out_of_space(code)) code = check_free_space(file, bytes - size);
  if (code == 0) return;
  throw Error("cannot write '" + display_name + "'",
              std::generic_category().message(code) + " for " + about_bytes(bytes), advice(code));
}

void truncate_and_flush(const FileDescriptor& file, std::uint64_t bytes,
                        const std::string& display_name) {
  if (::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
    throw_cannot_write(display_name, errno);
  flush(file, display_name);
}

void flush_file(const std::string& path, const std::string& display_name) {
  flush(open_to_flush(path, display_name, O_WRONLY), display_name);
}

void begin_flush([[maybe_unused]] const std::string& path,
                 [[maybe_unused]] const std::string& display_name) {
#ifdef SYNC_FILE_RANGE_WRITE
  const FileDescriptor file = open_to_flush(path, display_name, O_WRONLY);
  constexpr unsigned how = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE;
  if (::sync_file_range(file.get(), 0, 0, how) == 0) return;
  // Throws for EIO, ENOSPC and EDQUOT, because later flushes do not report them again. Any other
  // error means that the system lacks the call.
  if (errno == EIO || errno == ENOSPC || errno == EDQUOT) throw_cannot_write(display_name, errno);
#endif
}

void flush_folder_of(const std::string& path, const std::string& display_name) {
  const FileDescriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) flush(folder, display_name);  // the folder may be writable, but not readable
}

}  // namespace rivulet::io
