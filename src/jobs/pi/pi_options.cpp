// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_options.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t most_points = 1000000000000000;  // 10^15

}  // namespace

io::Schema PiOptions::schema() {
  const auto bind_pi = [this](io::Binder& binder) {
    binder.integer("points", points, {2, most_points}, "points thrown at the unit square",
                   "points");
    binder.choice<PiKernel>("kernel", choice.kernel,
                            {{"fused", PiKernel::fused, "generate and count in one kernel"},
                             {"stored", PiKernel::stored, "generate into memory, then count"}},
                            "how numbers get from the generator to the test");
    binder.choice<PointMapping>(
        "mapping", choice.mapping,
        {{"centred", PointMapping::centred, "coordinates are cell centres, (i + 1/2) / 2^bits"},
         {"published", PointMapping::published,
          "the single-precision arithmetic of the published programs, bias included"}},
        "how integers become coordinates");
    binder.choice<PointKind>("point", choice.point,
                             {{"packed", PointKind::packed, "16 + 16 bits of one word"},
                              {"pair", PointKind::pair, "two words of 32 bits"}},
                             "what a point is made of");
    binder.integer("batches", batches, {1, 100000},
                   "number of pieces; the running estimate is recorded after each");
    binder.integer("iterations", iterations, {1, 1000000},
                   "repeats of the whole count from the same streams, for timing; all must agree");
    binder.bytes(
        "memory", choice.memory, {0, std::uint64_t{1} << 50},
        "caps the stored kernel's buffer of words per rank; auto: what stays in cache (CPU) or "
        "4 GiB (GPU)",
        io::Zero::means_auto);
  };
  return {"pi",
          "Monte Carlo estimate of pi: points in a quarter circle, counted exactly.",
          {streams.schema(),
           {"pi", "The integration.", bind_pi},
           checkpoint.schema(),
           output.schema()}};
}

}  // namespace rivulet
