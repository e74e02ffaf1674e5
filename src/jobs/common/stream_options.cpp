// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/stream_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Maximum number of streams per family. 64-bit ids, and jumps of 2^128 steps between streams,
/// allow this many.
constexpr std::uint64_t max_streams = std::uint64_t{1} << 40;

std::vector<io::Binder::Choice<std::uint64_t>> generator_choices() {
  std::vector<io::Binder::Choice<std::uint64_t>> choices;
  for (const Generator* one : generators()) {
    choices.push_back({std::string(one->name), choices.size(),
                       fmt::format("{}; period {}", one->doc, one->period)});
  }
  return choices;
}

/// Returns the distinct descriptions of the generators' published seedings.
std::string published_seedings() {
  std::vector<std::string_view> all;
  for (const Generator* one : generators()) {
    if (!one->published.empty() && std::ranges::count(all, one->published) == 0) {
      all.push_back(one->published);
    }
  }
  return fmt::format("as in other programs: {}", fmt::join(all, "; "));
}

}  // namespace

std::uint64_t StreamOptions::default_index() {
  const auto found = std::ranges::find(generators(), default_generator, &Generator::name);
  return static_cast<std::uint64_t>(found - generators().begin());
}

io::SectionSchema StreamOptions::schema(io::Effect effect_of_range) {
  return {"streams",
          "The random streams.",
          [this, effect_of_range](io::Binder& binder) {
            binder.choice("generator", generator, generator_choices(), "generator of every stream");
            binder.integer("count", count, {1, max_streams},
                           "number of streams; another count gives other results", "streams",
                           effect_of_range);
            binder.integer("first", first, {0, max_streams - 1},
                           "id of the first stream; not 0 in later parts (`rivulet merge`)", "",
                           effect_of_range);
            binder.integer("of", family_streams, {0, max_streams},
                           "streams of all parts, which share the deck's work; auto: first + count",
                           "streams", io::Effect::result, io::Zero::means_auto);
            binder.file("parameters", parameters, io::FileUse::read_unless_word,
                        "twisters' parameter sets: shipped (512, dcmt521 and dcmt607), published "
                        "(32, dcmt521), or a file of `rivulet create`");
            binder.choice<Seeding>("seeding", seeding,
                                   {{"native", Seeding::native, "from (seed, stream id)"},
                                    {"published", Seeding::published, published_seedings()}},
                                   "how initial states are made");
            binder.integer("seed", seed, {0, std::numeric_limits<std::uint64_t>::max()},
                           "the run's seed");
            for (const GeneratorOption* option : generator_options()) {
              binder.integer(std::string(option->name), option_values.at(*option),
                             {option->least, option->most}, std::string(option->doc));
            }
            binder.choice<std::optional<StreamMapping>>(
                "mapping", requested_mapping,
                {{"auto", std::nullopt, "lane if the generator has it, else team"},
                 {"lane", StreamMapping::lane, "one stream per GPU thread or vector lane"},
                 {"team", StreamMapping::team,
                  "one stream or a few per warp (GPU), one per thread (CPU)"}},
                "how streams use hardware; does not affect the numbers", io::Effect::place);
            binder.integer("segments", segments, {0, std::uint64_t{1} << 30},
                           "parts of each stream, drawn side by side; does not affect the numbers; "
                           "auto: enough to keep the machine busy",
                           "", io::Effect::place, io::Zero::means_auto);
          },
          {io::RemovedKey{"mapping", "block",
                          "Use streams.mapping=team, which draws the same numbers."}}};
}

std::uint64_t StreamOptions::share_of(std::uint64_t total, StreamRange range) const {
  // The first total % family() streams have one item more than the others.
  const std::uint64_t longer = std::clamp(total % family(), range.first, range.first + range.count);
  return range.count * (total / family()) + longer - range.first;
}

void StreamOptions::require_family() const {
  if (first + count <= std::min(family(), max_streams)) return;
  const std::string last = fmt::format("the last would be stream {}", first + count - 1);
  if (family_streams == 0) {
    throw Error(fmt::format("streams.first={} with streams.count={}", first, count),
                fmt::format("{}, and there are {}", last, max_streams),
                "Lower streams.first or streams.count.");
  }
  throw Error(fmt::format("streams.first={} and streams.count={} with streams.of={}", first, count,
                          family_streams),
              fmt::format("{}, and all runs together have {} streams, numbered from 0", last,
                          family_streams),
              "Lower streams.count, or set streams.of to the streams of all runs together.");
}

