// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/output_claim.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "io/file_descriptor.hpp"
#include "io/file_space.hpp"
#include "io/output_lock.hpp"
#include "io/stop_signals.hpp"

namespace rivulet::io {
namespace {

/// Temporary files and their locks.
using Names = std::pair<std::string, std::string>;

/// What drop_all_claims() removes.
class Registry {
 public:
  void add(const Names& names) {
    const std::lock_guard lock(mutex_);
    all_.insert(names);
  }
  void remove(const Names& names) {
    const std::lock_guard lock(mutex_);
    all_.erase(names);
  }
  void drop() {
    const std::lock_guard lock(mutex_);
    for (const auto& [temporary, lock_path] : all_) {
      ::unlink(temporary.c_str());
      remove_lock(lock_path, temporary);
    }
    all_.clear();
  }

 private:
  std::mutex mutex_;
  std::set<Names> all_;
};

Registry& registry() {
  static Registry one;
  return one;
}

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

}  // namespace

struct OutputClaim::State {
  explicit State(const Communicator& ranks) : communicator(ranks) {}

  Communicator communicator;
  std::string path;
  std::string shown;
  Names names;
  bool completed = false;
  IgnoreFileSizeSignal signal_guard;
  std::optional<OutputLock> lock;    ///< root's
  std::vector<PartialFile> partial;  ///< root's: what a signal that ends the program removes
};

OutputClaim::OutputClaim(const Communicator& communicator, const std::string& path,
                         const std::string& shown)
    : state_(std::make_unique<State>(communicator)) {
  State& state = *state_;
  state.path = path;
  state.shown = shown;
  communicator.on_root([&] {
    state.names = {temporary_of(path), lock_of(path)};
    const std::string& temporary = state.names.first;
    state.lock.emplace(path, shown, temporary);
    constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
    // By hand, because MPI-IO does not say why it cannot.
    if (!FileDescriptor(::open(temporary.c_str(), flags, 0666)).valid()) {
      throw_cannot_write(shown, errno);
    }
    state.partial.emplace_back(temporary);
    state.partial.emplace_back(state.names.second);
  });
  state.names.first = communicator.broadcast(state.names.first);
  state.names.second = communicator.broadcast(state.names.second);
  registry().add(state.names);
}

/// A rank whose failure the others do not know of yet removes nothing here: they may be about to
/// complete the file. If it comes to that, Communicator::abort() does.
OutputClaim::~OutputClaim() {
  const bool is_root = state_->communicator.is_root();
  if (!state_->completed && is_root) ::unlink(state_->names.first.c_str());
  if (state_->completed || is_root) registry().remove(state_->names);
}

const std::string& OutputClaim::temporary() const { return state_->names.first; }

void OutputClaim::complete() {
  state_->communicator.on_root([&] {
    const std::string& temporary = state_->names.first;
    settle_file(temporary, state_->shown);
    if (std::rename(temporary.c_str(), state_->path.c_str()) != 0) {
      throw_cannot_write(state_->shown, errno);
    }
    settle_folder_of(state_->path, state_->shown);
    state_->partial.clear();
    state_->lock.reset();
  });
  state_->completed = true;
}

void drop_all_claims() { registry().drop(); }

}  // namespace rivulet::io
