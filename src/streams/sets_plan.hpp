// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// Streams that share parameter sets: stream s draws from set s % sets, starting
/// starts() says of index s / sets, in steps after the set's seeded state.
class SetsPlan : public StreamPlan {
 public:
  virtual std::uint64_t sets() const = 0;
  std::uint64_t set_of(std::uint64_t stream) const { return stream % sets(); }
  /// Number of the stream among those of its set.
  std::uint64_t index_of(std::uint64_t stream) const { return stream / sets(); }
  virtual IrregularStarts starts() const = 0;

  /// Of the sets' characteristic polynomials.
  virtual int degree() const = 0;
  /// May be called from several threads at once.
  virtual Gf2Polynomial polynomial(std::uint64_t set) const = 0;
  /// The jumps to the starts of a set's streams up to index `most`. May be called likewise.
  virtual std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t set,
                                                       std::uint64_t most) const {
    return std::make_shared<const JumpPolynomials>(polynomial(set), starts(), most);
  }

 protected:
  using StreamPlan::StreamPlan;
};

}  // namespace rivulet
