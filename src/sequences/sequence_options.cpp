// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences/sequence_options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "io/words/messages.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/streams/cycle_plan.hpp"
#include "rivulet/detail/streams/ranmar_plan.hpp"
#include "sequences/sequence_error.hpp"

namespace rivulet {
namespace {

void check_streams(const SequenceOptions& options) {
  if (options.instances == 0 || options.instances > stream_limit) {
    throw SequenceError(Fault::option, fmt::format("instances={}", options.instances),
                        "a sequence has 1 to 2^40 instances",
                        "Set instances to a number in this range.");
  }
  // Child streams have 64-bit ids.
  const bool has_children = options.generator_facts().child != nullptr;
  if (options.first_stream > stream_limit && !has_children) {
    throw SequenceError(Fault::option, fmt::format("first_stream={}", options.first_stream),
                        "stream ids end at 2^40", "Choose a smaller first_stream.");
  }
}

void check_order(const SequenceOptions& options) {
  if (options.order != Order::blocked) return;
  if (options.block_length == 0 || options.block_length % options.instances != 0) {
    throw SequenceError(
        Fault::option,
        fmt::format("block_length={} with instances={}", options.block_length, options.instances),
        "in blocked order each instance fills an equal share of a block",
        "Set block_length to a positive multiple of instances, or order to "
        "RIVULET_ORDER_INTERLEAVED.");
  }
}

}  // namespace

const Generator& SequenceOptions::generator_facts() const {
  const Generator* const found = find_generator(generator);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Generator* one : generators()) names.emplace_back(one->name);
    throw SequenceError(Fault::unknown_name, fmt::format("no generator \"{}\"", generator),
                        fmt::format("known generators: {}", fmt::join(names, ", ")),
                        io::did_you_mean(generator, names, "Set generator to one of these."));
  }
  return *found;
}

NumberType SequenceOptions::own_type() const {
  return generator_facts().bits == 32 ? NumberType::uint32 : NumberType::float64;
}

int SequenceOptions::own_format() const {
  const bool is_exact = type == NumberType::uint32 || interval == Interval::closed_open;
  return type == own_type() && is_exact ? generator_facts().format_bits : 0;
}

StreamRequest SequenceOptions::request() const {
  return {.streams = first_stream + instances,
          .seed = seed,
          .seeding = seeding,
          .parameters = parameters,
          .options = option_values};
}

Uint128 SequenceOptions::end() const {
  // Without jumps, skips step through the numbers; this limit bounds the time.
  if (!generator_facts().jumps) return Uint128{1} << (detail::log2_most_stepped + 1);
  const std::optional<unsigned> distance = generator_facts().log2_distance(request());
  if (!distance || *distance - 1 >= 127) return position_limit;
  const Uint128 stream_end = Uint128{1} << (*distance - 1);
  return std::min(position_limit, instances < position_limit / stream_end ? instances * stream_end
                                                                          : position_limit);
}

std::string end_text(const SequenceOptions& options) {
  if (options.end() == position_limit) return "positions end at 2^127";
  if (!options.generator_facts().jumps) {
    return fmt::format("{} skips number by number, so positions end at 2^{}", options.generator,
                       detail::log2_most_stepped + 1);
  }
  return fmt::format("a stream must not reach the next one, so positions end at {} * 2^{}",
                     options.instances,
                     *options.generator_facts().log2_distance(options.request()) - 1);
}

std::string description(const SequenceOptions& options) {
  std::string text = fmt::format("{} seed={} first_stream={}", options.generator, options.seed,
                                 options.first_stream);
  if (options.seeding != SequenceOptions().seeding) text += " seeding=published";
  if (options.instances > 1) text += fmt::format(" instances={}", options.instances);
  if (options.parameters != SequenceOptions().parameters)
    text += " parameters=" + options.parameters;
  for (const auto& [name, value] : options.option_values.values()) {
    const GeneratorOption* const option = find_generator_option(name);
    if (option == nullptr || value != option->fallback) text += fmt::format(" {}={}", name, value);
  }
  return text;
}

void check(const SequenceOptions& options) {
  const Generator& facts = options.generator_facts();
  check_streams(options);
  check_order(options);
  if (options.start >= options.end()) {
    throw SequenceError(Fault::out_of_range, "start_high and start_low beyond the sequence's range",
                        end_text(options), "Lower start_high and start_low.");
  }
  require_memory(fmt::format("{} instances of {}", options.instances, facts.name),
                 Uint128{padded_streams(options.instances)} * facts.state_bytes, "instances");
  const std::uint64_t buffers = options.asynchronous ? 2 : 1;
  require_memory("the buffer",
                 Uint128{buffers} * options.buffer_numbers * number_bytes(options.type),
                 "buffer_numbers");
  if (options.order == Order::blocked) {
    require_memory("a block", Uint128{options.block_length} * number_bytes(options.type),
                   "block_length");
  }
}

void require_memory(const std::string& what, Uint128 bytes, const char* option) {
  const auto machine = Uint128{static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES))} *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (bytes <= machine) return;
  throw SequenceError(
      Fault::out_of_memory, "no memory for " + what,
      fmt::format("it takes {:.3g} GB and this machine has {:.3g} GB",
                  static_cast<double>(bytes) * 1e-9, static_cast<double>(machine) * 1e-9),
      fmt::format("Lower {}.", option));
}

}  // namespace rivulet
