// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams in a program's own kernels, 100 numbers each: opened and closed (hybrid_tausworthe), or
// made in the kernel (philox4x32). Every number is a point of the pi test, as in Rivulet's fused
// kernel, whose rate is the one to compare with: its streams draw 2^14 numbers (on a device 2^16)
// before they go back to memory. Beside it a kernel written by hand that does what opening and
// closing must do at least. Usage: library_streams [REPETITIONS]. OMP_NUM_THREADS=1 for one core.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <rivulet/rivulet.hpp>
#include <string>
#include <vector>

#include "kernels/generators/generators.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "timing.hpp"

namespace rivulet {
namespace {

constexpr int numbers = 100;
constexpr std::uint64_t seed = 42;

using Threads = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Uses 16 + 16 bits: the sum overflows if the point is outside.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t inside(std::uint32_t word) {
  const std::uint32_t i = word >> 16;
  const std::uint32_t j = word & 0xffffu;
  const std::uint32_t s = i * (i + 1u);
  return s + j * (j + 1u) >= s ? 1 : 0;
}

/// Counts hits of an engine's next numbers. They are written only where a count is what none can
/// be, which no compiler knows.
struct Points {
  std::uint32_t impossible;
  Kokkos::View<std::uint32_t, Space> sink;

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rng& rng) const {
    std::uint32_t hits = 0;
    for (int i = 0; i < numbers; ++i) hits += inside(rng());
    if (hits == impossible) sink() = hits;
  }
};

/// The same in a loop of four numbers a turn, as many as Philox makes at once.
struct PointsByFours : Points {
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rng& rng) const {
    static_assert(numbers % 4 == 0);
    std::uint32_t hits = 0;
    for (int i = 0; i < numbers; i += 4) {
      hits += inside(rng());
      hits += inside(rng());
      hits += inside(rng());
      hits += inside(rng());
    }
    if (hits == impossible) sink() = hits;
  }
};

struct OpenedAndClosed {
  Streams<HybridTausworthe> streams;
  Points points;
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    auto rng = streams.open(stream);
    points(rng);
    streams.close(stream, rng);
  }
};

template <class Use>
struct MadeInKernel {
  Use points;
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    Stream<Philox4x32> rng(seed, stream);
    points(rng);
  }
};

template <class Use>
struct NamedByKey {
  Use points;
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    Stream<Philox4x32> rng(seed, StreamKey{1, 2, stream, 0});
    points(rng);
  }
};

template <class Use>
struct ChildOfOne {
  Use points;
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    auto rng = Stream<Philox4x32>(seed, 0).child(stream);
    points(rng);
  }
};

struct OpenedByPhilox {
  Streams<Philox4x32> streams;
  Points points;
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const { streams.with(stream, points); }
};

/// The four words of each state, on a device side by side, on a CPU together.
struct ByHand {
  Kokkos::View<std::uint32_t* [4], Space> states;
  Points points;

  struct Engine {
    std::uint32_t z1, z2, z3, z4;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
      z1 = ((z1 & 4294967294u) << 12) ^ (((z1 << 13) ^ z1) >> 19);
      z2 = ((z2 & 4294967288u) << 4) ^ (((z2 << 2) ^ z2) >> 25);
      z3 = ((z3 & 4294967280u) << 17) ^ (((z3 << 3) ^ z3) >> 11);
      z4 = 1664525u * z4 + 1013904223u;
      return z1 ^ z2 ^ z3 ^ z4;
    }
  };
  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    Engine rng{states(stream, 0), states(stream, 1), states(stream, 2), states(stream, 3)};
    points(rng);
    states(stream, 0) = rng.z1;
    states(stream, 1) = rng.z2;
    states(stream, 2) = rng.z3;
    states(stream, 3) = rng.z4;
  }
};

