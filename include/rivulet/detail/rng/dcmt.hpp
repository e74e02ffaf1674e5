// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/recurrence_engine.hpp"

namespace rivulet {

template <int P, class W>
using DcmtState = detail::RecurrenceState<W, dcmt_shape(P).n>;

/// A dynamically created Mersenne Twister of period 2^P - 1 with 32-bit output, after Matsumoto &
/// Nishimura, "Dynamic Creation of Pseudorandom Number Generators" (2000).
// The class is a template over the word type W: lane l of every word belongs to the l-th of
// lanes<W> independent twisters. All twisters are at the same position of their sequences.
template <int P, class W = std::uint32_t>
class Dcmt : public detail::RecurrenceEngine<detail::DcmtRecurrence<P, W>, W> {
 public:
  using Engine = detail::RecurrenceEngine<detail::DcmtRecurrence<P, W>, W>;
  static constexpr DcmtShape shape = dcmt_shape(P);

  KOKKOS_FORCEINLINE_FUNCTION Dcmt(const DcmtParameters<W>& set, const DcmtState<P, W>& state)
      : Engine({set}, state) {}
};

}  // namespace rivulet
