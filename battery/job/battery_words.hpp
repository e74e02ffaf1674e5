// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "battery/job/battery_options.hpp"
#include "battery/words/word_tiles.hpp"
#include "io/mpi/communicator.hpp"

namespace rivulet {

/// The words that a battery's tests read, of one repeat at a time, in tiles that battery.memory has
/// room for.
class BatteryWords {
 public:
  /// Of the first repeat; `plan` is of the deck's streams, null for words from outside. Both must
  /// outlive this. Throws Error if the words cannot be had.
  BatteryWords(const BatteryOptions& options, const StreamPlan* plan,
               const io::Communicator& ranks);

  /// Goes over to another repeat, with its seeds.
  void take_repeat(std::size_t repeat);
  WordTiles& tiles() { return *tiles_; }
  const WordTiles& tiles() const { return *tiles_; }
  /// Of a file; else empty.
  const std::string& seal() const { return seal_; }

 private:
  std::unique_ptr<WordSupply> supply();
  std::vector<const StreamPlan*> plans();
  std::uint64_t tile_words() const;

  const BatteryOptions& options_;
  const StreamPlan* plan_;
  std::vector<std::unique_ptr<StreamPlan>> other_plans_;  ///< of other seeds than the deck's
  std::optional<WordTiles> tiles_;
  std::size_t repeat_ = 0;
  std::string seal_;
};

}  // namespace rivulet
