// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rivulet/detail/generators/family.hpp"
#include "rivulet/detail/streams/jump_range.hpp"

namespace rivulet::detail {

/// Launches the kernels that start streams and make them jump.
template <class Exec, class W = std::uint32_t>
struct ExecLaunch {
  using Word = W;
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
    Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Body::threads, 1>> policy(
        exec, static_cast<int>(count), Body::threads);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(static_cast<int>(Kernel::Scratch::shmem_size(Kernel::words))));
    Kokkos::parallel_for(label, policy, Kernel{body});
  }

  template <class T>
  auto uploaded(const std::string& label, const std::vector<T>& values) const {
    return detail::uploaded<typename Exec::memory_space>(exec, label, values);
  }
};

/// Throws Error if the streams do not fit on a cycle that has room for `fit` streams.
inline void require_fit(const StreamsOptions& options, std::string_view name, std::uint64_t fit) {
  if (options.count == 0 || end_of(options) <= fit) return;
  throw Error(text_of("streams ", ids_text(options), " do not fit on the cycle of ", name),
              text_of("streams start at least 2^64 steps apart, and there is room for ", fit),
              "Lower StreamsOptions::first or StreamsOptions::count.");
}

/// Base of families whose plan assigns starts to streams. S, such as TwisterStarts, implements
/// starts and jumps. Family<G> must have plan(shared, options).
template <class G, class S>
struct PlannedFamily {
  template <class>
  using Shared = EmptyShared;

  static void require(const StreamsOptions& options) {
    require_no_sets(options, Family<G>::name);
    end_of(options);
  }

  template <class Exec, class Store, class Shared>
  static void start(const Exec& exec, const Store& store, const Shared& shared,
                    const StreamsOptions& options) {
    if (options.count == 0) return;
    const auto plan = Family<G>::plan(shared, options);
    const StreamRange range{options.first, options.count};
    const auto jumps = S::range_jumps(host_instance(exec), plan, range);
    S::start(ExecLaunch<Exec>{exec}, plan, range, jumps,
             Family<G>::states(store, shared, options.first));
    exec.fence();
  }

  template <class Exec, class Store, class Shared>
  static void jump(const Exec& exec, const Store& store, const Shared& shared,
                   const StreamsOptions& options, Uint128 numbers) {
    const auto plan = Family<G>::plan(shared, options);
    require_jump(numbers, S::log2_jump_limit(plan), Family<G>::name);
    const StreamRange range{options.first, options.count};
    const auto jumps = S::multiple_jumps(host_instance(exec), plan, range, numbers, 1);
    S::jump(ExecLaunch<Exec>{exec}, Family<G>::states(store, shared, options.first), jumps.front(),
            JumpRange::all_of(0, range.count));
    exec.fence();
  }

  template <class Shared>
  static Certificate certificate(const Shared& shared, const StreamsOptions& options) {
    return Family<G>::plan(shared, options).certificate();
  }

  /// Returns the States (twister_jump.hpp) through which S accesses the streams. The last argument
  /// is the number of the first stream.
  template <class Store, class Shared>
  static const Store& states(const Store& store, const Shared&, std::uint64_t) {
    return store;
  }
};

}  // namespace rivulet::detail
