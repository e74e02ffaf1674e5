// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/battery/battery_options.hpp"

#include <fmt/format.h>

#include "jobs/fill/fill_options.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t most_words = 1000000000000000;  // 10^15

}  // namespace

io::Schema BatteryOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    binder.text("tests", tests,
                "tests, with blanks between them: a set (small: TestU01's SmallCrush), or one of "
                "TestU01's by its number in SmallCrush, Crush or BigCrush (small.3, crush.31, "
                "big.34)");
    binder.integer("first_word", first_word, {0, most_words},
                   "words of the sequence before the first test", "words");
    binder.choice("order", order, orders(),
                  "how the words of the S streams form the sequence, as in the fill job");
    binder.integer(
        "block", block, {0, most_words},
        "blocked order: words per block, a multiple of streams.count; every stream fills "
        "an equal share of each",
        "words");
    binder.choice<bool>("bits", reversed,
                        {{"all", false, "words as they are"},
                         {"reversed", true, "the last bit of each word first"}},
                        "what tests see of a word");
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on words and keys to be sorted; auto: what tests need, and words "
                 "that stay in cache (CPU) or 1 GiB of them (GPU)",
                 io::Zero::means_auto);
  };
  return {
      "battery",
      "TestU01's tests of a generator's streams, one after another on one sequence of words.",
      {streams.schema(), {"battery", "The tests.", bind}, checkpoint.schema(), output.schema()}};
}

void BatteryOptions::check() const {
  static_cast<void>(tests_named(tests));
  if (streams.of != 0 && streams.of != streams.first + streams.count) {
    throw Error(fmt::format("streams.of={} with streams {} to {}", streams.of, streams.first,
                            streams.first + streams.count - 1),
                "the tests' sequence is of this run's streams, and none is left to other runs",
                "Leave streams.of out.");
  }
  if (order == Order::interleaved && block != 0) {
    throw Error(fmt::format("battery.block={} with battery.order=interleaved", block),
                "only the blocked order has blocks",
                "Leave battery.block out, or choose battery.order=blocked.");
  }
  if (order == Order::blocked && (block == 0 || block % streams.count != 0)) {
    throw Error(fmt::format("battery.block={} for {} streams", block, streams.count),
                "each stream fills an equal share of a block",
                "Choose a multiple of streams.count.");
  }
}

WordOrder BatteryOptions::word_order() const {
  return {order == Order::blocked ? block / streams.count : 0, reversed};
}

}  // namespace rivulet