void StreamOptions::require_whole(const std::string& what, const std::string& why) const {
  if (!is_part()) return;
  throw Error(
      fmt::format("{} with streams {} to {} of {}", what, first, first + count - 1, family()), why,
      "Omit streams.first and streams.of.");
}

StreamRange StreamOptions::range_on(const io::Communicator& ranks) const {
  const StreamRange local = rivulet::range_on(ranks, count);
  return {first + local.first, local.count};
}

void StreamOptions::require_streams_for(const io::Communicator& communicator) const {
  require_family();
  require_mapping(generator_facts(), mapping());
  const auto ranks = static_cast<std::uint64_t>(communicator.size());
  if (ranks <= count) return;
  throw Error(fmt::format("streams.count={} on {} MPI ranks", count, ranks),
              "a rank without a stream would have nothing to do",
              fmt::format("Start at most {} ranks, or raise streams.count.", count));
}

StreamRequest StreamOptions::request(std::uint64_t numbers_per_stream) const {
  return {.streams = family(),
          .seed = seed,
          .seeding = seeding,
          .numbers_per_stream = numbers_per_stream,
          .parameters = parameters,
          .options = option_values};
}

std::vector<std::string> StreamOptions::warnings(const StreamPlan& plan) const {
  const Generator& facts = generator_facts();
  std::vector<std::string> lines = plan.warnings();
  std::ranges::copy(ineffective_options(facts, request(1), "streams."), std::back_inserter(lines));
  constexpr std::uint64_t enough = 64;
  const std::uint64_t streams = family_streams == 0 ? count : family_streams;
  if (streams < enough && !facts.fails.empty()) {
    lines.push_back(fmt::format(
        "{} stream{} of {} may fail tests (one fails {}). Set streams.count={} or more, or "
        "streams.generator={}.",
        streams, streams == 1 ? "" : "s", facts.name, facts.fails, enough,
        default_sequence_generator));
  }
  return lines;
}

void write_streams(io::ResultsFile& file, const StreamOptions& options, const StreamPlan& plan,
                   StreamRange range) {
  const std::string where = "/streams";
  file.group(where, "The random streams of this run, and why no two of them overlap");
  file.attribute(where, "generator", options.generator_facts().name);
  file.attribute(where, "seeding", options.seeding == Seeding::native ? "native" : "published");
  file.attribute(where, "first", options.first);
  file.attribute(where, "count", options.count, "streams");
  file.attribute(where, "of", options.family(), "streams");
  for (const StreamFact& fact : plan.facts()) {
    std::visit([&](const auto& value) { file.attribute(where, fact.name, value, fact.unit); },
               fact.value);
  }
  for (const auto& [name, value] : plan.certificate()) {
    file.attribute(where, "disjoint: " + name, value);
  }
  if (const auto warnings = options.warnings(plan); !warnings.empty()) {
    file.attribute(where, "warnings", warnings);
  }
  std::vector<std::uint64_t> ids(range.count);
  std::iota(ids.begin(), ids.end(), range.first);
  const std::uint64_t row = range.first - options.first;
  file.dataset(where + "/id", ids, row, options.count, "global stream id");
  for (const StreamColumn& column : plan.columns(range)) {
    file.dataset(where + "/" + column.name, column.values, row, options.count, column.description,
                 column.unit);
  }
}

void report_streams(io::Report& report, const StreamOptions& options, const StreamPlan& plan) {
  report.details("Streams");
  if (options.is_part()) {
    report.result("streams", fmt::format("{} to {} of {}", options.first,
                                         options.first + options.count - 1, options.family()));
  }
  for (const auto& [name, value] : plan.certificate()) report.result(name, value);
  const std::vector<std::string> warnings = options.warnings(plan);
  if (report.quiet() && !warnings.empty()) report.section("Streams");  // quiet omits only details
  for (const std::string& warning : warnings) report.result("warning", warning);
}

}  // namespace rivulet