/// Points of the fused pi kernel, with as many streams and points as bench/generators/ takes.
class Fused {
 public:
  explicit Fused(const char* name) {
    const auto threads = static_cast<std::uint64_t>(Space().concurrency());
    streams_ = (device_build ? 2 : 1024) * threads;
    StreamRequest request;
    request.streams = streams_;
    plan_ = find_generator(name)->plan(request, io::Communicator::self());
    counter_ = make_pi_counter(Space(), *plan_, {0, streams_}, StreamMapping::lane, PiChoice{});
    counter_->restart();
    const std::uint64_t round = counter_->round_points();
    each_ = (std::uint64_t{1} << (device_build ? 16 : 14)) / round * round;
  }
  void operator()() const { counter_->count({{each_ * streams_, streams_}, 0, each_}); }
  double points() const { return static_cast<double>(each_ * streams_); }

 private:
  std::uint64_t streams_;
  std::uint64_t each_;
  std::unique_ptr<StreamPlan> plan_;
  std::unique_ptr<PiCounter> counter_;
};

/// Cases with how many numbers each draws.
struct Cases {
  std::vector<timing::Case> cases;
  std::vector<double> drawn;

  /// Launched so often, one after the other, that a launch's own time matters only where it must.
  template <class Body>
  void add(const std::string& name, std::uint64_t streams, const Body& body) {
    const int launches = device_build || streams < 100000 ? 100 : 1;
    cases.push_back({std::to_string(streams) + " " + name, [=] {
                       for (int i = 0; i < launches; ++i) {
                         Kokkos::parallel_for(name, Threads(0, streams), body);
                       }
                     }});
    drawn.push_back(static_cast<double>(streams) * numbers * launches);
  }
  void add(const std::string& name, const Fused& fused) {
    cases.push_back({name, [&fused] { fused(); }});
    drawn.push_back(fused.points());
  }
  double rate(std::size_t i) const { return drawn[i] / cases[i].median(); }

  /// Prints the rates of cases `first` .. end-1, and their ratios to the first one's.
  void print(std::size_t first, std::size_t end) const {
    std::printf("%-58s %12s %8s %16s\n", "", "G numbers/s", "/ fused", "us/100 numbers");
    for (std::size_t i = first; i < end; ++i) {
      std::printf("%-58s %12.4f %8.3f %16.4f\n", cases[i].name.c_str(), rate(i) / 1e9,
                  rate(i) / rate(first), 1e6 * numbers / rate(i));
    }
  }
};

void run(int repetitions) {
  const Points points{numbers + 1, Kokkos::View<std::uint32_t, Space>("sink")};
  const Fused fused_tausworthe("hybrid_tausworthe");
  const Fused fused_philox("philox4x32");
  constexpr std::uint64_t counts[] = {1, 32, 4096, 1000000};

  Cases all;
  all.add("fused kernel, hybrid_tausworthe", fused_tausworthe);
  for (const std::uint64_t count : counts) {
    const Kokkos::View<std::uint32_t* [4], Space> states("states", count);
    Kokkos::deep_copy(states, 123456789u);
    all.add("states by hand, hybrid_tausworthe", count, ByHand{states, points});
    all.add("streams opened and closed, hybrid_tausworthe", count,
            OpenedAndClosed{Streams<HybridTausworthe>({.count = count, .seed = seed}), points});
  }
  const std::size_t tausworthe_cases = all.cases.size();
  all.add("fused kernel, philox4x32", fused_philox);
  for (const std::uint64_t count : counts) {
    all.add("streams made in the kernel, philox4x32", count, MadeInKernel<Points>{points});
    all.add("streams made in the kernel, by fours", count, MadeInKernel<PointsByFours>{{points}});
    all.add("streams named by keys", count, NamedByKey<Points>{points});
    all.add("children of one stream", count, ChildOfOne<Points>{points});
    all.add("streams opened and closed, philox4x32", count,
            OpenedByPhilox{Streams<Philox4x32>({.count = count, .seed = seed}), points});
  }
  timing::measure(all.cases, repetitions);
  all.print(0, tausworthe_cases);
  all.print(tausworthe_cases, all.cases.size());
}

}  // namespace
}  // namespace rivulet

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  rivulet::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 9);
}
