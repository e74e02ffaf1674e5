// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "io/mpi/communicator.hpp"
#include "message_of.hpp"

namespace rivulet::test {

using rivulet::message_of;

/// A new folder, which the ranks of a communicator share and the destructor removes. Constructor
/// and destructor are collective.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const io::Communicator& communicator = io::Communicator::self())
      : communicator_(communicator) {
    static int count = 0;
    const std::string name =
        "rivulet-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    path_ = communicator_.broadcast((std::filesystem::temp_directory_path() / name).string());
    if (communicator_.is_root()) std::filesystem::create_directories(path_);
    communicator_.barrier();
  }
  ~TemporaryFolder() {
    communicator_.barrier();
    std::error_code ignored;
    if (communicator_.is_root()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  bool is_empty() const { return std::filesystem::is_empty(path_); }

 private:
  io::Communicator communicator_;
  std::string path_;
};

/// Limits the size of each file that this process writes, in bytes, during the object's life.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

inline std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace rivulet::test
