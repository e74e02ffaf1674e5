// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/deck/schema.hpp"
#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "kernels/generators/generators.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/stream_defaults.hpp"

namespace rivulet {

/// This rank's range of ids 0 .. streams - 1 (of streams, or of other things with ids).
inline StreamRange range_on(const io::Communicator& ranks, std::uint64_t streams) {
  return stream_range(streams, static_cast<std::uint64_t>(ranks.rank()),
                      static_cast<std::uint64_t>(ranks.size()));
}

/// The deck's section `streams`, common to all jobs that draw numbers.
struct StreamOptions {
  /// Index into generators().
  std::uint64_t generator = default_index();
  std::uint64_t first = 0;  ///< global id of this run's first stream
  std::uint64_t count = 4096;
  std::uint64_t of = 0;  ///< streams of the whole family; 0: first + count
  std::string parameters = "shipped";
  Seeding seeding = Seeding::native;
  std::uint64_t seed = default_seed;
  OptionValues own = {};                            ///< generators' own options
  std::optional<StreamMapping> asked_mapping = {};  ///< nothing: the generator's first
  std::uint64_t segments = 0;                       ///< 0: as many as are fastest

  io::SectionSchema schema();
  const Generator& generator_facts() const { return *generators()[generator]; }
  StreamMapping mapping() const {
    return asked_mapping.value_or(generator_facts().mappings.front());
  }
  /// Numbers of the generator that make a 32-bit word.
  std::uint64_t numbers_per_word() const { return generator_facts().numbers_per_word(); }
  /// Streams of the family that this run's are some of: what amounts such as pi.points are split
  /// over.
  std::uint64_t family() const { return of == 0 ? first + count : of; }
  /// What this run's streams make of an amount that is split over the family.
  std::uint64_t part_of(std::uint64_t total) const { return part_of(total, {first, count}); }
  /// Likewise the streams of a range.
  std::uint64_t part_of(std::uint64_t total, StreamRange range) const;
  /// Whether other runs draw the rest.
  bool is_part() const { return count < family(); }
  /// Throws Error where the family has no such streams.
  void require_family() const;
  /// For what only all streams together can do, which `what` names, such as "fill.to=file": throws
  /// Error with the reason where this run's are not all.
  void require_whole(const std::string& what, const std::string& why) const;
  /// The global ids of a rank's streams.
  StreamRange range_on(const io::Communicator& ranks) const;
  /// Whether a parameter file has yet to be read, and proved, in the run.
  bool names_a_file() const { return generator_facts().reads_file(request(1)); }
  /// Throws Error if a rank would be without a stream, or the generator lacks the mapping.
  void require_streams_for(const io::Communicator& communicator) const;
  /// Collective. Throws Error where the streams cannot be kept apart. Each stream draws
  /// numbers_per_stream at most.
  std::unique_ptr<StreamPlan> plan(const io::Communicator& communicator,
                                   std::uint64_t numbers_per_stream) const {
    return generator_facts().plan(request(numbers_per_stream), communicator);
  }

 private:
  static std::uint64_t default_index();
  StreamRequest request(std::uint64_t numbers_per_stream) const;
};

/// Writes the group /streams: one row a stream of this run, and the certificate of disjointness,
/// which is that of the whole family. Collective.
void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range);

/// Tells which streams they are, the certificate, and what to be warned of.
void report_streams(io::Report& report, const StreamOptions& options, const StreamPlan& plan);

}  // namespace rivulet
