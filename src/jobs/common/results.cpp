// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/results.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <sstream>

#include "build.hpp"
#include "io/files/sha256.hpp"
#include "io/mpi/node.hpp"
#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"
#include "kokkos_compat.hpp"
#include "rivulet/version.hpp"

namespace rivulet {

Machine machine() {
  const int version = KOKKOS_VERSION;  // major * 10000 + minor * 100 + patch
  return {Space::name(), static_cast<std::uint64_t>(Space().concurrency()),
          fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100)};
}

void write_config(io::ResultsFile& file, const JobContext& context) {
  const std::string where = "/config";
  const Machine here = machine();
  std::ostringstream kokkos;
  Kokkos::print_configuration(kokkos);
  file.group(where, "How this run was made; the deck, run again, repeats it");
  file.text(where + "/deck", io::printable(context.resolved_deck), "resolved deck (YAML)");
  file.text(where + "/kokkos", kokkos.str(), "Kokkos::print_configuration");
  file.attribute(where, "version", version);
  file.attribute(where, "git_hash", git_hash);
  file.attribute(where, "compiler", compiler);
  file.attribute(where, "build_type", build_type);
  file.attribute(where, "kokkos_version", here.kokkos_version);
  file.attribute(where, "backend", here.backend);
  file.attribute(where, "threads", here.threads, "threads per rank");
  file.attribute(where, "ranks", static_cast<std::uint64_t>(context.communicator.size()));
  file.lines(where + "/hosts", context.communicator.gather(io::host_name()), "host of each rank");
  file.attribute(where, "written", io::utc_now());
}

void complete(JobContext& context, const Ending& end, std::optional<io::ResultsFile>& opened) {
  context.timer.add(io::Phase::total, end.seconds);
  if (!opened) return;
  io::ResultsFile& file = *opened;
  file.attribute("/", "digest", end.digest);
  file.group("/timing", "Wall-clock seconds by phase, one value per rank");
  const auto rank = static_cast<std::uint64_t>(context.communicator.rank());
  const auto ranks = static_cast<std::uint64_t>(context.communicator.size());
  for (std::size_t phase = 0; phase < io::phase_names.size(); ++phase) {
    const std::vector<double> seconds{context.timer.seconds(static_cast<io::Phase>(phase))};
    file.dataset("/timing/" + std::string(io::phase_names[phase]), seconds, rank, ranks, "", "s");
  }
  file.attribute("/timing", "figure_of_merit", end.figure_of_merit, end.unit);
  file.commit();
}

void end_report(JobContext& context, const Ending& end, const std::string& file) {
  context.report.timings(context.timer);
  if (!context.output.empty()) context.report.result(file, context.output);
  context.report.details("Deck");
  context.report.text(context.resolved_deck);
  context.report.finish(end.figure_of_merit, end.unit, end.digest,
                        context.expected.remark(end.digest));
  const int status = context.expected.status_of(end.digest, context.communicator);
  if (status != 0) context.status = status;
}

void require_same(const io::Communicator& communicator, const std::string& digest,
                  const std::string& first, const std::string& what) {
  if (digest == first) return;
  communicator.together([&] {
    throw Error(
        fmt::format("an iteration {} than the first", what),
        "the same streams must give the same results, so this machine or build gives wrong results",
        "Test the memory and the compiler; do not trust this run.");
  });
}

std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local) {
  io::Sha256 sha;
  communicator.stream_to_root(std::as_bytes(local),
                              [&sha](std::span<const std::byte> piece) { sha.update(piece); });
  return communicator.broadcast(sha.hex());
}

}  // namespace rivulet
