// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// RANMAR's published pair of stream 0: by default the pair whose numbers its authors print
/// (Marsaglia, Zaman & Tsang, Stat. Probab. Lett. 9 (1990) 35), and CORSIKA's default.
inline constexpr GeneratorOption ij_option{"ij", 1802, 0, 31328,
                                           "RANMAR, published seeding: first seed of stream 0"};
inline constexpr GeneratorOption kl_option{
    "kl", 9373, 0, 30081,
    "RANMAR, published seeding: second seed of stream 0; the next streams count up, wrapping into "
    "ij"};

/// Which RANMAR sequence each stream is. Native: the one hashed from (run seed, stream id).
/// Published: stream s has the pair s places after (ij, kl) in the row ij * 30082 + kl, that is
/// kl + s, wrapping into ij, as the thesis that put RANMAR on a GPU numbers its instances; the
/// constructor throws Error where the row ends before the streams do.
class RanmarPlan final : public StreamPlan {
 public:
  /// `bits`: of the variant's words, 24 or 48.
  RanmarPlan(int bits, const StreamRequest& request);

  /// The published pair of a stream.
  RanmarSeed seed_of(std::uint64_t stream) const {
    return ranmar_seed(static_cast<std::int64_t>(first_ + stream));
  }
  /// How many of the streams have one of the 338 weak pairs: their bits come from a sequence of
  /// products that never leaves 1 and -1 modulo 179, so the state lacks most of its randomness.
  std::uint64_t weak_streams() const;

  std::vector<std::pair<std::string, std::string>> certificate() const override;
  std::vector<std::string> warnings() const override;
  std::vector<StreamFact> facts() const override;
  std::vector<StreamColumn> columns(StreamRange range) const override;

 private:
  bool is_native() const { return request().seeding == Seeding::native; }

  std::uint64_t ij() const { return request().options.of(ij_option); }
  std::uint64_t kl() const { return request().options.of(kl_option); }

  int bits_;
  std::uint64_t first_ = 0;  ///< place of stream 0 in the row of published sequences
};

}  // namespace rivulet
