// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/common/counts.hpp"

namespace rivulet {

/// The counts of the occlusion job. For each pixel, stores the number of open rays in each picture,
/// and the number of camera rays that hit something.
struct PictureCounts {
  static constexpr const char* message_name = "pixels";
  static constexpr bool is_in_rows = true;
  static constexpr bool is_gathered = true;  ///< root writes whole pictures

  std::vector<std::uint64_t> passes;             ///< number of passes of each picture
  std::vector<NumbersById<std::uint32_t>> open;  ///< open rays, per picture and pixel
  NumbersById<std::uint32_t> hits;               ///< camera rays that hit something
  NumbersById<std::uint8_t> done = {};           ///< in a checkpoint: nonzero for completed pixels
  std::vector<std::uint64_t> used = {};  ///< numbers used per local stream, if teams share streams
  bool digest_covers_used = false;
  std::string pixel_description = {};  ///< description of a part's pixels; empty for all pixels
  std::string axes = "stream";         ///< axes of the datasets in a results file
  std::uint64_t columns = 1;           ///< columns of the datasets in a results file

  template <class Io>
  void fields(Io& io) {
    for (std::size_t k = 0; k < open.size(); ++k) {
      io.rows(open_name(passes[k]), open[k],
              {"rays that met nothing, four a pass, pixel by pixel" + pixel_description, "rays",
               axes, columns});
    }
    io.rows("hits", hits,
            {"camera rays that met something, in all passes" + pixel_description, "rays", axes,
             columns});
    if (io.in_checkpoint()) io.rows("done", done, {"not 0 for pixels that are done"});
  }
  PictureCounts& operator+=(const PictureCounts& other) {
    for (std::size_t k = 0; k < open.size(); ++k) open[k] += other.open[k];
    hits += other.hits;
    done += other.done;
    return *this;
  }
  /// Returns the open rays of each picture and then the hits, each pixel by pixel. With
  /// digest_covers_used, returns the numbers used per stream instead, because the picture depends
  /// on the order of the warps' requests.
  std::vector<std::uint64_t> words() const {
    if (digest_covers_used) return used;
    std::vector<std::uint64_t> words;
    words.reserve((open.size() + 1) * hits.values.size());
    for (const NumbersById<std::uint32_t>& picture : open) {
      words.insert(words.end(), picture.values.begin(), picture.values.end());
    }
    words.insert(words.end(), hits.values.begin(), hits.values.end());
    return words;
  }
  /// Returns the dataset's name for the picture after `passes` passes.
  static std::string open_name(std::uint64_t passes) { return "open_" + std::to_string(passes); }
};

}  // namespace rivulet
