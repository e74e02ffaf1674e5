// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/output_claim.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "io/mpi/stop_signals.hpp"
#include "io/outputs/file_descriptor.hpp"
#include "io/outputs/file_space.hpp"
#include "io/outputs/output_lock.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// A temporary file, and one of its locks.
using Names = std::pair<std::string, std::string>;

/// What drop_all_claims() removes.
class Registry {
 public:
  void set(const Names& names, bool kept) {
    const std::lock_guard lock(mutex_);
    all_[names] = kept;
  }
  void remove(const Names& names) {
    const std::lock_guard lock(mutex_);
    all_.erase(names);
  }
  void drop() {
    const std::lock_guard lock(mutex_);
    for (const auto& [names, kept] : all_) {
      const auto& [temporary, lock_path] = names;
      if (!kept) ::unlink(temporary.c_str());
      remove_lock(lock_path, temporary);
    }
    all_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<Names, bool> all_;  ///< whether they are kept
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

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

bool is_same_file(const std::string& path, const std::string& other) {
  std::error_code none;
  return std::filesystem::path(path).filename() == std::filesystem::path(other).filename() &&
         std::filesystem::equivalent(folder_of(path), folder_of(other), none);
}

/// 0, or errno.
int renamed(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Likewise, where nothing has the new name: a look and a rename are two steps, between which
/// something may come, so they are for file systems that cannot do both in one.
int renamed_to_free_name(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  return identity_of(to) ? EEXIST : renamed(from, to);
}

void require_one_file_system(const std::string& path, const std::string& shown,
                             const std::string& temporary) {
  struct stat to {};
  struct stat from {};
  if (::stat(folder_of(path).c_str(), &to) != 0) throw_cannot_write(shown, errno);
  if (::stat(folder_of(temporary).c_str(), &from) != 0 || to.st_dev == from.st_dev) return;
  throw Error("cannot write '" + shown + "'",
              "it is to be made of '" + temporary + "', which is on another file system",
              "Choose a path on that one.");
}

}  // namespace

struct OutputClaim::State {
  State(const Communicator& ranks, const std::string& to, const std::string& shown_as)
      : communicator(ranks), path(to), shown(shown_as) {}

  Communicator communicator;
  std::string path;
  std::string shown;
  std::string temporary;
  FileIdentity before;  ///< root's: what had the name
  std::vector<std::string> lock_paths;
  bool kept = false;
  bool completed = false;
  IgnoreFileSizeSignal signal_guard;
  std::vector<std::unique_ptr<OutputLock>> locks;  ///< root's
  std::vector<PartialFile> partial;  ///< root's: what a signal that ends the program removes
  PartialFile partial_output;        ///< likewise

  void lock(const std::string& one, const std::string& shown_as) {
    locks.push_back(std::make_unique<OutputLock>(one, shown_as, temporary, kept));
    before = identity_of(path);
    lock_paths.push_back(lock_of(one));
    partial.emplace_back(lock_paths.back());
  }
  /// So that all ranks know what to remove. Collective.
  void tell() {
    temporary = communicator.broadcast(temporary);
    for (const bool second : {false, true}) {
      const std::string own = lock_paths.size() > (second ? 1 : 0) ? lock_paths[second] : "";
      const std::string told = communicator.broadcast(own);
      if (communicator.is_root() || told.empty()) continue;
      lock_paths.push_back(told);
    }
    note(kept);
  }
  void note(bool keeps) {
    kept = keeps;
    for (const std::string& one : lock_paths) registry().set({temporary, one}, kept);
  }
  void give_name(Unnamed unnamed) const;
  void forget() {
    for (const std::string& one : lock_paths) registry().remove({temporary, one});
  }
};

OutputClaim::OutputClaim(const Communicator& communicator, const std::string& path,
                         const std::string& shown)
    : state_(std::make_unique<State>(communicator, path, shown)) {
  State& state = *state_;
  communicator.on_root([&] {
    state.temporary = temporary_of(path);
    state.lock(path, shown);
    constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
    // By hand, because MPI-IO does not say why it cannot.
    if (!FileDescriptor(::open(state.temporary.c_str(), flags, 0666)).valid()) {
      throw_cannot_write(shown, errno);
    }
    state.partial_output = PartialFile(state.temporary);
  });
  state.tell();
}

OutputClaim::OutputClaim(const Communicator& communicator, const std::string& path,
                         const std::string& shown, const std::string& temporary)
    : state_(std::make_unique<State>(communicator, path, shown)) {
  State& state = *state_;
  state.kept = true;
  communicator.on_root([&] {
    state.temporary = temporary;
    const std::string before = output_of(temporary);
    const bool same = is_same_file(lock_of(before), lock_of(path));
    state.lock(before, same ? shown : before);
    if (!same) state.lock(path, shown);
    require_one_file_system(path, shown, temporary);
  });
  state.tell();
}

/// A rank whose failure the others do not know of yet removes nothing here: they may be about to
/// complete the file. If it comes to that, Communicator::abort() does.
OutputClaim::~OutputClaim() {
  const State& state = *state_;
  const bool is_root = state.communicator.is_root();
  if (!state.completed && !state.kept && is_root) ::unlink(state.temporary.c_str());
  if (state.completed || is_root) state_->forget();
}

const std::string& OutputClaim::temporary() const { return state_->temporary; }

void OutputClaim::keep(bool kept) {
  State& state = *state_;
  if (state.kept == kept) return;
  state.communicator.on_root([&] {
    for (const auto& lock : state.locks) lock->keep(kept);
    state.partial_output = kept ? PartialFile() : PartialFile(state.temporary);
  });
  state.note(kept);
}

void OutputClaim::State::give_name(Unnamed unnamed) const {
  const bool is_changed = identity_of(path) != before;
  int code = EEXIST;
  if (!is_changed) code = before ? renamed(temporary, path) : renamed_to_free_name(temporary, path);
  if (code == 0) return;
  if (unnamed == Unnamed::goes && !is_changed) throw_cannot_write(shown, code);
  const std::string why = code != EEXIST ? std::generic_category().message(code)
                          : before       ? "the file of that name was changed meanwhile"
                                         : "a file of that name has appeared meanwhile";
  throw Error("cannot write '" + shown + "'", why,
              unnamed == Unnamed::goes ? "Choose another path."
                                       : "The file is complete, but for its name: it is '" +
                                             temporary + "'. Rename that.");
}

void OutputClaim::complete(Unnamed unnamed) {
  State& state = *state_;
  state.communicator.on_root([&] { settle_file(state.temporary, state.shown); });
  try {
    state.communicator.on_root([&] {
      state.give_name(unnamed);
      state.partial_output = PartialFile();
    });
  } catch (const AgreedError&) {
    if (unnamed == Unnamed::goes) throw;
    state.partial_output = PartialFile();
    state.note(true);
    throw;
  }
  state.completed = true;
  state.communicator.on_root([&] {
    settle_folder_of(state.path, state.shown);
    state.partial.clear();
    state.locks.clear();
  });
}

bool OutputClaim::has_its_name() const { return state_->completed; }

void remove_ended_claim(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(lock_of(path), none)) return;
  try {
    const OutputLock lock(path, path, temporary_of(path));
  } catch (const Error&) {  // another's
  }
}

void drop_all_claims() { registry().drop(); }

}  // namespace rivulet::io
