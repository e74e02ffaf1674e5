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

/// An open file of the system's, closed with this object; or none.
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

/// Bytes of a file one after the other.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;

  std::uint64_t end() const { return begin + bytes; }
};

bool is_regular(int descriptor);
/// 0 for what is no regular file.
std::uint64_t size_of_regular(const FileDescriptor& file);
/// The file's bytes from a place on: fewer at its end, or where reading fails; errno is then not 0.
std::string read_at(const FileDescriptor& file, std::uint64_t at, std::uint64_t bytes);
/// Writes all of the bytes. Returns 0 or errno.
int write_at(const FileDescriptor& file, std::uint64_t at, std::string_view bytes);

/// Makes an empty file that this process alone has made; errno where it does not.
FileDescriptor create_file(const std::string& path);
/// 0, or errno. The second replaces nothing.
int rename_file(const std::string& from, const std::string& to);
int rename_to_free_name(const std::string& from, const std::string& to);

/// While it lives, a write past the limit on file sizes is an error of the call, not a signal.
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

// `shown` is a file's final name, for messages; `path` may be temporary.

/// The identity of the file that a name refers to, and its state, which changes when it is written.
struct FileIdentity {
  std::uint64_t device;
  std::uint64_t number;  ///< of the inode
  std::int64_t size;
  std::int64_t seconds;  ///< of the last change
  std::int64_t nanoseconds;

  bool operator==(const FileIdentity&) const = default;
};

enum class Links { followed, not_followed };

/// Nothing where there is no such file; errno says why.
std::optional<FileIdentity> identity_of(const std::string& path, Links links = Links::followed);
std::optional<FileIdentity> identity_of(const FileDescriptor& file);

/// True if both exist and have the same device and inode.
bool is_one_file(const std::optional<FileIdentity>& one, const std::optional<FileIdentity>& other);
/// Whether two names are the same name in one folder, whether or not there is such a file.
bool is_one_name(const std::string& one, const std::string& other);

/// "." for a name without one.
std::string folder_of(const std::string& path);

/// Claims space for a file of that many bytes, without making it longer, so that a full disk, a
/// quota or a limit on file sizes shows before anything is written. Throws Error with the system's
/// reason. Where the file system cannot claim space, looks whether there is enough.
void reserve_space(const FileDescriptor& file, const std::string& shown, std::uint64_t bytes);

/// Gives space claimed beyond the file's length back and makes sure that the file is on the disk.
void settle_file(const FileDescriptor& file, std::uint64_t bytes, const std::string& shown);
/// Makes sure that the name of a file is on the disk.
void settle_folder_of(const std::string& path, const std::string& shown);

/// Makes sure that what was written to a file so far is on the disk, and keeps claimed space.
void flush_file(const std::string& path, const std::string& shown);
/// Begins to bring it there, and waits for what was begun before: so a flush takes no longer than
/// what was written since then, where the system can do so.
void begin_flush(const std::string& path, const std::string& shown);

/// The Error for a file that cannot be written, with advice that fits errno's value `code`.
[[noreturn]] void throw_cannot_write(const std::string& path, int code);
/// The same with a reason in words.
[[noreturn]] void throw_cannot_write(const std::string& path, const std::string& reason);

}  // namespace rivulet::io
