// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capi/calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/words/messages.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
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
static_assert(static_cast<int>(Order::interleaved) == RIVULET_ORDER_INTERLEAVED);
static_assert(static_cast<int>(Order::blocked) == RIVULET_ORDER_BLOCKED);

/// Names of option values for messages, the same in C and Fortran.
constexpr const char* type_names =
    "RIVULET_UINT32, RIVULET_UINT64, RIVULET_FLOAT, RIVULET_DOUBLE or RIVULET_OWN";
constexpr const char* interval_names =
    "RIVULET_CLOSED_OPEN, RIVULET_OPEN, RIVULET_OPEN_CLOSED, RIVULET_CLOSED or "
    "RIVULET_ZERO_REPLACED";
constexpr const char* seeding_names = "RIVULET_SEEDING_NATIVE or RIVULET_SEEDING_PUBLISHED";
constexpr const char* order_names = "RIVULET_ORDER_INTERLEAVED or RIVULET_ORDER_BLOCKED";

template <class Enumeration>
Enumeration checked_enumerator(const char* name, std::int32_t value, Enumeration last,
                               const char* values) {
  if (value >= 0 && value <= static_cast<std::int32_t>(last))
    return static_cast<Enumeration>(value);
  throw SequenceError(Fault::option, fmt::format("{}={}", name, value),
                      fmt::format("it must be 0 .. {}", static_cast<int>(last)),
                      fmt::format("Set {} to {}.", name, values));
}

std::uint64_t checked_nonnegative(const char* name, std::int64_t value,
                                  Fault fault = Fault::option) {
  if (value >= 0) return static_cast<std::uint64_t>(value);
  throw SequenceError(fault, fmt::format("{}={}", name, value), "it cannot be negative",
                      fmt::format("Set {} to 0 or more.", name));
}

/// Returns the caller's options, with defaults for members that are newer than the caller's
/// rivulet.h.
rivulet_options with_defaults(const rivulet_options& caller_options) {
  rivulet_options options = default_options();
  // Every version's size is a positive multiple of the alignment, and at most this version's.
  if (caller_options.size == 0 || caller_options.size % alignof(rivulet_options) != 0 ||
      caller_options.size > sizeof(options)) {
    throw SequenceError(
        Fault::option, fmt::format("rivulet_options.size={}", caller_options.size),
        fmt::format("this library takes {1} to {0}, in multiples of {1}", sizeof(options),
                    alignof(rivulet_options)),
        "Call rivulet_options_default first, and compile with the library's own rivulet.h.");
  }
  std::memcpy(&options, &caller_options, caller_options.size);
  return options;
}

const GeneratorOption& option_called(const std::string& name) {
  if (const GeneratorOption* const found = find_generator_option(name)) return *found;
  std::vector<std::string> names;
  for (const GeneratorOption* option : generator_options()) names.emplace_back(option->name);
  throw SequenceError(
      Fault::option, fmt::format("no generator has an option \"{}\"", name),
      fmt::format("known options: {}", fmt::join(names, ", ")),
      io::did_you_mean(name, names, "Set generator_options to words such as \"log2_jump=100\"."));
}

std::uint64_t value_of(const GeneratorOption& option, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  if (is_number && value >= option.least && value <= option.most) return value;
  throw SequenceError(Fault::option, fmt::format("{}={}", option.name, text),
                      fmt::format("it must be {} .. {}", option.least, option.most),
                      fmt::format("Set {} to a number in this range.", option.name));
}

/// Parses "name=value name=value".
void read_generator_options(const char* text, OptionValues& values) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t sign = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, sign);
    const GeneratorOption& option = option_called(name);
    values.at(option) =
        value_of(option, std::string_view(word).substr(std::min(sign + 1, word.size())));
  }
}

/// Formats the line "name type offset" of a member in the compiler's layout.
#define RIVULET_MEMBER(name)                                                     \
  fmt::format("{} {} {}\n", #name, type_name<decltype(rivulet_options::name)>(), \
              offsetof(rivulet_options, name))

template <class Member>
constexpr const char* type_name() {
  if constexpr (std::is_pointer_v<Member>) return "text";
  if constexpr (std::is_same_v<Member, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<Member, std::int64_t>) return "int64";
  return sizeof(Member) == 8 ? "uint64" : "uint32";
}

