// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generators/generators.hpp"
#include "io/deck/schema.hpp"
#include "io/mpi/report.hpp"
#include "io/results/results_file.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"

namespace rivulet {

/// Returns this rank's range of the ids 0 .. `streams` - 1 (of streams or other items), which the
/// ranks share evenly.
inline StreamRange range_on(const io::Communicator& ranks, std::uint64_t streams) {
  return stream_range(streams, static_cast<std::uint64_t>(ranks.rank()),
                      static_cast<std::uint64_t>(ranks.size()));
}

/// The deck's section `streams`, which all jobs that draw numbers have.
struct StreamOptions {
  std::uint64_t generator = default_index();
  std::uint64_t first = 0;  ///< global id of this run's first stream
  std::uint64_t count = 4096;
  std::uint64_t family_streams = 0;  ///< streams of the family; 0: `first` + `count`
  std::string parameters = "shipped";
  Seeding seeding = Seeding::native;
  std::uint64_t seed = default_seed;
  OptionValues option_values = {};                      ///< options that only some generators have
  std::optional<StreamMapping> requested_mapping = {};  ///< nullopt: the generator's first mapping
  std::uint64_t segments = 0;  ///< segments per stream; 0: the fastest number

  /// `effect_of_range`: effect of the keys `count` and `first`. With Effect::id, the parts of a
  /// merge may have different streams. Jobs that are not divided by streams pass another effect.
  io::SectionSchema schema(io::Effect effect_of_range = io::Effect::id);
  const Generator& generator_facts() const { return *generators()[generator]; }
  StreamMapping mapping() const {
    return requested_mapping.value_or(generator_facts().mappings.front());
  }
  /// Returns the generator's numbers per 32-bit word.
  std::uint64_t numbers_per_word() const { return generator_facts().numbers_per_word(); }
  /// Returns the number of streams in the family to which this run's streams belong. Amounts such
  /// as pi.points are divided among the whole family.
  std::uint64_t family() const { return family_streams == 0 ? first + count : family_streams; }
  /// Returns this run's part of `total` items that are divided among the family's streams.
  std::uint64_t share_of(std::uint64_t total) const { return share_of(total, {first, count}); }
  /// Returns the part of the streams `range` (global ids) in the same division.
  std::uint64_t share_of(std::uint64_t total, StreamRange range) const;
  /// True if this run's streams are not the whole family.
  bool is_part() const { return count < family(); }
  /// Throws Error if the family does not contain the run's streams.
  void require_family() const;
  /// Throws Error, with the reason `why`, if this run's streams are not the whole family. `what`:
  /// the setting that needs the whole family, such as "fill.to=file".
  void require_whole(const std::string& what, const std::string& why) const;
  StreamRange range_on(const io::Communicator& ranks) const;
  /// True if the run must read and prove a parameter file.
  bool names_a_file() const { return generator_facts().reads_file(request(1)); }
  /// Throws Error if the family does not contain the run's streams, if the generator lacks the
  /// mapping, or if a rank would have no stream.
  void require_streams_for(const io::Communicator& communicator) const;
  /// Plans streams of at most numbers_per_stream numbers each. Throws Error if the streams could
  /// overlap. Collective.
  std::unique_ptr<StreamPlan> plan(const io::Communicator& communicator,
                                   std::uint64_t numbers_per_stream) const {
    return generator_facts().plan(request(numbers_per_stream), communicator);
  }
  /// Returns the plan's warnings and a warning for each key without effect. If the streams are so
  /// few that they may fail tests, adds a warning about these tests.
  std::vector<std::string> warnings(const StreamPlan& plan) const;

 private:
  static std::uint64_t default_index();
  StreamRequest request(std::uint64_t numbers_per_stream) const;
};

/// Writes the group /streams: datasets with one row per stream of this run, and the certificate
/// that the whole family's streams are disjoint. Collective.
void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range);

void report_streams(io::Report& report, const StreamOptions& options, const StreamPlan& plan);

}  // namespace rivulet
