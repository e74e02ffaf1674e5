// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/battery_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "battery/run_tests.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t most_words = 1000000000000000;  // 10^15

const io::Binder::Choices<WordBits>& all_bits() {
  static const io::Binder::Choices<WordBits> all{
      {"all", WordBits::all, "words as they are"},
      {"reversed", WordBits::reversed, "the last bit of each word first"},
      {"low8", WordBits::low8,
       "words formed from the low 8 bits of four words, the first word's lowest"},
      {"low1", WordBits::low1,
       "words formed from the lowest bit of 32 words, the first word's lowest"}};
  return all;
}

void refuse_if(bool is_refused, const std::string& problem, const std::string& why,
               const std::string& what_to_do) {
  if (is_refused) throw Error(problem, why, what_to_do);
}

}  // namespace

io::Schema BatteryOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    // Parts have other tests or, of shared tests, other words.
    const auto id_if = [](bool is_id) { return is_id ? io::Effect::id : io::Effect::result; };
    binder.text("tests", tests,
                "sets of tests (small, crush, big: TestU01's batteries; beyond, windows, long), or "
                "tests by their number in a set (small.3), separated by blanks",
                id_if(sequence == TestTurns::each));
    binder.choice<TestTurns>(
        "sequence", sequence,
        {{"testu01", TestTurns::testu01, "each test begins where the one before ended"},
         {"each", TestTurns::each, "each test begins at first_word"},
         {"shared", TestTurns::shared,
          "all tests read each chunk of the sequence, and their counts are added up"}},
        "which words tests read");
    binder.integer("chunk", chunk, {std::uint64_t{1} << 12, most_words},
                   "words per chunk of shared tests", "words");
    binder.bytes("bytes", bytes, {0, std::uint64_t{1} << 55},
                 "length of the sequence of shared tests, which read whole chunks; auto: 4 GiB, or "
                 "a chunk, or all words from outside",
                 id_if(is_shared()), io::Zero::means_auto);
    binder.integer("seeds", seeds, {1, 65536}, "successive seeds whose streams are interleaved",
                   "seeds");
    binder.integer(
        "repeat", repeat, {1, 1000000},
        "repeats, each with the next seeds; p-values of a test are then judged together");
    binder.integer("first_word", first_word, {0, most_words},
                   "words of the sequence before the first test", "words", id_if(is_shared()));
    binder.integer("step", step, {1, std::uint64_t{1} << 24},
                   "tests read the first of every so many words", "words");
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
    binder.choice("bits", bits, all_bits(), "which bits of a word tests read");
    binder.file("source", source, io::FileUse::read_unless_word,
                "where words come from: generator (the streams), stdin, or a file or pipe of raw "
                "words; the last three ignore the keys of `streams`");
    binder.choice<std::uint64_t>(
        "word_bits", form.halves,
        {{"32", 1, "as tests read them"}, {"64", 2, "two words, the lower half first"}},
        "bits of the words of another source");
    binder.choice<bool>("byte_order", form.is_big_endian,
                        {{"little", false, "the lowest byte of a word first"},
                         {"big", true, "the highest byte first"}},
                        "byte order of the words of another source");
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on words and keys to be sorted; auto: what tests need, and words "
                 "that stay in cache (CPU) or 1 GiB of them (GPU)",
                 io::Effect::speed, io::Zero::means_auto);
  };
  return {
      "battery",
      "TestU01's tests, and further ones, on the words of a generator's streams, or on words from "
      "outside.",
      {streams.schema(io::Effect::result),
       {"battery", "The tests.", bind},
       checkpoint.schema(),
       output.schema()}};
}

void BatteryOptions::check() const {
  require_transforms_for(tests_named(tests));
  check_sequence();
  refuse_if(streams.of != 0 && streams.of != streams.first + streams.count,
            fmt::format("streams.of={} with streams {} to {}", streams.of, streams.first,
                        streams.first + streams.count - 1),
            "the tests' sequence is of this run's streams, and none is left to other runs",
            "Leave streams.of out.");
  refuse_if(order == WordTurns::interleaved && block != 0,
            fmt::format("battery.block={} with battery.order=interleaved", block),
            "only the blocked and stream orders have blocks",
            "Leave battery.block out, or choose battery.order=blocked.");
  refuse_if(order == WordTurns::blocked && (block == 0 || block % streams.count != 0),
            fmt::format("battery.block={} for {} streams", block, streams.count),
            "each stream fills an equal share of a block", "Choose a multiple of streams.count.");
  refuse_if(order == WordTurns::by_stream && block == 0,
            "battery.order=stream without battery.block",
            "it is how many words of each stream come in turn", "Give it.");
  has_generator() ? check_generator() : check_source();
}

