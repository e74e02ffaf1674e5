// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/generators/ring_family.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"

namespace rivulet::detail {

/// All streams are on one cycle, stream s starts with index s.
template <>
struct Family<Mt19937> : RingFamily<Mt19937, Mt19937Words, TwisterStarts> {
  static constexpr const char* name = "mt19937";

  template <class Shared>
  static Mt19937Plan plan(const Shared&, const StreamsOptions& options) {
    return Mt19937Plan(request_of(options, mt19937_starts.log2_distance()));
  }
};

}  // namespace rivulet::detail
