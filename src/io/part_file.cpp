// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/part_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "error.hpp"
#include "io/file_space.hpp"

namespace rivulet::io {
namespace {

[[noreturn]] void throw_busy(const std::string& file) {
  throw Error("cannot write '" + file + "'", "another program, or another rank, is writing it",
              "Give each a path of its own.");
}

/// False if somebody else holds the lock; true also where the file system has no locks.
bool lock(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Whether the path still leads to the open file.
bool leads_to(const std::string& path, int descriptor) {
  struct stat open {};
  struct stat there {};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

/// Removes what a killed run left; false if it is being written. Who holds its lock may remove it.
bool remove_rest(const std::string& file, const std::string& part, bool has_locks) {
  const int descriptor = ::open(part.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return true;
  if (descriptor < 0) throw_cannot_write(file, errno);
  const bool is_rest = !has_locks || (lock(descriptor) && leads_to(part, descriptor));
  if (is_rest) ::unlink(part.c_str());
  ::close(descriptor);
  return is_rest;
}

}  // namespace

PartFile::PartFile(const std::string& file, bool with_mpi_io)
    : file_(file), has_locks_(!with_mpi_io) {
  if (!remove_rest(file_, part(), has_locks_)) throw_busy(file_);
  descriptor_ = ::open(part().c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && errno == EEXIST) throw_busy(file_);
  if (descriptor_ < 0) throw_cannot_write(file_, errno);
  if (lock()) return;
  ::close(descriptor_);
  throw_busy(file_);
}

PartFile::~PartFile() { close(); }

void PartFile::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

PartFile::PartFile(PartFile&& other) noexcept
    : file_(std::move(other.file_)),
      has_locks_(other.has_locks_),
      is_opened_(other.is_opened_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

PartFile& PartFile::operator=(PartFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(has_locks_, other.has_locks_);
  std::swap(is_opened_, other.is_opened_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

bool PartFile::lock() const { return !has_locks_ || io::lock(descriptor_); }

void PartFile::unlock() const {
  if (has_locks_) ::flock(descriptor_, LOCK_UN);
}

void PartFile::require_sole_writer() const {
  if (descriptor_ >= 0 && (!lock() || !leads_to(part(), descriptor_))) throw_busy(file_);
}

void PartFile::commit() {
  require_sole_writer();
  settle_file(part());
  if (std::rename(part().c_str(), file_.c_str()) != 0) throw_cannot_write(file_, errno);
  close();  // readers lock it, too
}

void PartFile::remove() const {
  // A file that failed stays open in HDF5, and locked, so that nobody else removes it meanwhile.
  const bool is_ours = lock() || is_opened_;
  if (is_ours && leads_to(part(), descriptor_)) ::unlink(part().c_str());
}

}  // namespace rivulet::io