void BatteryOptions::check_sequence() const {
  refuse_if(!is_shared() && (bytes != 0 || chunk != BatteryOptions().chunk),
            "battery.bytes or battery.chunk without battery.sequence=shared",
            "other tests have a length of their own", "Leave them out, or share the sequence.");
  refuse_if(repeat > 1 && (is_shared() || !has_generator()),
            fmt::format("battery.repeat={} with {}", repeat,
                        is_shared() ? "battery.sequence=shared" : "words from outside"),
            is_shared() ? "shared tests may be as long as they need" : "they have no seed",
            "Leave battery.repeat out.");
  refuse_if(seeds > 1 && (!has_generator() || order != WordTurns::interleaved),
            fmt::format("battery.seeds={} with {}", seeds,
                        has_generator() ? "blocks of streams" : "words from outside"),
            "only interleaved streams of a generator take turns with those of other seeds",
            "Leave battery.seeds out, or choose battery.order=interleaved.");
  if (!is_shared()) return;
  for (const BatteryTest& test : list()) {
    const TestClass& kind = class_of(test);
    refuse_if(!kind.pools, fmt::format("battery.sequence=shared with {}", test.name()),
              fmt::format("counts of {} cannot be added up", kind.name),
              "Name other tests, such as long.");
    refuse_if(chunk < kind.least_chunk(test),
              fmt::format("battery.chunk={} is too short for {}", chunk, test.name()),
              fmt::format("it needs {} words", kind.least_chunk(test)), "Give a longer one.");
  }
  refuse_if(bytes != 0 && chunks() == 0,
            fmt::format("battery.bytes={} with chunks of {} words", bytes, chunk),
            "there is not one whole chunk", "Give more bytes, or a smaller battery.chunk.");
}

void BatteryOptions::check_generator() const {
  refuse_if(form.halves != 1 || form.is_big_endian,
            "battery.word_bits or battery.byte_order with battery.source=generator",
            "they are of words from outside", "Leave them out, or name the source.");
  const Generator& facts = streams.generator_facts();
  const bool are_low = bits == WordBits::low8 || bits == WordBits::low1;
  refuse_if(are_low && (facts.bits < 32 || facts.bits == 48),
            fmt::format("battery.bits={} with {}: no such bits", bits_name(), facts.name),
            fmt::format("words have the upper {} bits of its numbers of {}",
                        facts.bits < 32 ? 16 : 32, facts.bits),
            "Choose battery.bits=all or reversed.");
  double words = static_cast<double>(first_word);
  for (const BatteryTest& test : list()) {
    words += static_cast<double>(test.N) * static_cast<double>(class_of(test).words(test));
  }
  refuse_if(words * static_cast<double>(words_per_word()) >= 0x1p63,
            fmt::format("battery.first_word={} and battery.step={}", first_word, step),
            "the tests would read words beyond 2^63 of the streams", "Choose smaller ones.");
}

void BatteryOptions::check_source() const {
  refuse_if(order != WordTurns::interleaved || step != 1,
            fmt::format("battery.order or battery.step with battery.source={}", source),
            "they choose among the words of streams",
            "Leave battery.order, battery.block and battery.step out.");
  refuse_if(is_pipe() && sequence == TestTurns::each,
            fmt::format("battery.sequence=each with battery.source={}", source),
            "a pipe's words are gone once they were read",
            "Choose battery.sequence=testu01 or shared, or name a file.");
  if (!is_pipe()) static_cast<void>(io::RawWords(source, form));
}

std::vector<BatteryTest> BatteryOptions::list() const {
  std::vector<BatteryTest> tests_of_seed = tests_named(tests);
  if (!is_shared()) return tests_of_seed;
  for (BatteryTest& test : tests_of_seed) {
    test.N = 1;
    test = fitted(test, chunk);
    test.pooled = true;
    test.N = chunks();
  }
  return tests_of_seed;
}

std::vector<BatteryTest> BatteryOptions::all_tests() const {
  const std::vector<BatteryTest> tests_of_seed = list();
  std::vector<BatteryTest> all;
  for (std::uint64_t k = 0; k < repeat; ++k) {
    all.insert(all.end(), tests_of_seed.begin(), tests_of_seed.end());
  }
  return all;
}

std::uint64_t BatteryOptions::chunks() const {
  constexpr std::uint64_t usual = std::uint64_t{1} << 30;  // words
  if (bytes != 0) return bytes / sizeof(std::uint32_t) / chunk;
  return std::max<std::uint64_t>((has_generator() ? usual : most_words) / chunk, 1);
}

std::string BatteryOptions::bits_name() const { return io::Binder::name_in(all_bits(), bits); }

bool BatteryOptions::is_pipe() const {
  std::error_code missing;
  return source == "stdin" || std::filesystem::is_fifo(source, missing);
}

std::uint64_t BatteryOptions::words_per_word() const {
  return step * (bits == WordBits::low8 ? 4 : bits == WordBits::low1 ? 32 : 1);
}

std::uint64_t BatteryOptions::numbers_per_stream() const {
  constexpr std::uint64_t read_ahead = std::uint64_t{1} << 28;  // a device's tile, on a CPU too
  std::uint64_t words = first_word + read_ahead;
  if (is_shared()) words += chunks() * chunk;
  std::uint64_t of_tests = 0;
  for (const BatteryTest& test : list()) {
    const std::uint64_t own = (test.pooled ? 1 : test.N) * class_of(test).most_words(test);
    of_tests = sequence == TestTurns::testu01 ? of_tests + own : std::max(of_tests, own);
  }
  words = (words + of_tests) * words_per_word();
  const std::uint64_t of_each = words / streams.count + 1 + word_order().run;
  return of_each * streams.numbers_per_word();
}

WordOrder BatteryOptions::word_order() const {
  const std::uint64_t run = order == WordTurns::blocked ? block / streams.count : block;
  return {run, bits, step};
}

}  // namespace rivulet
