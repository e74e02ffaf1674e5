// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/shared_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "io/files/file_space.hpp"
#include "io/files/output_lock.hpp"
#include "io/mpi/timing.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {

void require_visible_on_all_ranks(const Communicator& communicator, const std::string& path,
                                  const std::string& display_name) {
  if (RIVULET_HDF5_IS_PARALLEL == 0 || communicator.size() == 1) return;
  communicator.together([&] {
    constexpr int tries = 30;  // a network file system may show the file late
    errno = 0;
    for (int i = 0; i < tries && (errno == 0 || errno == ENOENT || errno == ESTALE); ++i) {
      if (FileDescriptor(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)).valid()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    throw Error("cannot write '" + display_name + "'",
                "rank 0 made '" + std::filesystem::absolute(path).string() +
                    "', but this rank does not see it: " + std::generic_category().message(errno),
                "Choose a path that all ranks share, and start all ranks in the same folder.");
  });
}

OpenWatch::OpenWatch(const Communicator& communicator, const std::string& path,
                     const std::string& display_name, bool all_ranks_open) {
  const Stopwatch since;
  require_visible_on_all_ranks(communicator, path, display_name);
  const std::chrono::duration<double> limit(15 + 50 * communicator.max(since.seconds()));
  if (!all_ranks_open || !communicator.is_root()) return;
  watch_ = std::jthread([&communicator, display_name, limit](const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any asleep;
    asleep.wait_for(lock, stop, limit, [] { return false; });
    if (stop.stop_requested()) return;
    communicator.abort("cannot write '" + display_name + "' (a rank cannot open it). Run again.");
  });
}

void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& display_name) {
  std::string probe;
  communicator.on_root([&] {
    probe = temporary_of(path);
    if (create_file(probe).valid()) return;
    if (errno != ENOSPC && errno != EDQUOT) throw_cannot_write(display_name, errno);
    probe.clear();
  });
  probe = communicator.broadcast(probe);
  if (probe.empty()) return;
  const auto failure =
      failure_of([&] { require_visible_on_all_ranks(communicator, probe, display_name); });
  if (communicator.is_root()) ::unlink(probe.c_str());
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rivulet::io
