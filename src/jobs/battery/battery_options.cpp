// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/battery/battery_options.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/correlation/batch_transforms.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t most_words = 1000000000000000;  // 10^15

const io::Binder::Choices<WordBits>& all_bits() {
  static const io::Binder::Choices<WordBits> all{
      {"all", WordBits::all, "words as they are"},
      {"reversed", WordBits::reversed, "the last bit of each word first"},
      {"low8", WordBits::low8, "words made of the low 8 bits of four words, the first one lowest"},
      {"low1", WordBits::low1, "words made of the lowest bit of 32 words, the first one lowest"}};
  return all;
}

}  // namespace

io::Schema BatteryOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    binder.text("tests", tests,
                "tests, with blanks between them: a set (small: TestU01's SmallCrush), or one of "
                "TestU01's by its number in SmallCrush, Crush or BigCrush (small.3, crush.31, "
                "big.34)");
    binder.integer("first_word", first_word, {0, most_words},
                   "words of the sequence before the first test", "words");
    binder.choice<WordTurns>(
        "order", order,
        {{"interleaved", WordTurns::interleaved, "word i is word i / S of stream i % S"},
         {"blocked", WordTurns::blocked, "each stream fills a share of every `block`"},
         {"stream", WordTurns::by_stream, "a `block` of each stream in turn"}},
        "how the words of the S streams form the sequence");
    binder.integer("block", block, {0, most_words},
                   "words per block: of all streams in blocked order, a multiple of streams.count; "
                   "of one stream in stream order",
                   "words");
    binder.choice("bits", bits, all_bits(), "what tests see of a word");
    binder.file("source", source, io::FileUse::read_unless_word,
                "where words come from: generator (the streams), stdin, or a file or pipe of raw "
                "words, for which the keys of `streams` mean nothing");
    binder.choice<std::uint64_t>(
        "word_bits", form.halves,
        {{"32", 1, "as tests read them"}, {"64", 2, "two words, the lower half first"}},
        "bits of the words of another source");
    binder.choice<bool>("byte_order", form.is_big_endian,
                        {{"little", false, "the lowest byte of a word first"},
                         {"big", true, "the highest byte first"}},
                        "how the words of another source lie");
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on words and keys to be sorted; auto: what tests need, and words "
                 "that stay in cache (CPU) or 1 GiB of them (GPU)",
                 io::Zero::means_auto);
  };
  return {
      "battery",
      "TestU01's tests of a generator's streams, or of words from outside, one after another on "
      "one sequence of words.",
      {streams.schema(), {"battery", "The tests.", bind}, checkpoint.schema(), output.schema()}};
}

void BatteryOptions::check() const {
  for (const BatteryTest& test : tests_named(tests)) {
    if (test.kind != TestKind::fourier3 || have_batch_transforms) continue;
    throw Error(fmt::format("battery.tests: {} in a build without FFTW", test.name()),
                "FFTW was not found, or was turned off",
                "Name other tests, or build with FFTW (docs/install.md).");
  }
  if (streams.of != 0 && streams.of != streams.first + streams.count) {
    throw Error(fmt::format("streams.of={} with streams {} to {}", streams.of, streams.first,
                            streams.first + streams.count - 1),
                "the tests' sequence is of this run's streams, and none is left to other runs",
                "Leave streams.of out.");
  }
  if (order == WordTurns::interleaved && block != 0) {
    throw Error(fmt::format("battery.block={} with battery.order=interleaved", block),
                "only the blocked and stream orders have blocks",
                "Leave battery.block out, or choose battery.order=blocked.");
  }
  if (order == WordTurns::blocked && (block == 0 || block % streams.count != 0)) {
    throw Error(fmt::format("battery.block={} for {} streams", block, streams.count),
                "each stream fills an equal share of a block",
                "Choose a multiple of streams.count.");
  }
  if (order == WordTurns::by_stream && block == 0) {
    throw Error("battery.order=stream without battery.block",
                "it is how many words of each stream come in turn", "Give it.");
  }
  has_generator() ? check_generator() : check_source();
}

void BatteryOptions::check_generator() const {
  if (form.halves != 1 || form.is_big_endian) {
    throw Error("battery.word_bits or battery.byte_order with battery.source=generator",
                "they are of words from outside", "Leave them out, or name the source.");
  }
  const Generator& facts = streams.generator_facts();
  if (words_per_word() > 1 && (facts.bits < 32 || facts.bits == 48)) {
    throw Error(fmt::format("battery.bits={} with {}: no such bits", bits_name(), facts.name),
                fmt::format("words have the upper {} bits of its numbers of {}",
                            facts.bits < 32 ? 16 : 32, facts.bits),
                "Choose battery.bits=all or reversed.");
  }
}

void BatteryOptions::check_source() const {
  if (order != WordTurns::interleaved) {
    throw Error(fmt::format("battery.order with battery.source={}", source),
                "only words of streams have an order",
                "Leave battery.order and battery.block out.");
  }
  if (!is_pipe()) static_cast<void>(io::RawWords(source, form));
}

std::string BatteryOptions::bits_name() const { return io::Binder::name_in(all_bits(), bits); }

bool BatteryOptions::is_pipe() const {
  std::error_code missing;
  return source == "stdin" || std::filesystem::is_fifo(source, missing);
}

std::uint64_t BatteryOptions::words_per_word() const {
  return bits == WordBits::low8 ? 4 : bits == WordBits::low1 ? 32 : 1;
}

WordOrder BatteryOptions::word_order() const {
  const std::uint64_t run = order == WordTurns::blocked ? block / streams.count : block;
  return {run, bits};
}

}  // namespace rivulet
