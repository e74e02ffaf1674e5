// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/generators/dcmt_starter.hpp"
#include "kernels/generators/dcmt_streams.hpp"
#include "kernels/generators/ranmar_starter.hpp"
#include "kernels/generators/ranmar_streams.hpp"
#include "kernels/generators/tausworthe_starter.hpp"
#include "kernels/generators/tausworthe_streams.hpp"
#include "rng/generators.hpp"

namespace rivulet {

/// The device memory of a generator's streams, and what puts them to their starts.
/// RANMAR's variants are the types themselves.
template <class GeneratorType>
struct StreamTypes {
  using Streams = RanmarStreams<GeneratorType>;
  using Starter = RanmarStarter<GeneratorType>;
};

template <int P>
struct StreamTypes<Twister<P>> {
  using Streams = DcmtStreams<P>;
  using Starter = DcmtStarter<P>;
};

template <TauswortheKind Kind>
struct StreamTypes<Kind> {
  using Streams = TauswortheStreams<Kind>;
  using Starter = TauswortheStarter<Kind>;
};

}  // namespace rivulet
