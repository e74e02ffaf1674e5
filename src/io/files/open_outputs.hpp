// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

namespace rivulet::io {

/// A temporary file that the run writes, and its lock: an entry of the one registry of these, which
/// says what to remove when the program ends without destructors. Few exist at a time; those beyond
/// 16 stay.
class OpenOutput {
 public:
  /// A signal may come to all ranks, and the one that made the files removes them; an abort comes
  /// to one, which removes them for all ranks.
  enum class Owner { this_rank, another_rank };

  OpenOutput(const std::string& temporary, const std::string& lock, Owner owner, bool kept);
  ~OpenOutput();
  OpenOutput(const OpenOutput&) = delete;
  OpenOutput& operator=(const OpenOutput&) = delete;
  OpenOutput(OpenOutput&& other) noexcept;
  OpenOutput& operator=(OpenOutput&&) = delete;

  /// Whether the temporary file stays when the program ends.
  void keep(bool kept);
  /// Leaves the entry in the registry when this object ends.
  void abandon();

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t entry_ = none;
};

/// Removes the temporary files, but those kept, and the locks of the whole run, as far as they are
/// the run's still. Communicator::abort() calls this.
void remove_open_outputs();

}  // namespace rivulet::io