std::string options_layout() {
  return RIVULET_MEMBER(size) + RIVULET_MEMBER(generator) + RIVULET_MEMBER(parameters) +
         RIVULET_MEMBER(type) + RIVULET_MEMBER(interval) + RIVULET_MEMBER(seeding) +
         RIVULET_MEMBER(order) + RIVULET_MEMBER(seed) + RIVULET_MEMBER(first_stream) +
         RIVULET_MEMBER(ij) + RIVULET_MEMBER(kl) + RIVULET_MEMBER(instances) +
         RIVULET_MEMBER(block_length) + RIVULET_MEMBER(buffer_numbers) +
         RIVULET_MEMBER(asynchronous) + RIVULET_MEMBER(log2_jump) + RIVULET_MEMBER(start_high) +
         RIVULET_MEMBER(start_low) + RIVULET_MEMBER(generator_options) +
         fmt::format("end {}\n", sizeof(rivulet_options));
}

}  // namespace

NumberType number_type(std::int32_t type) {
  return checked_enumerator("type", type, NumberType::float64,
                            "RIVULET_UINT32, RIVULET_UINT64, RIVULET_FLOAT or RIVULET_DOUBLE");
}

rivulet_options default_options() {
  const SequenceOptions defaults;
  rivulet_options options{};
  options.size = sizeof(options);
  options.generator = default_sequence_generator.data();  // a literal, so null-terminated
  options.parameters = "shipped";
  options.type = RIVULET_DOUBLE;
  options.seed = defaults.seed;
  options.ij = static_cast<std::int64_t>(ij_option.fallback);
  options.kl = static_cast<std::int64_t>(kl_option.fallback);
  options.instances = static_cast<std::int64_t>(defaults.instances);
  options.log2_jump = static_cast<std::int32_t>(log2_jump_option.fallback);
  return options;
}

SequenceOptions sequence_options(const rivulet_options* caller_options) {
  SequenceOptions options;
  if (caller_options == nullptr) return options;
  const rivulet_options from = with_defaults(*caller_options);
  if (from.generator != nullptr) options.generator = from.generator;
  if (from.parameters != nullptr) options.parameters = from.parameters;
  options.type = checked_enumerator("type", from.type, RIVULET_OWN, type_names) == RIVULET_OWN
                     ? options.own_type()
                     : number_type(from.type);
  options.interval =
      checked_enumerator("interval", from.interval, Interval::zero_replaced, interval_names);
  if (from.type == RIVULET_OWN && options.interval != Interval::closed_open) {
    throw SequenceError(
        Fault::option, fmt::format("interval={} with type=RIVULET_OWN", from.interval),
        "a generator's own doubles are in [0, 1)", "Set interval to RIVULET_CLOSED_OPEN.");
  }
  options.seeding = checked_enumerator("seeding", from.seeding, Seeding::published, seeding_names);
  options.order = checked_enumerator("order", from.order, Order::blocked, order_names);
  options.seed = from.seed;
  options.first_stream = checked_nonnegative("first_stream", from.first_stream);
  options.option_values.at(ij_option) = checked_nonnegative("ij", from.ij, Fault::seed);
  options.option_values.at(kl_option) = checked_nonnegative("kl", from.kl, Fault::seed);
  options.instances = checked_nonnegative("instances", from.instances);
  options.block_length = checked_nonnegative("block_length", from.block_length);
  options.buffer_numbers = checked_nonnegative("buffer_numbers", from.buffer_numbers);
  options.asynchronous = from.asynchronous != 0;
  options.option_values.at(log2_jump_option) = checked_nonnegative("log2_jump", from.log2_jump);
  if (from.generator_options != nullptr) {
    read_generator_options(from.generator_options, options.option_values);
  }
  options.start = Uint128{from.start_high} << 64 | from.start_low;
  return options;
}

}  // namespace rivulet::capi

const char* rivulet_options_layout(void) {
  if (!rivulet::capi::runs_here()) return nullptr;
  static const auto* const layout = new std::string(rivulet::capi::options_layout());
  return layout->c_str();
}
