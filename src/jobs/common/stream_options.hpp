// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/report.hpp"
#include "io/results_file.hpp"
#include "io/schema.hpp"
#include "kernels/generators/generators.hpp"
#include "streams/stream_defaults.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// The deck's section `streams`, common to all jobs that draw numbers.
struct StreamOptions {
  /// Index into generators().
  std::uint64_t generator = default_index();
  std::uint64_t count = 4096;
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

/// Writes the group /streams: one row a stream, and the certificate of disjointness. Collective.
void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range);

/// Tells the certificate, and what to be warned of.
void report_streams(io::Report& report, const StreamPlan& plan);

}  // namespace rivulet
