// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests execution and memory spaces of the C++ library's streams. Launches must go to the given
// instance, and streams of several spaces must coexist.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kokkos_events.hpp"
#include "library_drawing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
template <class S>
struct DrawByTeams {
  S streams;
  NumberView<typename S::execution_space> to;
  std::uint64_t count;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto rng = streams.open(team);
    const auto all = to;
    const std::uint64_t first = static_cast<std::uint64_t>(team.league_rank()) * count;
    rng.each(team, count, [=](std::uint64_t i, std::uint64_t number) { all(first + i) = number; });
    streams.close(team, rng);
  }
};

/// Calls every function of Streams that launches kernels. The caller allocates the view.
template <class G>
void use_everything(const Exec& exec, const NumberView<Exec>& to, std::uint64_t count) {
  const Streams<G> streams(exec, with_sets<G>({.count = count, .first = 300}));
  streams.jump(exec, 1000);
  streams.restore(exec, streams.save(exec));
  streams.restart(exec);
  fill(exec, streams, to);
  const DiscreteTable<Exec> table(exec, std::vector<double>{1, 2, 3});
  if constexpr (detail::has_teams<detail::Family<G>>) {
    const DrawByTeams<Streams<G>> draw{streams, to, to.extent(0) / count};
    Kokkos::parallel_for("rivulet::test_teams", streams.team_policy(exec), draw);
  }
}

template <class G>
class LibraryInstances : public testing::Test {
 public:
  static constexpr std::uint64_t count = 20;

  /// Returns the kernels and fences of the generator's streams on an instance.
  static std::vector<KokkosEvent> events_on(const Exec& exec) {
    sets_of_exponent(1279);  // creates the sets before events are recorded
    const NumberView<Exec> to("rivulet::test", count * 10);
    Kokkos::fence();
    const KokkosEvents events;
    use_everything<G>(exec, to, count);
    return events.heard();
  }
};
TYPED_TEST_SUITE(LibraryInstances, TestedGenerators, NameOfLibraryGenerator);

TYPED_TEST(LibraryInstances, KernelsHaveLabels) {
  std::size_t rivulet_kernels = 0;
  for (const KokkosEvent& event : this->events_on(Exec())) {
    if (!event.is_kernel) continue;
    const bool is_kokkos = event.label.starts_with("Kokkos::");  // a deep copy
    if (!is_kokkos) ++rivulet_kernels;
    EXPECT_TRUE(is_kokkos || event.label.starts_with("rivulet::")) << event.label;
  }
  EXPECT_GE(rivulet_kernels, 3U) << "start, restart and jump";
}

/// True for fences, and for kernels that run on the host's threads even if the streams are on a
/// device.
bool is_host_work(const KokkosEvent& event) {
  return event.label == "rivulet::jump_polynomials" || event.label == "rivulet::irreducible" ||
         !event.is_kernel;
}

/// True if the fence is not the library's. CUDA and HIP wait for all streams when memory is
/// allocated or freed. If a tool is registered, Kokkos also fences all streams, under
/// its own label.
bool is_external_fence(const KokkosEvent& event) {
  return !event.is_kernel && (event.label.find("alloc") != std::string::npos ||
                              event.label.find("Profile Tool Fence") != std::string::npos);
}

template <class G>
void expect_all_on(const Exec& exec) {
  const std::uint32_t expected_instance = number_of_instance(exec);
  for (const KokkosEvent& event : LibraryInstances<G>::events_on(exec)) {
    const bool host_work = is_host_work(event) && event.instance == number_of_instance(Host());
    EXPECT_TRUE(event.instance == expected_instance || host_work || is_external_fence(event))
        << Streams<G>::name() << ": " << (event.is_kernel ? "kernel " : "fence ") << event.label
        << " on " << event.instance << ", not " << expected_instance;
  }
}

template <template <class...> class List, class... G>
void expect_all_on(const Exec& exec, List<G...>) {
  (expect_all_on<G>(exec), ...);
}

TEST(LibraryInstance, GetsEverything) {
  const Exec exec = another_instance(Exec());
  if (number_of_instance(exec) == number_of_instance(Exec())) {
    GTEST_SKIP() << Exec::name() << " has one instance in this Kokkos";
  }
  expect_all_on(exec, TestedGenerators{});
}

/// Expects that streams of two spaces yield the same numbers and continue from each other's saved
/// bytes.
template <class G, class There, class Memory>
void expect_same_in(const There& there) {
  const StreamsOptions options = with_sets<G>({.count = 30, .seed = 5, .first = 700, .sets = {}});
  const Streams<G> streams(Exec(), options);
  const Streams<G, There, Memory> others(there, options);
  static_assert(std::is_same_v<typename decltype(others)::execution_space, There>);
  static_assert(std::is_same_v<typename decltype(others)::memory_space, Memory>);
  EXPECT_EQ(streams.bytes(), others.bytes());
  EXPECT_TRUE(streams.save(Exec()) == others.save(there)) << "starts";
  EXPECT_TRUE(drawn(Exec(), streams, 701) == drawn(there, others, 701));
  streams.jump(Exec(), 99);
  others.jump(there, 99);
  const auto saved = streams.save(Exec());
  EXPECT_TRUE(saved == others.save(there)) << "after a jump";
  const NumberList next = drawn(Exec(), streams, 11);
  others.restart(there);
  others.restore(there, saved);
  EXPECT_TRUE(drawn(there, others, 11) == next);
  if constexpr (detail::has_teams<detail::Family<G>>) {
    others.restore(there, saved);
    const NumberView<There> to("rivulet::test", 30 * 11);
    Kokkos::fence();
    Kokkos::parallel_for("rivulet::test_teams", others.team_policy(there),
                         DrawByTeams<Streams<G, There, Memory>>{others, to, 11});
    there.fence();
    EXPECT_TRUE(host_copy(to) == next);
  }
}

TYPED_TEST(LibraryInstances, SerialStreamsBesideTheOthers) {
#ifdef KOKKOS_ENABLE_SERIAL
  expect_same_in<TypeParam, Kokkos::Serial, Kokkos::HostSpace>(Kokkos::Serial());
#else
  GTEST_SKIP() << "this Kokkos has no Serial";
#endif
}

TYPED_TEST(LibraryInstances, HostStreamsBesideTheOthers) {
  expect_same_in<TypeParam, Host, Kokkos::HostSpace>(Host());
}

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
TYPED_TEST(LibraryInstances, StreamsInMemoryThatTheHostShares) {
  expect_same_in<TypeParam, Exec, Kokkos::SharedHostPinnedSpace>(Exec());
}
#endif

}  // namespace
}  // namespace rivulet
