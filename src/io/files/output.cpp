// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "io/files/unfinished_file.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {

Output::Output(const Communicator& communicator, const std::string& path,
               const std::string& display_name, const std::string& unfinished)
    : communicator_(communicator),
      path_(path),
      display_name_(display_name),
      kept_(!unfinished.empty()) {
  communicator_.on_root([&] { kept_ ? resume(unfinished) : create(); });
  temporary_ = communicator_.broadcast(temporary_);
  register_files();
}

/// Only root removes the file. After a failure, another rank must not remove it, because ranks that
/// do not know of the failure yet may still complete the file. The other ranks' registry entries
/// stay for Communicator::abort().
Output::~Output() {
  if (completed_) return;
  if (!communicator_.is_root()) {
    for (OpenOutput& registered : registered_) registered.abandon();
  } else if (!kept_) {
    ::unlink(temporary_.c_str());
  }
}

void Output::create() {
  temporary_ = temporary_of(path_);
  lock(path_, display_name_);
  // Root creates the file before MPI-IO opens it, because MPI-IO reports no reason for a failure.
  file_ = create_file(temporary_);
  if (!file_.valid()) throw_cannot_write(display_name_, errno);
}

/// Continues an unfinished file. Locks two names if the earlier run gave its results another name.
void Output::resume(const std::string& unfinished) {
  temporary_ = unfinished;
  const std::string first = output_of(unfinished);
  const bool is_same = is_same_path(lock_of(first), lock_of(path_));
  lock(first, is_same ? display_name_ : first);
  if (!is_same) lock(path_, display_name_);
  file_ = FileDescriptor(::open(unfinished.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  require_one_file_system(path_, display_name_, unfinished);
}

void Output::lock(const std::string& path, const std::string& display_name) {
  locks_.push_back(std::make_unique<OutputLock>(path, display_name, temporary_));
  existing_ = identity_of(path_, Links::not_followed);
}

/// Every rank registers the files, because any rank that aborts must remove them.
void Output::register_files() {
  using enum OpenOutput::Owner;
  registered_.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string lock = communicator_.broadcast(i < locks_.size() ? locks_[i]->path() : "");
    if (lock.empty()) continue;
    registered_.emplace_back(temporary_, lock, communicator_.is_root() ? this_rank : another_rank,
                             kept_);
  }
}

void Output::set_kept(bool kept) {
  kept_ = kept;
  for (OpenOutput& registered : registered_) registered.keep(kept);
}

void Output::keep(bool kept) {
  const std::string unfinished = unfinished_of(temporary_);
  if (kept && temporary_ != unfinished) {
    communicator_.on_root([&] {
      const int code = rename_to_free_name(temporary_, unfinished);
      if (code != 0) throw_cannot_write(display_name_, code);
      // Flushes the new name, because a checkpoint is about to refer to it. Ignores a failure: if
      // the checkpoint is in the same folder, its commit() reports the failure.
      static_cast<void>(failure_of([&] { flush_folder_of(unfinished, display_name_); }));
    });
    temporary_ = unfinished;
    register_files();
  }
  set_kept(kept);
}

/// Returns the file's length. Throws Error if another file has the temporary file's name.
std::uint64_t Output::size_if_not_replaced() const {
  const auto identity = identity_of(file_);
  if (is_same_file(identity_of(temporary_, Links::not_followed), identity)) {
    return static_cast<std::uint64_t>(identity->size);
  }
  throw Error("cannot write '" + display_name_ + "'",
              "its temporary file, '" + temporary_ + "', was replaced by another file",
              "Run again in a folder where no other program writes.");
}

void Output::rename_to_final_name(OnRenameFailure on_failure) const {
  int code = EEXIST;
  const bool is_changed = identity_of(path_, Links::not_followed) != existing_;
  if (!is_changed && existing_) code = rename_file(temporary_, path_);
  if (!is_changed && !existing_) code = rename_to_free_name(temporary_, path_);
  if (code == 0) return;
  if (on_failure == OnRenameFailure::remove && !is_changed) throw_cannot_write(display_name_, code);
  const std::string why = code != EEXIST ? std::generic_category().message(code)
                          : existing_    ? "another program changed this file during the run"
                                         : "another program made this file during the run";
  throw Error("cannot write '" + display_name_ + "'", why,
              on_failure == OnRenameFailure::remove
                  ? "Choose another path."
                  : "Rename the complete file, '" + temporary_ + "'.");
}

void Output::complete(OnRenameFailure on_failure) {
  std::uint64_t bytes = 0;
  communicator_.on_root([&] {
    bytes = size_of_regular(file_);
    truncate_and_flush(file_, bytes, display_name_);
  });
  try {
    communicator_.on_root([&] {
      // Checks the file after the flush, because other programs may change it during a slow flush.
      if (size_if_not_replaced() != bytes)
        throw_cannot_write(display_name_, "another program changed '" + temporary_ + "'");
      rename_to_final_name(on_failure);
    });
  } catch (const AgreedError&) {
    if (on_failure == OnRenameFailure::keep_temporary) set_kept(true);
    throw;
  }
  completed_ = true;
  communicator_.on_root([&] {
    flush_folder_of(path_, display_name_);
    registered_.clear();
    locks_.clear();
  });
}

}  // namespace rivulet::io
