// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/stream_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

std::vector<io::Binder::Choice<std::uint64_t>> generator_choices() {
  std::vector<io::Binder::Choice<std::uint64_t>> choices;
  for (const Generator* one : generators()) {
    choices.push_back({std::string(one->name), choices.size(),
                       fmt::format("{}; period {}", one->doc, one->period)});
  }
  return choices;
}

/// What published seeding is, of every kind of generator that has it.
std::string published_seedings() {
  std::vector<std::string_view> all;
  for (const Generator* one : generators()) {
    if (!one->published.empty() && std::ranges::count(all, one->published) == 0) {
      all.push_back(one->published);
    }
  }
  return fmt::format("as in the programs reproduced: {}", fmt::join(all, ", "));
}

}  // namespace

std::uint64_t StreamOptions::default_index() {
  const auto found = std::ranges::find(generators(), default_generator, &Generator::name);
  return static_cast<std::uint64_t>(found - generators().begin());
}

io::SectionSchema StreamOptions::schema() {
  return {
      "streams", "The random streams.", [this](io::Binder& binder) {
        binder.choice("generator", generator, generator_choices(), "generator of every stream");
        binder.integer(
            "count", count, {1, std::uint64_t{1} << 40},
            "number of streams; results depend on it, but not on ranks, threads or mapping",
            "streams");
        binder.file("parameters", parameters, io::FileUse::read_unless_word,
                    "twisters' parameter sets: shipped (512, dcmt521 and dcmt607), published "
                    "(32, dcmt521), or a file made by `rivulet create`");
        binder.choice<Seeding>("seeding", seeding,
                               {{"native", Seeding::native, "from (seed, stream id)"},
                                {"published", Seeding::published, published_seedings()}},
                               "how initial states are made");
        binder.integer("seed", seed, {0, std::numeric_limits<std::uint64_t>::max()},
                       "the run's seed (published seeding uses it only where stated)");
        for (const GeneratorOption* option : generator_options()) {
          binder.integer(std::string(option->name), own.at(*option), {option->least, option->most},
                         std::string(option->doc));
        }
        binder.choice<std::optional<StreamMapping>>(
            "mapping", asked_mapping,
            {{"auto", std::nullopt, "lane where the generator supports it, else team"},
             {"lane", StreamMapping::lane, "one stream per GPU thread or vector lane"},
             {"team", StreamMapping::team,
              "one stream or a few per warp (GPU), one per thread (CPU)"},
             {"block", StreamMapping::block, "one stream per thread block (GPU) or thread (CPU)"}},
            "how streams are assigned to hardware; does not affect the numbers");
        binder.integer("segments", segments, {0, std::uint64_t{1} << 30},
                       "parts of each stream that are drawn side by side; does not affect the "
                       "numbers; auto: as many as keep the machine busy",
                       "", io::Zero::means_auto);
      }};
}

void StreamOptions::require_streams_for(const io::Communicator& communicator) const {
  require_mapping(generator_facts(), mapping());
  const auto ranks = static_cast<std::uint64_t>(communicator.size());
  if (ranks <= count) return;
  throw Error(fmt::format("streams.count={} on {} MPI ranks", count, ranks),
              "a rank without a stream would have nothing to do",
              "Start no more ranks than streams, or raise streams.count.");
}

StreamRequest StreamOptions::request(std::uint64_t numbers_per_stream) const {
  return {.streams = count,
          .seed = seed,
          .seeding = seeding,
          .numbers_per_stream = numbers_per_stream,
          .parameters = parameters,
          .options = own};
}

void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range) {
  const std::string where = "/streams";
  file.group(where, "The random streams of this run, and why no two of them overlap");
  file.attribute(where, "generator", options.generator_facts().name);
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
