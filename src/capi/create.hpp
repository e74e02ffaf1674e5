// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "capi/handle_table.hpp"
#include "capi/kokkos_session.hpp"
#include "sequences/sequence.hpp"

namespace rivulet::capi {

/// Held while files are read or written: not every HDF5 is made for threads.
std::mutex& file_mutex();

/// A name as rivulet_create takes it. Throws SequenceError (null_pointer, option, name_taken).
std::string checked_name(const char* name);

/// A sequence from SequenceOptions or a SavedSequence. Throws Error.
template <class From>
std::unique_ptr<Sequence> make_sequence(const From& from, bool reads_a_file) {
  std::unique_lock<std::mutex> files(file_mutex(), std::defer_lock);
  if (reads_a_file) files.lock();
  return std::make_unique<Sequence>(from);
}

}  // namespace rivulet::capi
