// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/stream_options.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "error.hpp"
#include "parameters/parameter_file.hpp"

namespace rivulet {
namespace {

std::vector<io::Binder::Choice<std::uint64_t>> generator_choices() {
  std::vector<io::Binder::Choice<std::uint64_t>> choices;
  for (const Generator& one : generators) {
    choices.push_back(
        {std::string(one.name), choices.size(), fmt::format("{}; period {}", one.doc, one.period)});
  }
  return choices;
}

}  // namespace

io::SectionSchema StreamOptions::schema() {
  return {
      "streams", "The random streams: who draws what.", [this](io::Binder& binder) {
        binder.choice("generator", generator, generator_choices(), "generator of every stream");
        binder.integer("count", count, {1, std::uint64_t{1} << 40},
                       "number of streams; results depend on it, but on no other layout",
                       "streams");
        binder.text("parameters", parameters,
                    "twisters' parameter sets: shipped (512, dcmt521 and dcmt607), published "
                    "(32, dcmt521), or a file made by `rivulet create`");
        binder.choice<Seeding>(
            "seeding", seeding,
            {{"native", Seeding::native, "from (seed, stream id)"},
             {"published", Seeding::published,
              "as the programs that are reproduced: twisters init_genrand(0x33ff * stream id), "
              "RANMAR (ij, kl) for stream 0 and the pairs that follow it, Tausworthe generators "
              "1099087573 * stream id"}},
            "how first states are made");
        binder.integer("seed", seed, {0, std::numeric_limits<std::uint64_t>::max()},
                       "the run's seed (not used by published seeding)");
        binder.integer("log2_jump", log2_jump, {64, 2201},
                       "twisters on the same parameter set start at least 2^this steps apart; at "
                       "most the generator's exponent less 2");
        binder.integer("ij", ij, {0, 31328}, "RANMAR, published seeding: first seed of stream 0");
        binder.integer("kl", kl, {0, 30081},
                       "RANMAR, published seeding: second seed of stream 0; the next streams "
                       "count up, wrapping into ij");
        binder.choice<StreamMapping>(
            "mapping", mapping,
            {{"lane", StreamMapping::lane, "a stream to a GPU thread or vector lane"},
             {"team", StreamMapping::team,
              "a stream to the lanes of a warp, or a thread (not Tausworthe generators)"}},
            "how streams meet the hardware; the numbers are the same");
      }};
}

void StreamOptions::require_streams_for(const io::Communicator& communicator) const {
  if (mapping == StreamMapping::team && !engine().has_team) {
    throw Error(fmt::format("streams.mapping=team with streams.generator={}", engine().name),
                "its steps are too short for several lanes to share one",
                "Set streams.mapping=lane.");
  }
  const auto ranks = static_cast<std::uint64_t>(communicator.size());
  if (ranks <= count) return;
  throw Error(fmt::format("streams.count={} on {} MPI ranks", count, ranks),
              "a rank without a stream would have nothing to do",
              "Start no more ranks than streams, or raise streams.count.");
}

std::unique_ptr<StreamPlan> StreamOptions::plan(const io::Communicator& communicator,
                                                std::uint64_t numbers_per_stream) const {
  DcmtSets sets;
  if (engine().family == GeneratorFamily::dcmt) {
    sets = load_dcmt_sets(communicator, parameters, engine().exponent);
  }
  return make_stream_plan(engine(), {count, seed, seeding, numbers_per_stream, log2_jump, ij, kl},
                          std::move(sets));
}

void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range) {
  const std::string where = "/streams";
  file.group(where, "The random streams of this run, and why no two of them overlap");
  file.attribute(where, "generator", options.engine().name);
  file.attribute(where, "seeding", options.seeding == Seeding::native ? "native" : "published");
  for (const StreamFact& fact : plan.facts()) {
    std::visit([&](const auto& value) { file.attribute(where, fact.name, value, fact.unit); },
               fact.value);
  }
  for (const auto& [name, value] : plan.certificate()) {
    file.attribute(where, "disjoint: " + name, value);
  }
  if (const auto warnings = plan.warnings(); !warnings.empty()) {
    file.attribute(where, "warnings", warnings);
  }
  std::vector<std::uint64_t> ids(range.count);
  std::iota(ids.begin(), ids.end(), range.first);
  file.dataset(where + "/id", ids, range.first, plan.streams(), "global stream id");
  for (const StreamColumn& column : plan.columns(range)) {
    file.dataset(where + "/" + column.name, column.values, range.first, plan.streams(),
                 column.description, column.unit);
  }
}

void report_streams(io::Report& report, const StreamPlan& plan) {
  report.section("Streams");
  for (const auto& [name, value] : plan.certificate()) report.result(name, value);
  for (const std::string& warning : plan.warnings()) report.result("warning", warning);
}

}  // namespace rivulet
