// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "io/mpi/timing.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "rivulet/detail/alias_precision.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

using detail::AliasPrecision;

/// Replaces the weights in place with the requested probabilities. `largest`: the table's largest
/// weight. `sum`: the sum of all weights, in units of 2^exponent.
void replace_by_probabilities(std::span<double> weights, double largest, Uint128 sum, int exponent);

/// Compares the requested probabilities of all ranks' cells with the probabilities at which the
/// table draws them. `first_cell`: this rank's first cell. Collective.
AliasPrecision alias_precision(const io::Communicator& ranks, std::uint64_t first_cell,
                               std::span<const double> requested, std::span<const double> drawn);

/// The properties of a built table.
struct TableFacts {
  int bits = 0;  ///< bits per threshold: 32 or 64
  std::uint64_t words_per_sample = 0;
  AliasPrecision precision;
  std::vector<std::string> warnings;
  double seconds = 0;  ///< time to build the buckets on the slowest rank
};

/// A deck's table. Thresholds have 32 or 64 bits, as the deck requests. With table.bits=auto, they
/// have 64 bits only if the weights require it. The object also holds the requested and the drawn
/// probabilities of this rank's part of the cells.
class AliasDeckTable {
 public:
  /// Calls weights.take(), and builds the table. Throws Error if the weights are invalid, if memory
  /// is insufficient, or if the table is too large for the 64-bit thresholds that the deck
  /// requests. Collective.
  AliasDeckTable(const AliasOptions& options, AliasWeights& weights, StreamRange part,
                 const io::Communicator& ranks, io::PhaseTimer& timer);

  std::unique_ptr<AliasSampler> sampler(const StreamPlan& plan, StreamRange range) const;

  TableFacts facts() const {
    return {bits(), words_per_sample(), precision_, warnings(), seconds_};
  }
  std::uint64_t words_per_sample() const;
  std::uint64_t bytes() const;

  std::span<const double> requested() const { return requested_; }
  std::span<const double> drawn() const { return drawn_; }

 private:
  struct TableInput;

  int bits() const { return is_wide() ? 64 : 32; }
  std::vector<std::string> warnings() const;

  bool is_wide() const { return std::holds_alternative<WideAliasTable>(*table_); }
  TableInput read_weights(AliasWeights& weights, io::PhaseTimer& timer);
  void compute_requested(const TableInput& input);
  void build(const TableInput& input, bool wide);
  std::vector<double> probabilities_of_part() const;

  const AliasOptions& options_;
  StreamRange part_;
  io::Communicator ranks_;
  std::uint64_t cells_;
  std::optional<std::variant<AliasTable, WideAliasTable>> table_;
  double seconds_ = 0;
  std::vector<double> requested_;
  std::vector<double> drawn_;
  AliasPrecision precision_;
};

}  // namespace rivulet
