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

Output::Output(const Communicator& communicator, const std::string& path, const std::string& shown,
               const std::string& unfinished)
    : communicator_(communicator), path_(path), shown_(shown), kept_(!unfinished.empty()) {
  communicator_.on_root([&] { kept_ ? take_up(unfinished) : make(); });
  temporary_ = communicator_.broadcast(temporary_);
  register_files();
}

/// Only root removes the file. After a failure, another rank must not remove it, because ranks that
/// do not know of the failure yet may still complete the file. The other ranks' registry entries
/// stay for Communicator::abort().
Output::~Output() {
  if (completed_) return;
  if (!communicator_.is_root()) {
    for (OpenOutput& one : open_) one.abandon();
  } else if (!kept_) {
    ::unlink(temporary_.c_str());
  }
}

void Output::make() {
  temporary_ = temporary_of(path_);
  lock(path_, shown_);
  // Root creates the file before MPI-IO opens it, because MPI-IO gives no reason for a failure.
  file_ = create_file(temporary_);
  if (!file_.valid()) throw_cannot_write(shown_, errno);
}

/// Continues an unfinished file. Locks two names if the earlier run gave its results another name.
void Output::take_up(const std::string& unfinished) {
  temporary_ = unfinished;
  const std::string first = output_of(unfinished);
  const bool is_same = is_one_name(lock_of(first), lock_of(path_));
  lock(first, is_same ? shown_ : first);
  if (!is_same) lock(path_, shown_);
  file_ = FileDescriptor(::open(unfinished.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  require_one_file_system(path_, shown_, unfinished);
}

void Output::lock(const std::string& path, const std::string& shown) {
  locks_.push_back(std::make_unique<OutputLock>(path, shown, temporary_));
  before_ = identity_of(path_, Links::not_followed);
}

/// Every rank registers the files, because an abort of any rank must remove them.
void Output::register_files() {
  using enum OpenOutput::Owner;
  open_.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string lock = communicator_.broadcast(i < locks_.size() ? locks_[i]->path() : "");
    if (lock.empty()) continue;
    open_.emplace_back(temporary_, lock, communicator_.is_root() ? this_rank : another_rank, kept_);
  }
}

void Output::outlast(bool kept) {
  kept_ = kept;
  for (OpenOutput& one : open_) one.keep(kept);
}

void Output::keep(bool kept) {
  const std::string unfinished = unfinished_of(temporary_);
  if (kept && temporary_ != unfinished) {
    communicator_.on_root([&] {
      const int code = rename_to_free_name(temporary_, unfinished);
      if (code != 0) throw_cannot_write(shown_, code);
      // Flushes the new name, because a checkpoint is about to refer to it. A failure is ignored
      // here: flushing the checkpoint's folder may then fail, too.
      static_cast<void>(failure_of([&] { settle_folder_of(unfinished, shown_); }));
    });
    temporary_ = unfinished;
    register_files();
  }
  outlast(kept);
}

/// Returns the file's length. Throws Error if another file has the temporary file's name.
std::uint64_t Output::own_bytes() const {
  const auto own = identity_of(file_);
  if (is_one_file(identity_of(temporary_, Links::not_followed), own)) {
    return static_cast<std::uint64_t>(own->size);
  }
  throw Error("cannot write '" + shown_ + "'",
              "its temporary file, '" + temporary_ + "', was replaced by another file",
              "Run again in a folder where no other program writes.");
}

void Output::give_name(Unnamed unnamed) const {
  int code = EEXIST;
  const bool is_changed = identity_of(path_, Links::not_followed) != before_;
  if (!is_changed && before_) code = rename_file(temporary_, path_);
  if (!is_changed && !before_) code = rename_to_free_name(temporary_, path_);
  if (code == 0) return;
  if (unnamed == Unnamed::goes && !is_changed) throw_cannot_write(shown_, code);
  const std::string why = code != EEXIST ? std::generic_category().message(code)
                          : before_      ? "another program changed this file during the run"
                                         : "another program made this file during the run";
  throw Error("cannot write '" + shown_ + "'", why,
              unnamed == Unnamed::goes ? "Choose another path."
                                       : "Rename the complete file, '" + temporary_ + "'.");
}

void Output::complete(Unnamed unnamed) {
  std::uint64_t bytes = 0;
  communicator_.on_root([&] {
    bytes = size_of_regular(file_);
    settle_file(file_, bytes, shown_);
  });
  try {
    communicator_.on_root([&] {
      // Checks the file only after the flush, because the flush takes long.
      if (own_bytes() != bytes)
        throw_cannot_write(shown_, "another program changed '" + temporary_ + "'");
      give_name(unnamed);
    });
  } catch (const AgreedError&) {
    if (unnamed == Unnamed::stays) outlast(true);
    throw;
  }
  completed_ = true;
  communicator_.on_root([&] {
    settle_folder_of(path_, shown_);
    open_.clear();
    locks_.clear();
  });
}

}  // namespace rivulet::io
