// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/results/results_file.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"

namespace rivulet {

inline constexpr const char* checkpoint_kind = "checkpoint";
/// The group that holds a job's saved state in a checkpoint.
inline const std::string state_group = "/state";
/// The value of the attribute "format" of this group. Since format 3, an unfinished results file
/// reserves space for a seal before HDF5's data.
inline constexpr std::uint64_t checkpoint_format = 3;

/// The checkpoint of a resumed run. Root reads the file. The functions are collective. They throw
/// Error on all ranks if the file is damaged, or if another program or another version wrote it.
class CheckpointReader {
 public:
  CheckpointReader(const io::Communicator& ranks, const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& deck() const { return deck_; }

  // Contents of the group /state.

  std::uint64_t number(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  std::string text(const std::string& name) const;
  bool has(const std::string& name) const;
  /// Returns all elements of a dataset on all ranks. If `total` is given, throws Error unless it is
  /// the number of elements. T: an integer type that jobs save.
  template <class T = std::uint64_t>
  std::vector<T> all(const std::string& name, std::optional<std::uint64_t> total = {}) const;
  /// Returns the elements in this rank's `range` of a dataset. Throws Error unless the dataset
  /// has `total` elements.
  template <class T = std::uint64_t>
  std::vector<T> rows(const std::string& name, StreamRange range, std::uint64_t total) const;

  /// Throws Error on all ranks if `fits` is false on root. `why`: the reason in the message, which
  /// names the value that does not match the deck. Collective.
  void require(bool fits, const std::string& why) const;

 private:
  template <class T>
  T attribute(const std::string& name) const;
  /// Calls take(begin, elements) for consecutive parts of a dataset. `begin`: index of the part's
  /// first element.
  template <class T, class Take>
  void for_each_piece(const std::string& name, std::optional<std::uint64_t> total,
                      const Take& take) const;

  io::Communicator ranks_;
  std::string path_;
  std::string deck_;
  std::optional<io::ReadFile> file_;  ///< on root
};

/// Saves to the checkpoint the state of `output`, a results file that the run is writing.
/// The caller must have flushed `output`. Collective.
void save_output(const io::Communicator& ranks, io::ResultsFile& checkpoint,
                 const io::ResultsFile& output);
/// Returns the state that save_output() saved. Collective.
io::UnfinishedFile saved_output(const CheckpointReader& saved);

}  // namespace rivulet
