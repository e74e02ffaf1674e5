// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "algebra/irregular_starts.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "rng/ranmar_seeding.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

std::string names_of_generators() {
  std::string names;
  for (const Generator& one : generators) {
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  return names;
}

/// How far streams of one cycle are kept apart, as a power of two.
std::optional<std::uint64_t> log2_distance(const SequenceOptions& options) {
  if (options.seeding == Seeding::published) return std::nullopt;
  switch (options.engine().family) {
    case GeneratorFamily::dcmt:
      return std::max<std::uint64_t>(options.log2_jump, IrregularStarts::least_log2_distance);
    case GeneratorFamily::tausworthe:
      return IrregularStarts::least_log2_distance;
    case GeneratorFamily::ranmar:
      break;
  }
  return std::nullopt;
}

void check_streams(const SequenceOptions& options) {
  if (options.instances == 0 || options.instances > stream_limit) {
    throw SequenceError(Fault::option, fmt::format("{} instances", options.instances),
                        "a sequence is made of 1 to 2^40", "Choose a number in range.");
  }
  if (options.first_stream > stream_limit) {
    throw SequenceError(Fault::option, fmt::format("first_stream={}", options.first_stream),
                        "stream ids end at 2^40", "Choose a smaller one.");
  }
}

void check_seeds(const SequenceOptions& options) {
  if (options.seeding != Seeding::published) return;
  if (options.engine().family != GeneratorFamily::ranmar) return;
  const RanmarSeed start{static_cast<std::int64_t>(options.ij),
                         static_cast<std::int64_t>(options.kl)};
  if (!is_valid(start)) {
    throw SequenceError(
        Fault::seed, fmt::format("RANMAR has no sequence (ij, kl) = ({}, {})", start.ij, start.kl),
        "ij ranges over 0 .. 31328 and kl over 0 .. 30081", "Choose a pair in range.");
  }
  const auto left = static_cast<std::uint64_t>(RanmarSeed::count - ranmar_index(start));
  if (options.first_stream + options.instances > left) {
    throw SequenceError(
        Fault::seed,
        fmt::format("{} streams from (ij, kl) = ({}, {}) on do not exist",
                    options.first_stream + options.instances, start.ij, start.kl),
        fmt::format("published sequences are numbered ij * 30082 + kl, and {} are left from there "
                    "on",
                    left),
        "Start at a smaller pair, ask for fewer, or use native seeding.");
  }
}

void check_order(const SequenceOptions& options) {
  if (options.order != Order::blocked) return;
  if (options.block_length == 0 || options.block_length % options.instances != 0) {
    throw SequenceError(
        Fault::option,
        fmt::format("block_length={} with {} instances", options.block_length, options.instances),
        "in blocked order every instance makes the same share of a block",
        "Choose a positive multiple of the instances, or interleaved order.");
  }
}

}  // namespace

const Generator& SequenceOptions::engine() const {
  const Generator* const found = find_generator(generator);
  if (found == nullptr) {
    throw SequenceError(Fault::unknown_name, fmt::format("no generator \"{}\"", generator),
                        "there are " + names_of_generators(), "Choose one of these.");
  }
  return *found;
}

Uint128 SequenceOptions::end() const {
  const std::optional<std::uint64_t> distance = log2_distance(*this);
  if (!distance || *distance - 1 >= 127) return position_limit;
  const Uint128 of_a_stream = Uint128{1} << (*distance - 1);
  return std::min(position_limit, instances < position_limit / of_a_stream ? instances * of_a_stream
                                                                           : position_limit);
}

std::string end_text(const SequenceOptions& options) {
  if (options.end() == position_limit) return "positions end at 2^127";
  return fmt::format(
      "a stream must not come within reach of the next one, so positions end at {} * "
      "2^{}",
      options.instances, *log2_distance(options) - 1);
}

void check(const SequenceOptions& options) {
  const Generator& engine = options.engine();
  check_streams(options);
  check_seeds(options);
  check_order(options);
  if (options.start >= options.end()) {
    throw SequenceError(Fault::out_of_range, "a start beyond the sequence's range",
                        end_text(options), "Choose a smaller start.");
  }
  require_memory(
      fmt::format("{} instances of {}", options.instances, engine.name),
      Uint128{padded_streams(options.instances)} * static_cast<std::uint64_t>(engine.state_bytes));
  const std::uint64_t buffers = options.asynchronous ? 2 : 1;
  require_memory("the buffer",
                 Uint128{buffers} * options.buffer_numbers * number_bytes(options.type));
  if (options.order == Order::blocked) {
    require_memory("a block", Uint128{options.block_length} * number_bytes(options.type));
  }
}

void require_memory(const std::string& what, Uint128 bytes) {
  const auto machine = Uint128{static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES))} *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (bytes <= machine) return;
  throw SequenceError(
      Fault::out_of_memory, "no memory for " + what,
      fmt::format("it takes {:.3g} GB and this machine has {:.3g} GB",
                  static_cast<double>(bytes) * 1e-9, static_cast<double>(machine) * 1e-9),
      "Ask for less.");
}

}  // namespace rivulet
