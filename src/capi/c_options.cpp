// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/c_options.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "sequences/sequence_error.hpp"

namespace rivulet::capi {
namespace {

static_assert(static_cast<int>(NumberType::uint32) == RIVULET_UINT32);
static_assert(static_cast<int>(NumberType::uint64) == RIVULET_UINT64);
static_assert(static_cast<int>(NumberType::float32) == RIVULET_FLOAT);
static_assert(static_cast<int>(NumberType::float64) == RIVULET_DOUBLE);
static_assert(static_cast<int>(Interval::closed_open) == RIVULET_CLOSED_OPEN);
static_assert(static_cast<int>(Interval::open) == RIVULET_OPEN);
static_assert(static_cast<int>(Interval::open_closed) == RIVULET_OPEN_CLOSED);
static_assert(static_cast<int>(Interval::closed) == RIVULET_CLOSED);
static_assert(static_cast<int>(Interval::zero_replaced) == RIVULET_ZERO_REPLACED);
static_assert(static_cast<int>(Seeding::native) == RIVULET_SEEDING_NATIVE);
static_assert(static_cast<int>(Seeding::published) == RIVULET_SEEDING_PUBLISHED);

template <class Enumeration>
Enumeration enumerated(const char* name, std::int32_t value, Enumeration last) {
  if (value >= 0 && value <= static_cast<std::int32_t>(last))
    return static_cast<Enumeration>(value);
  throw SequenceError(Fault::option, fmt::format("{}={}", name, value),
                      fmt::format("it is one of 0 .. {}", static_cast<int>(last)),
                      "Use the names of rivulet.h.");
}

std::uint64_t not_negative(const char* name, std::int64_t value, Fault fault = Fault::option) {
  if (value >= 0) return static_cast<std::uint64_t>(value);
  throw SequenceError(fault, fmt::format("{}={}", name, value), "it cannot be negative",
                      "Choose a value in its range, which rivulet.h tells.");
}

/// What the caller knows of the options, over defaults for what he does not.
rivulet_options known_to_caller(const rivulet_options& given) {
  rivulet_options options = default_options();
  if (given.size == 0 || given.size > sizeof(options)) {
    throw SequenceError(
        Fault::option, fmt::format("options of {} B", given.size),
        fmt::format("this version of the library knows {} B", sizeof(options)),
        "Call rivulet_options_default first, and compile with the library's own rivulet.h.");
  }
  std::memcpy(&options, &given, given.size);
  return options;
}

Order order_of(std::int32_t order) {
  return enumerated("order", order, RIVULET_ORDER_BLOCKED) == RIVULET_ORDER_BLOCKED
             ? Order::blocked
             : Order::interleaved;
}

}  // namespace

rivulet_options default_options() {
  const SequenceOptions defaults;
  rivulet_options options{};
  options.size = sizeof(options);
  options.generator = default_generator.data();  // of a literal, so it ends with 0
  options.parameters = "shipped";
  options.type = RIVULET_DOUBLE;
  options.seed = defaults.seed;
  options.ij = static_cast<std::int64_t>(defaults.ij);
  options.kl = static_cast<std::int64_t>(defaults.kl);
  options.instances = static_cast<std::int64_t>(defaults.instances);
  options.log2_jump = static_cast<std::int32_t>(defaults.log2_jump);
  return options;
}

SequenceOptions sequence_options(const rivulet_options* given) {
  SequenceOptions options;
  if (given == nullptr) return options;
  const rivulet_options from = known_to_caller(*given);
  if (from.generator != nullptr) options.generator = from.generator;
  if (from.parameters != nullptr) options.parameters = from.parameters;
  options.type = enumerated("type", from.type, NumberType::float64);
  options.interval = enumerated("interval", from.interval, Interval::zero_replaced);
  options.seeding = enumerated("seeding", from.seeding, Seeding::published);
  options.order = order_of(from.order);
  options.seed = from.seed;
  options.first_stream = not_negative("first_stream", from.first_stream);
  options.ij = not_negative("ij", from.ij, Fault::seed);
  options.kl = not_negative("kl", from.kl, Fault::seed);
  options.instances = not_negative("instances", from.instances);
  options.block_length = not_negative("block_length", from.block_length);
  options.buffer_numbers = not_negative("buffer_numbers", from.buffer_numbers);
  options.asynchronous = from.asynchronous != 0;
  options.log2_jump = not_negative("log2_jump", from.log2_jump);
  options.start = Uint128{from.start_high} << 64 | from.start_low;
  return options;
}

}  // namespace rivulet::capi
