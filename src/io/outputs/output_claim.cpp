// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/outputs/output_claim.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "io/outputs/file_space.hpp"
#include "io/outputs/open_outputs.hpp"
#include "io/outputs/output_lock.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// Makes an empty file; errno where it does not.
FileDescriptor created(const std::string& path) {
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags, 0666));
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
  return identity_of(to, Links::not_followed) ? EEXIST : renamed(from, to);
}

void require_one_file_system(const std::string& path, const std::string& shown,
                             const std::string& temporary) {
  const auto to = identity_of(folder_of(path));
  if (!to) throw_cannot_write(shown, errno);
  const auto from = identity_of(folder_of(temporary));
  if (!from || to->device == from->device) return;
  throw Error("cannot write '" + shown + "'",
              "it is to be made of '" + temporary + "', which is on another file system",
              "Choose a path on that one.");
}

}  // namespace

/// Writing past a limit of file sizes is to be an error of the call, not a signal.
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

struct OutputClaim::State {
  State(const Communicator& ranks, const std::string& to, const std::string& shown_as)
      : communicator(ranks), path(to), shown(shown_as) {}

  Communicator communicator;
  std::string path;
  std::string shown;
  std::string temporary;
  FileDescriptor file;                 ///< root's: the temporary file
  std::optional<FileIdentity> before;  ///< root's: what had the name
  bool kept = false;
  bool completed = false;
  IgnoreFileSizeSignal signal_guard;
  std::vector<std::unique_ptr<OutputLock>> locks;  ///< root's, at most two
  std::vector<OpenOutput> open;                    ///< for each of these, on every rank

  void lock(const std::string& one, const std::string& shown_as) {
    locks.push_back(std::make_unique<OutputLock>(one, shown_as, temporary, kept));
    before = identity_of(path, Links::not_followed);
    open.emplace_back(temporary, locks.back()->path(), OpenOutput::Owner::this_rank, kept);
  }
  void keep(bool keeps) {
    kept = keeps;
    for (OpenOutput& one : open) one.keep(keeps);
  }
  void give_name(Unnamed unnamed) const;
};

OutputClaim::OutputClaim(const Communicator& communicator, const std::string& path,
                         const std::string& shown, const std::string& temporary)
    : state_(std::make_unique<State>(communicator, path, shown)) {
  State& state = *state_;
  state.kept = !temporary.empty();
  communicator.on_root([&] {
    state.temporary = state.kept ? temporary : temporary_of(path);
    const std::string before = state.kept ? output_of(temporary) : path;
    const bool same = is_one_name(lock_of(before), lock_of(path));
    state.lock(before, same ? shown : before);
    if (!same) state.lock(path, shown);
    if (state.kept) {
      state.file = FileDescriptor(::open(temporary.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
      return require_one_file_system(path, shown, temporary);
    }
    // By hand, because MPI-IO does not say why it cannot.
    state.file = created(state.temporary);
    if (!state.file.valid()) throw_cannot_write(shown, errno);
  });
  // So that all ranks know what to remove.
  state.temporary = communicator.broadcast(state.temporary);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& locks = state.locks;
    const std::string one = communicator.broadcast(i < locks.size() ? locks[i]->path() : "");
    if (communicator.is_root() || one.empty()) continue;
    state.open.emplace_back(state.temporary, one, OpenOutput::Owner::another_rank, state.kept);
  }
}

/// A rank whose failure the others do not know of yet removes nothing here: they may be about to
/// complete the file. If it comes to that, Communicator::abort() does.
OutputClaim::~OutputClaim() {
  State& state = *state_;
  if (state.completed) return;
  if (!state.communicator.is_root()) {
    for (OpenOutput& one : state.open) one.abandon();
  } else if (!state.kept) {
    ::unlink(state.temporary.c_str());
  }
}

const std::string& OutputClaim::temporary() const { return state_->temporary; }

void OutputClaim::keep(bool kept) {
  State& state = *state_;
  if (state.kept == kept) return;
  state.communicator.on_root([&] {
    for (const auto& lock : state.locks) lock->keep(kept);
  });
  state.keep(kept);
}

void OutputClaim::State::give_name(Unnamed unnamed) const {
  const bool is_changed = identity_of(path, Links::not_followed) != before;
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

void OutputClaim::require_own() const {
  const auto now = identity_of(state_->temporary, Links::not_followed);
  if (!state_->file.valid() || is_one_file(now, identity_of(state_->file))) return;
  throw Error("cannot write '" + state_->shown + "'",
              "its temporary file, '" + state_->temporary + "', was replaced by another",
              "Run it again, where nobody else writes.");
}

void OutputClaim::complete(Unnamed unnamed) {
  State& state = *state_;
  state.communicator.on_root([&] {
    require_own();
    settle_file(state.temporary, state.shown);
  });
  try {
    state.communicator.on_root([&] { state.give_name(unnamed); });
  } catch (const AgreedError&) {
    if (unnamed == Unnamed::stays) state.keep(true);
    throw;
  }
  state.completed = true;
  state.communicator.on_root([&] {
    settle_folder_of(state.path, state.shown);
    state.open.clear();
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

void require_seen(const Communicator& communicator, const std::string& path,
                  const std::string& shown) {
  if (RIVULET_HDF5_IS_PARALLEL == 0) return;
  communicator.together([&] {
    constexpr int tries = 30;  // a file system of a network may show it late
    errno = 0;
    for (int i = 0; i < tries && (errno == 0 || errno == ENOENT || errno == ESTALE); ++i) {
      if (FileDescriptor(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)).valid()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    throw Error("cannot write '" + shown + "'",
                "this rank does not see '" + std::filesystem::absolute(path).string() +
                    "', which rank 0 has made: " + std::generic_category().message(errno),
                "Choose a path that all ranks share, and start them in one folder.");
  });
}

void require_creatable(const Communicator& communicator, const std::string& path,
                       const std::string& shown) {
  std::string probe;
  communicator.on_root([&] {
    probe = temporary_of(path);
    if (created(probe).valid()) return;
    if (errno != ENOSPC && errno != EDQUOT) throw_cannot_write(shown, errno);
    probe.clear();
  });
  probe = communicator.broadcast(probe);
  if (probe.empty()) return;
  const auto failure = failure_of([&] { require_seen(communicator, probe, shown); });
  if (communicator.is_root()) ::unlink(probe.c_str());
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rivulet::io
