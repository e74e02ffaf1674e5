// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/results_file.hpp"
#include "io/schema.hpp"
#include "kernels/for_each_stream.hpp"
#include "parameters/dcmt_set.hpp"
#include "rng/generators.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// The deck's section `streams`, common to all jobs that draw numbers.
struct StreamOptions {
  std::uint64_t generator = 0;  ///< index into the list of engines
  std::uint64_t count = 4096;
  std::string parameters = "shipped";
  Seeding seeding = Seeding::native;
  std::uint64_t seed = 20261120;
  std::uint64_t log2_jump = 200;
  StreamMapping mapping = StreamMapping::lane;

  io::SectionSchema schema();
  const Generator& engine() const { return generators[generator]; }
  bool names_a_file() const { return parameters != "shipped" && parameters != "published"; }
  StreamRequest request(std::uint64_t words_per_stream) const {
    return {count, seed, seeding, log2_jump, words_per_stream};
  }
  /// Throws Error if a rank would be without a stream.
  void require_streams_for(const io::Communicator& communicator) const;
};

/// Writes the group /streams: one row a stream, and the certificate of disjointness. Collective.
void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   const DcmtSets& sets, StreamBlock block);

}  // namespace rivulet
