// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/streams/ranmar_starts.hpp"

namespace rivulet::detail {

template <class G>
concept RanmarVariant = std::is_same_v<G, Ranmar24> || std::derived_from<G, Ranmar48>;

template <RanmarVariant Variant>
struct Family<Variant> : RingFamily<Variant, RanmarRecurrence<Variant>, RanmarStarts<Variant>> {
  static constexpr std::string_view name = Variant::name;

  template <class Shared>
  static RanmarPlan plan(const Shared&, const StreamsOptions& options) {
    return RanmarPlan(Variant::bits, request_of(options, RanmarStarts<Variant>::log2_most_numbers));
  }
};

}  // namespace rivulet::detail
