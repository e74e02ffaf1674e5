// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <span>
#include <type_traits>
#include <vector>

#include "rivulet/detail/alias_table.hpp"
#include "rivulet/detail/engine_numbers.hpp"

namespace rivulet {

/// Indices 0 .. n - 1 with the probabilities of a DiscreteTable, which must outlive it: 64 random
/// bits and one look into the table's memory.
class Discrete {
 public:
  using result_type = std::uint32_t;

  KOKKOS_FORCEINLINE_FUNCTION Discrete(const detail::AliasBucket* buckets, std::uint32_t cells)
      : buckets_(buckets), cells_(cells) {}

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Rng& rng) const {
    // The bits as a number in [0, n), in units of 2^-32: its whole part is the bucket, the rest the
    // coin. Their upper half is the first word of engines of 32 bits.
    const auto bits = detail::draw_number<std::uint64_t>(rng);
    const std::uint64_t position = (bits >> 32) * cells_ + ((bits & 0xffffffff) * cells_ >> 32);
    const auto bucket = static_cast<std::uint32_t>(position >> 32);
    const detail::AliasBucket entry = buckets_[bucket];
    return static_cast<std::uint32_t>(position) < entry.threshold ? bucket : entry.alias;
  }

 private:
  const detail::AliasBucket* buckets_;
  std::uint32_t cells_;
};

/// A table of weights, by which kernels of an execution space draw indices: Walker's alias method,
/// exactly as docs/alias.md has it. Masses are integers, so the table is bitwise the same
/// everywhere, the probability of a cell of n is off by less than 1 / (n 2^32) + n / 2^64, and one
/// of weight 0 is never drawn. Made on the host, in about 0.12 us a cell. Copies share the memory.
template <class Exec = Kokkos::DefaultExecutionSpace>
class DiscreteTable {
  static_assert(Kokkos::is_execution_space<Exec>::value,
                "rivulet::DiscreteTable<Exec>: Exec is an execution space");

 public:
  /// weights: a std::vector, std::span, array or view of the host's with double or std::uint64_t
  /// elements, on any scale. Throws Error where one is negative, infinite or not a number, where
  /// all are 0, where there are none or 2^32 and more.
  template <class Weights>
  DiscreteTable(const Exec& exec, const Weights& weights) {
    if (!Kokkos::is_initialized()) {
      throw Error("a DiscreteTable cannot be made", "Kokkos is not running",
                  "Call Kokkos::initialize() first, or make a Kokkos::ScopeGuard.");
    }
    if constexpr (Kokkos::is_view<Weights>::value) {
      copy(exec, copied(weights));
    } else {
      copy(exec, weights);
    }
  }
  template <class Weights>
  requires(!std::is_same_v<Weights, DiscreteTable>) explicit DiscreteTable(const Weights& weights)
      : DiscreteTable(Exec(), weights) {}

  /// For kernels, while this table or a copy of it lives.
  Discrete distribution() const { return Discrete(buckets_.data(), cells()); }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(buckets_.extent(0)); }

 private:
  using Buckets = Kokkos::View<detail::AliasBucket*, typename Exec::memory_space>;

  template <class Weights>
  void copy(const Exec& exec, const Weights& weights) {
    using Weight = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(weights))>>;
    static_assert(std::is_same_v<Weight, double> || std::is_same_v<Weight, std::uint64_t>,
                  "rivulet::DiscreteTable takes weights of type double or std::uint64_t");
    const auto buckets = detail::alias_buckets(std::span<const Weight>(weights));
    buckets_ =
        Buckets(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "rivulet::discrete_table"),
                buckets.size());
    const Kokkos::View<const detail::AliasBucket*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> host(
        buckets.data(), buckets.size());
    Kokkos::deep_copy(exec, buckets_, host);
    exec.fence();
  }

  /// A view's elements side by side, whatever its strides.
  template <class View>
  static std::vector<typename View::non_const_value_type> copied(const View& view) {
    static_assert(View::rank == 1, "rivulet::DiscreteTable takes views of one dimension");
    static_assert(
        Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible,
        "rivulet::DiscreteTable takes views that the host can read: copy it by "
        "Kokkos::create_mirror_view_and_copy");
    std::vector<typename View::non_const_value_type> weights(view.extent(0));
    for (std::size_t cell = 0; cell < weights.size(); ++cell) weights[cell] = view(cell);
    return weights;
  }

  Buckets buckets_;
};

}  // namespace rivulet
