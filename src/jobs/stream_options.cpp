// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/stream_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "error.hpp"
#include "kernels/seed_streams.hpp"
#include "parameters/creator.hpp"

namespace rivulet {
namespace {

std::vector<io::Binder::Choice<std::uint64_t>> generator_choices() {
  std::vector<io::Binder::Choice<std::uint64_t>> choices;
  for (const Generator& one : generators) {
    choices.push_back({std::string(one.name), choices.size(),
                       fmt::format("Mersenne Twister of period 2^{} - 1, {} words of state",
                                   one.exponent, one.state_words)});
  }
  return choices;
}

}  // namespace

io::SectionSchema StreamOptions::schema() {
  return {"streams", "The random streams: who draws what.", [this](io::Binder& binder) {
            binder.choice("generator", generator, generator_choices(), "generator of every stream");
            binder.integer("count", count, {1, std::uint64_t{1} << 40},
                           "number of streams; results depend on it, but on no other layout",
                           "streams");
            binder.text("parameters", parameters,
                        "parameter sets: shipped (512, dcmt521 and dcmt607), published (32, "
                        "dcmt521), or a file made by `rivulet create`");
            binder.choice<Seeding>(
                "seeding", seeding,
                {{"native", Seeding::native, "init_by_array of (seed, stream id)"},
                 {"published", Seeding::published, "init_genrand(0x33ff * stream id)"}},
                "how a set's first state is made");
            binder.integer("seed", seed, {0, std::numeric_limits<std::uint64_t>::max()},
                           "the run's seed (not used by published seeding)");
            binder.integer("log2_jump", log2_jump, {64, 2202},
                           "streams on the same set start 2^this steps apart; less than the "
                           "generator's exponent");
            binder.choice<StreamMapping>(
                "mapping", mapping,
                {{"lane", StreamMapping::lane, "a stream to a GPU thread or vector lane"},
                 {"team", StreamMapping::team, "a stream to a team of threads"}},
                "how streams meet the hardware; the numbers are the same");
          }};
}

void StreamOptions::require_streams_for(const io::Communicator& communicator) const {
  const auto ranks = static_cast<std::uint64_t>(communicator.size());
  if (ranks <= count) return;
  throw Error(fmt::format("streams.count={} on {} MPI ranks", count, ranks),
              "a rank without a stream would have nothing to do",
              "Start no more ranks than streams, or raise streams.count.");
}

void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   const DcmtSets& sets, StreamBlock block) {
  const std::string where = "/streams";
  file.group(where, "The random streams of this run, and why no two of them overlap");
  file.attribute(where, "generator", options.engine().name);
  file.attribute(where, "seeding", options.seeding == Seeding::native ? "native" : "published");
  file.attribute(where, "run_seed", options.seed);
  file.attribute(where, "log2_jump", options.log2_jump, "log2 of steps");
  file.attribute(where, "parameters_digest", digest(sets));
  for (const auto& [name, value] : plan.certificate()) {
    file.attribute(where, "disjoint: " + name, value);
  }
  std::vector<std::uint64_t> ids(block.count);
  std::vector<std::uint64_t> seeds(block.count);
  std::vector<std::uint64_t> jumps(block.count);
  std::vector<std::uint32_t> set_ids(block.count);
  for (std::uint64_t i = 0; i < block.count; ++i) {
    const std::uint64_t id = block.first + i;
    ids[i] = id;
    set_ids[i] = sets.sets[plan.set_of(id)].id;
    seeds[i] = options.seeding == Seeding::native
                   ? plan.seeded_stream(id)
                   : published_seed_factor * static_cast<std::uint32_t>(plan.seeded_stream(id));
    jumps[i] = plan.jump_of(id);
  }
  const std::uint64_t total = plan.streams();
  file.dataset(where + "/id", ids, block.first, total, "global stream id");
  file.dataset(where + "/parameter_set", set_ids, block.first, total, "id of the parameter set");
  file.dataset(where + "/seed", seeds, block.first, total,
               options.seeding == Seeding::native
                   ? "stream id that, with run_seed, keys init_by_array"
                   : "argument of init_genrand");
  file.dataset(where + "/jump", jumps, block.first, total, "start, after the seeded state",
               "2^log2_jump steps");
}

}  // namespace rivulet
