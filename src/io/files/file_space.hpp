// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rivulet::io {

/// Owns a file descriptor and closes it on destruction; may be empty.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : value_(value) {}
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }

  int get() const { return value_; }
  bool valid() const { return value_ >= 0; }

 private:
  int value_ = -1;
};

/// A contiguous range of a file, in bytes.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;

  std::uint64_t end() const { return begin + bytes; }
};

bool is_regular(int descriptor);
/// Returns the file's length in bytes, or 0 if it is not a regular file.
std::uint64_t size_of_regular(const FileDescriptor& file);
/// Reads `bytes` bytes from `offset`. Returns fewer at the file's end, or after a failure. Sets
/// errno to the failure's code, or to 0 on success.
std::string read_at(const FileDescriptor& file, std::uint64_t offset, std::uint64_t bytes);
/// Writes all bytes at `offset`. Returns 0 on success, ENOSPC if only a part was written, and
/// errno on any other failure.
int write_at(const FileDescriptor& file, std::uint64_t offset, std::string_view bytes);

/// Creates an empty file (O_EXCL). On failure, returns an empty descriptor and sets errno.
FileDescriptor create_file(const std::string& path);
/// Renames a file. Returns 0, or errno on failure. rename_to_free_name() fails with EEXIST if `to`
/// exists.
int rename_file(const std::string& from, const std::string& to);
int rename_to_free_name(const std::string& from, const std::string& to);

/// Ignores SIGXFSZ during the object's lifetime. A write past RLIMIT_FSIZE (`ulimit -f`) then fails
/// with EFBIG instead of ending the process.
class IgnoreFileSizeSignal {
 public:
  IgnoreFileSizeSignal() : previous_(std::signal(SIGXFSZ, SIG_IGN)) {}
  ~IgnoreFileSizeSignal() {
    if (previous_ != SIG_ERR) std::signal(SIGXFSZ, previous_);
  }
  IgnoreFileSizeSignal(const IgnoreFileSizeSignal&) = delete;
  IgnoreFileSizeSignal& operator=(const IgnoreFileSizeSignal&) = delete;

 private:
  void (*previous_)(int);
};

// In the functions below, `display_name` is a file's final name, for messages; `path` may be
// temporary.

/// The identity (device and inode) and state (size and time of change) of a file.
struct FileIdentity {
  std::uint64_t device;
  std::uint64_t inode;
  std::int64_t size;
  std::int64_t seconds;  ///< time of the last change
  std::int64_t nanoseconds;

  bool operator==(const FileIdentity&) const = default;
};

enum class Links { followed, not_followed };

/// Returns nullopt and sets errno if there is no such file.
std::optional<FileIdentity> identity_of(const std::string& path, Links links = Links::followed);
std::optional<FileIdentity> identity_of(const FileDescriptor& file);

/// True if both exist and have the same device and inode.
bool is_same_file(const std::optional<FileIdentity>& first,
                  const std::optional<FileIdentity>& second);
/// True if both paths have the same file name in the same folder. The file need not exist.
bool is_same_path(const std::string& first, const std::string& second);

/// Returns the folder of a path; "." if it has none.
std::string folder_of(const std::string& path);

/// Reserves disk space for a file of `bytes` bytes without changing its length. A full disk, a
/// quota or a file-size limit thus causes an error before the first write. If the file system
/// cannot reserve space, checks the free space instead. Throws Error with the system's reason.
void reserve_space(const FileDescriptor& file, const std::string& display_name,
                   std::uint64_t bytes);

/// Truncates the file to `bytes` bytes and flushes it to the disk. The truncation also releases
/// space reserved beyond that length.
void truncate_and_flush(const FileDescriptor& file, std::uint64_t bytes,
                        const std::string& display_name);
/// Flushes the folder of `path` to the disk, and thereby the file's name.
void flush_folder_of(const std::string& path, const std::string& display_name);

/// Flushes a file's written data to the disk. Keeps reserved space.
void flush_file(const std::string& path, const std::string& display_name);
/// Waits for the previous asynchronous flush and starts another one. A later flush_file() then has
/// to flush only the data written since. No-op if the system has no asynchronous flush.
void begin_flush(const std::string& path, const std::string& display_name);

/// Throws the Error for a file that cannot be written. The advice depends on `code`, a value of
/// errno.
[[noreturn]] void throw_cannot_write(const std::string& path, int code);
/// Throws the Error for a file that cannot be written; `reason` explains the failure in words.
[[noreturn]] void throw_cannot_write(const std::string& path, const std::string& reason);

}  // namespace rivulet::io
