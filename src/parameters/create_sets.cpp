// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "parameters/creator.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Throws Error unless Kokkos runs: sets are created and proved on its host threads.
void require_kokkos(const std::string& action) {
  if (Kokkos::is_initialized()) return;
  throw Error("parameter sets cannot be " + action, "Kokkos is not running",
              "Call this between Kokkos::initialize and Kokkos::finalize.");
}

void require_ids(std::uint64_t first_id, std::uint64_t count) {
  if (count == 0) {
    throw Error("no parameter sets were asked for", "count is 0", "Ask for one or more.");
  }
  if (first_id >= dcmt_id_limit || count > dcmt_id_limit - first_id) {
    throw Error(std::to_string(count) + " parameter sets from id " + std::to_string(first_id) +
                    " on do not exist",
                "an id is 16 bits of the twist coefficient, 0 to 65535",
                "Lower the first id or the count.");
  }
}

}  // namespace

DcmtSets create_dcmt_sets(int p, std::uint64_t first_id, std::uint64_t count, std::uint64_t seed) {
  static_cast<void>(offered_dcmt_shape(p));
  require_ids(first_id, count);
  require_kokkos("made");
  DcmtSets sets{p, "created", std::vector<DcmtSet>(count)};
  for_each_on_host("rivulet::create_sets", count, [&](std::size_t i) {
    sets.sets[i] = create_dcmt_set(p, static_cast<std::uint32_t>(first_id + i), seed);
  });
  return sets;
}

DcmtSets read_dcmt_sets(const std::string& file) {
  require_kokkos("read");
  return read_parameter_file(io::Communicator::self(), file);
}

}  // namespace rivulet
