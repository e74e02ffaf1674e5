// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <unistd.h>

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

bool is_regular(int descriptor);
/// The file's bytes from a place on: fewer at its end, or where reading fails; errno is then not 0.
std::string read_at(const FileDescriptor& file, std::uint64_t at, std::uint64_t bytes);
/// Writes all of the bytes. Returns 0 or errno.
int write_at(const FileDescriptor& file, std::uint64_t at, std::string_view bytes);

// `shown` is a file's name in messages: that which it is to have, where `path` is a temporary one.

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

/// Whether both exist and are one file, in whichever state.
bool is_one_file(const std::optional<FileIdentity>& one, const std::optional<FileIdentity>& other);
/// Whether two names are the same name in one folder, whether or not there is such a file.
bool is_one_name(const std::string& one, const std::string& other);

/// "." for a name without one.
std::string folder_of(const std::string& path);

/// Claims `bytes` beyond the end of a file, without making it longer, so that a full disk, a quota
/// or a limit on file sizes shows before anything is written. Throws Error with the system's
/// reason. Where the file system cannot claim space, looks whether there is enough.
void reserve_space(const std::string& path, const std::string& shown, std::uint64_t bytes);

/// Gives claimed space back and makes sure that the file is on the disk.
void settle_file(const std::string& path, const std::string& shown);
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
