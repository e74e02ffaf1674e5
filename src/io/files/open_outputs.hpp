// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace rivulet::io {

/// Registers a temporary file and its lock file for removal by signal handlers and
/// Communicator::abort(), which run no destructors. The registry holds at most 16 such pairs;
/// further pairs are not removed.
class OpenOutput {
 public:
  /// The rank that created the files. A signal may reach all ranks, so each rank then removes only
  /// its own files. An abort happens on one rank, which removes the files of all ranks.
  enum class Owner { this_rank, another_rank };

  OpenOutput(const std::string& temporary, const std::string& lock, Owner owner, bool kept);
  ~OpenOutput();
  OpenOutput(const OpenOutput&) = delete;
  OpenOutput& operator=(const OpenOutput&) = delete;
  OpenOutput(OpenOutput&& other) noexcept;
  OpenOutput& operator=(OpenOutput&&) = delete;

  /// Sets whether the temporary file stays when the program ends.
  void keep(bool kept);
  /// Keeps the entry in the registry after this object's destruction.
  void abandon();

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t entry_ = none;
};

/// Removes the temporary files of all ranks, except kept files, and the lock files that still
/// belong to this run. Communicator::abort() calls this function.
void remove_open_outputs();

}  // namespace rivulet::io
