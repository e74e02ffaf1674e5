// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet::detail {

/// Launches what starts and moves the library's streams.
template <class Exec>
struct ExecLaunch {
  using Word = std::uint32_t;
  static constexpr bool on_device = !is_host<Exec>;

  Exec exec;

  template <class Body>
  void each(const char* label, std::uint64_t count, const Body& body) const {
    Kokkos::parallel_for(label, StreamRange64<Exec>(exec, 0, count), body);
  }
  template <class Body>
  void groups(const char* label, std::uint64_t count, const Body& body) const {
    each(label, count, body);
  }

  template <class Body>
  struct ByTeam {
    using Scratch = Kokkos::View<std::uint32_t*, typename Exec::scratch_memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    static constexpr std::size_t words = Body::scratch_bytes / sizeof(std::uint32_t);
    Body body;
    template <class Team>
    KOKKOS_FUNCTION void operator()(const Team& team) const {
      const Scratch scratch(team.team_scratch(0), words);
      body(team, static_cast<std::uint64_t>(team.league_rank()), scratch.data());
    }
  };
  template <class Body>
  void teams(const char* label, std::uint64_t count, const Body& body) const {
    using Kernel = ByTeam<Body>;
    Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(count), Body::threads);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(static_cast<int>(Kernel::Scratch::shmem_size(Kernel::words))));
    Kokkos::parallel_for(label, policy, Kernel{body});
  }

  template <class T>
  auto uploaded(const std::string& label, const std::vector<T>& values) const {
    return detail::uploaded<typename Exec::memory_space>(exec, label, values);
  }
};

/// The states of the library's streams as starts and jumps see them.
template <class Store, class Shared, class Recurrence>
struct StoredStates {
  using Step = StepOf<Recurrence>;
  using Memory = RingMemory<Recurrence>;
  static constexpr int n = Recurrence::n;

  Store store;
  Shared shared;
  std::uint64_t first;  ///< number of the first stream

  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t stream(std::uint64_t index) { return index; }
  KOKKOS_FORCEINLINE_FUNCTION Step step(std::uint64_t stream) const {
    return step_of(shared.recurrence(first + stream));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int k, std::uint64_t stream) const {
    const auto slot = store.slot(stream);
    const auto oldest = static_cast<int>(slot[Memory::place]);
    RIVULET_ASSERT(oldest != n, "A stream was moved that is open: close it first.");
    return slot[oldest + k < n ? oldest + k : oldest + k - n];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& rest(int k, std::uint64_t stream) const {
    return store.slot(stream)[k];
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, std::uint64_t stream, std::uint32_t word) const {
    const auto slot = store.slot(stream);
    slot[k] = k == 0 ? word & Step::first_mask : word;
    if (k == 0) slot[Memory::place] = 0;
  }
};

/// What families of twisters have in common. Family<G>::plan(shared, options): who draws what.
template <class G, class R>
struct TwisterFamily : RingFamily<R> {
  template <class Store, class Shared>
  struct Scatter {
    Store store;
    Shared shared;
    std::uint64_t first;
    std::uint64_t sets;
    KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
      const std::uint64_t id = first + stream;
      RingFamily<R>::scatter(shared.recurrence(id), store.slot(stream), id / sets);
    }
  };

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared& shared,
                    const StreamsOptions& options) {
    if (options.count == 0) return;
    const auto plan = Family<G>::plan(shared, options);
    const StreamRange range{options.first, options.count};
    start_streams(ExecLaunch<Exec>{exec}, plan, range,
                  range_jumps(host_instance(exec), plan, range),
                  StoredStates<Store, Shared, R>{store, shared, options.first});
    Kokkos::parallel_for("rivulet::scatter_streams", StreamRange64<Exec>(exec, 0, store.count()),
                         Scatter<Store, Shared>{store, shared, options.first, plan.sets()});
    exec.fence();
  }

  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions& options, Uint128 numbers) {
    const auto plan = Family<G>::plan(shared, options);
    require_jump(numbers, plan.starts().log2_distance() - 1, Family<G>::name);
    const StreamRange range{options.first, options.count};
    jump_streams(ExecLaunch<Exec>{exec}, StoredStates<Store, Shared, R>{store, shared, range.first},
                 common_jump(host_instance(exec), plan, range, numbers),
                 JumpRange::all_of(0, range.count));
    exec.fence();
  }

  template <class Shared>
  static Certificate certificate(const Shared& shared, const StreamsOptions& options) {
    return Family<G>::plan(shared, options).certificate();
  }
};

}  // namespace rivulet::detail
