// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/generators/mt19937_jump.hpp"
#include "kernels/generators/mt19937_streams.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/kept_jumps.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"
#include "streams/sets_plan.hpp"

namespace rivulet {

/// Where each stream starts: one set, and so one cycle, of all states but zero, stream s as many
/// steps as starts() says after the state made of the run's seed. Native: by init_by_array.
/// Published: by init_genrand, so that stream 0 is std::mt19937(seed) and, but for seed 0, ROOT's
/// TRandom3(seed). The constructor throws Error where the published seeding has no such seed.
class Mt19937Plan final : public SetsPlan {
 public:
  using Recurrence = Mt19937Recurrence;

  explicit Mt19937Plan(const StreamRequest& request) : SetsPlan(request) {
    if (is_native() || request.seed <= 0xffffffffu) return;
    throw Error(fmt::format("streams.seed={} does not fit", request.seed),
                "the published seeding of mt19937, init_genrand, takes 32 bits",
                "Choose from 0 to 4294967295, or set streams.seeding=native.");
  }

  std::uint64_t sets() const override { return 1; }
  IrregularStarts starts() const override { return detail::mt19937_starts; }
  int degree() const override { return Recurrence::p; }
  Gf2Polynomial polynomial(std::uint64_t) const override { return detail::mt19937_polynomial(); }
  std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t, std::uint64_t most) const override {
    return detail::mt19937_jumps(most);
  }

  /// The state that stream 0 starts from, x_0 .. x_{n-1}.
  std::array<std::uint32_t, Recurrence::n> first_state() const {
    if (is_native()) return native_mt19937_start(request().seed);
    std::array<std::uint32_t, Recurrence::n> x{};
    init_genrand(x.data(), Recurrence::n, static_cast<std::uint32_t>(request().seed));
    return x;
  }

  std::vector<std::pair<std::string, std::string>> certificate() const override {
    return {{"method", "jump-ahead on the one cycle of all states but zero"},
            {"period",
             "2^19937 - 1, a prime: the minimal polynomial of that degree is irreducible, and so "
             "primitive"},
            {"distance", fmt::format("irregular, at least 2^{} steps between the starts of any two",
                                     starts().log2_distance())},
            {"proved",
             fmt::format("{} * 2^{} is less than the period, and no stream draws more than {} "
                         "numbers, which is less than 2^{}: no two meet",
                         streams(), starts().log2_room(), request().numbers_per_stream,
                         starts().log2_distance())}};
  }
  std::vector<StreamFact> facts() const override {
    return {{"run_seed", request().seed},
            {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
  }
  /// The id says it all.
  std::vector<StreamColumn> columns(StreamRange) const override { return {}; }

 private:
  bool is_native() const { return request().seeding == Seeding::native; }
};

namespace detail {

/// Gives streams the same state, from local index `first` on: word i % n of stream i / n.
struct SeedMt19937 {
  Mt19937Streams streams;
  std::uint64_t first;
  Kokkos::View<const std::uint32_t*, Space> state;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    constexpr auto n = static_cast<std::uint64_t>(Mt19937Streams::words);
    streams.put_word(static_cast<int>(i % n), first + i / n, state(i % n));
  }
};

}  // namespace detail

struct Mt19937Kernels {
  static void seed(const Space& space, const Mt19937Streams& streams, const Mt19937Plan& plan,
                   std::uint64_t first, std::uint64_t count) {
    const auto words = plan.first_state();
    const Kokkos::View<std::uint32_t*, Space> state(
        Kokkos::view_alloc("rivulet::mt19937_state", Kokkos::WithoutInitializing), words.size());
    copy_to_device(state.data(), words.data(), sizeof words);
    for_each_stream(space, "rivulet::seed_mt19937", count * words.size(),
                    detail::SeedMt19937{streams, first, state});
  }
  static void jump(const Space& space, const Mt19937Streams& streams, const JumpTable& table,
                   const detail::JumpRange& range) {
    detail::apply_mt19937_jump(space, streams, table, range);
  }
  static void scatter(const Space& space, const Mt19937Streams& streams,
                      const detail::StreamIndices& indices) {
    for_each_stream(space, "rivulet::scatter_streams", streams.count(),
                    detail::ScatterByThread<Mt19937Streams>{streams, indices});
  }
};

using Mt19937Starter = SetsStarter<Mt19937Streams, Mt19937Kernels>;

/// The Mersenne Twister that everybody compares with.
struct Mt19937Generator {
  using Plan = Mt19937Plan;
  using Streams = Mt19937Streams;
  using Starter = Mt19937Starter;
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published =
        "mt19937 init_genrand(seed), as std::mt19937 and, of seeds but 0, ROOT's TRandom3";
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return detail::mt19937_starts.log2_distance();
    };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
