// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/battery_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "battery/run_tests.hpp"
#include "battery/test_class.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

BatteryWords::BatteryWords(const BatteryOptions& options, const StreamPlan* plan,
                           const io::Communicator& ranks)
    : options_(options), plan_(plan) {
  if (options_.is_pipe() && ranks.size() > 1) {
    throw Error(fmt::format("battery.source={} on {} MPI ranks", options_.source, ranks.size()),
                "each word of a pipe goes to one of them", "Start one rank, or name a file.");
  }
  take_repeat(0);
}

void BatteryWords::take_repeat(std::size_t repeat) {
  if (tiles_ && repeat == repeat_) return;
  tiles_.reset();
  repeat_ = repeat;
  other_plans_.clear();
  tiles_.emplace(Space(), supply());
  tiles_->allocate(tile_words());
}

std::unique_ptr<WordSupply> BatteryWords::supply() {
  const StreamOptions& streams = options_.streams;
  const WordOrder order = options_.word_order();
  if (options_.has_generator()) {
    return make_word_supply(Space(), plans(), {streams.first, streams.count}, streams.mapping(),
                            streams.segments, order);
  }
  io::RawWords words(options_.source, options_.form);
  if (!options_.is_pipe()) seal_ = words.seal();
  return make_word_supply(Space(), std::move(words), order.bits);
}

/// Those of the repeat's seeds.
std::vector<const StreamPlan*> BatteryWords::plans() {
  std::vector<const StreamPlan*> all;
  for (std::uint64_t k = 0; k < options_.seeds; ++k) {
    StreamOptions streams = options_.streams;
    streams.seed += repeat_ * options_.seeds + k;
    if (streams.seed != options_.streams.seed) {
      other_plans_.push_back(streams.plan(io::Communicator::self(), options_.numbers_per_stream()));
    }
    all.push_back(streams.seed == options_.streams.seed ? plan_ : other_plans_.back().get());
  }
  return all;
}

/// Words of a tile that battery.memory has room for beside what the tests need.
std::uint64_t BatteryWords::tile_words() const {
  const std::vector<BatteryTest> tests = options_.list();
  std::uint64_t item = 0;
  std::uint64_t bytes = 0;
  const BatteryTest* largest = nullptr;
  for (const BatteryTest& test : tests) {
    const TestClass& kind = class_of(test.kind);
    item = std::max(item, kind.item_words(test));
    if (kind.bytes(test) <= bytes) continue;
    bytes = kind.bytes(test);
    largest = &test;
  }
  std::uint64_t usual = usual_words;
  if (options_.is_shared() && (options_.is_pipe() || device_build)) {
    // A chunk stays in memory for all tests, with what they read before and behind their own.
    usual = options_.chunk + item;
    if (options_.is_pipe()) item = usual;
  }
  if (options_.memory == 0) return std::max(usual, item);
  const std::uint64_t left = options_.memory > bytes ? options_.memory - bytes : 0;
  const std::uint64_t words = std::min(tiles_->words_in(left), usual);
  if (words >= item) return words;
  const std::uint64_t least = bytes + tiles_->bytes_of(item);
  throw Error(fmt::format("battery.memory={} B is too small", options_.memory),
              fmt::format("{} needs {} B, and words of all streams take {} B", largest->name(),
                          bytes, least - bytes),
              fmt::format("Give at least {} B, or auto, or choose other tests.", least));
}

}  // namespace rivulet
