// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/battery_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "battery/run_tests.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t max_words = 1000000000000000;  // 10^15
constexpr std::uint64_t min_chunk_words = 4096;

const io::Binder::Choices<WordBits>& all_bits() {
  static const io::Binder::Choices<WordBits> all{
      {"all", WordBits::all, "words as they are"},
      {"reversed", WordBits::reversed, "the last bit of each word first"},
      {"low8", WordBits::low8, "the low 8 bits of four words, the first word's lowest"},
      {"low1", WordBits::low1, "the lowest bit of 32 words, the first word's lowest"}};
  return all;
}

void refuse_if(bool is_refused, const std::string& problem, const std::string& why,
               const std::string& what_to_do) {
  if (is_refused) throw Error(problem, why, what_to_do);
}

}  // namespace

io::Schema BatteryOptions::schema() {
  const auto bind = [this](io::Binder& binder) {
    // Parts differ in their tests or, with shared tests, in their words.
    const auto id_if = [](bool is_id) { return is_id ? io::Effect::id : io::Effect::result; };
    binder.text("tests", tests,
                "sets (default, long, beyond, windows; TestU01's small, crush, big), or tests by "
                "number (small.3), separated by blanks",
                id_if(sequence == TestTurns::each));
    binder.choice<TestTurns>(
        "sequence", sequence,
        {{"auto", TestTurns::automatic, "shared for the sets default and long, else testu01"},
         {"testu01", TestTurns::testu01, "each test begins where the one before ended"},
         {"each", TestTurns::each, "each test begins at first_word"},
         {"shared", TestTurns::shared, "all tests read each chunk"}},
        "which words tests read");
    binder.integer("chunk", chunk, {0, max_words},
                   "words per chunk of shared tests, at least 4096; auto: 2^28, or 2^30 with the "
                   "set long",
                   "words", io::Effect::result, io::Zero::means_auto);
    binder.bytes(
        "bytes", bytes, {0, std::uint64_t{1} << 55},
        "length of the sequence of shared tests; auto: one chunk, or all words from outside",
        id_if(is_shared()), io::Zero::means_auto);
    binder.integer("seeds", seeds, {1, 65536}, "successive seeds whose streams are interleaved",
                   "seeds");
    binder.integer("repeat", repeat, {1, 1000000},
                   "repeats, each with the next seeds, judged together");
    binder.integer("first_word", first_word, {0, max_words},
                   "words of the sequence before the first test", "words", id_if(is_shared()));
    binder.integer("step", step, {1, std::uint64_t{1} << 24},
                   "tests read the first of every so many words", "words");
    binder.choice<WordTurns>(
        "order", order,
        {{"interleaved", WordTurns::interleaved, "word i is word i / S of stream i % S"},
         {"blocked", WordTurns::blocked, "each stream fills a share of every `block`"},
         {"stream", WordTurns::by_stream, "a `block` of each stream in turn"}},
        "order of the S streams' words");
    binder.integer("block", block, {0, max_words},
                   "words per block: of all streams (blocked; a multiple of streams.count), or of "
                   "one (stream)",
                   "words");
    binder.choice("bits", bits, all_bits(), "which bits of a word tests read");
    binder.file("source", source, io::FileUse::read_unless_word,
                "generator (the streams), or raw words, whatever the section streams says: stdin, "
                "a file or a pipe");
    binder.integer("streams", source_streams, {1, std::uint64_t{1} << 24},
                   "streams whose words take turns in another source", "streams");
    binder.choice<std::uint64_t>(
        "word_bits", form.halves,
        {{"32", 1, "as tests read them"}, {"64", 2, "two words, the lower half first"}},
        "bits of the words of another source");
    binder.choice<bool>("byte_order", form.is_big_endian,
                        {{"little", false, "the lowest byte of a word first"},
                         {"big", true, "the highest byte first"}},
                        "byte order of the words of another source");
    binder.bytes("memory", memory, {0, std::uint64_t{1} << 50},
                 "limit per rank on words and sorted keys; auto: what tests need, and words in "
                 "cache (CPU) or 1 GiB of them (GPU)",
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
  refuse_if(streams.family_streams != 0 && streams.family_streams != streams.first + streams.count,
            fmt::format("streams.of={} with streams {} to {}", streams.family_streams,
                        streams.first, streams.first + streams.count - 1),
            "a battery tests all streams of its deck, so no other run can share them",
            "Omit streams.of.");
  refuse_if(order == WordTurns::interleaved && block != 0,
            fmt::format("battery.block={} with battery.order=interleaved", block),
            "only the blocked and stream orders have blocks",
            "Omit battery.block, or choose battery.order=blocked.");
  refuse_if(order == WordTurns::blocked && (block == 0 || block % streams.count != 0),
            fmt::format("battery.block={} for {} streams", block, streams.count),
            "each stream fills an equal share of a block",
            "Set battery.block to a multiple of streams.count.");
  refuse_if(
      order == WordTurns::by_stream && block == 0, "battery.order=stream without battery.block",
      "that key says how many words of each stream come in turn", "Set battery.block=1 or more.");
  has_generator() ? check_generator() : check_source();
}

void BatteryOptions::check_sequence() const {
  refuse_if(!is_shared() && (bytes != 0 || chunk != 0),
            "battery.bytes or battery.chunk without battery.sequence=shared",
            "other tests have a fixed length", "Omit both, or set battery.sequence=shared.");
  refuse_if(repeat > 1 && (is_shared() || !has_generator()),
            fmt::format("battery.repeat={} with {}", repeat,
                        is_shared() ? "battery.sequence=shared" : "words from outside"),
            is_shared() ? "battery.bytes sets the length of shared tests" : "they have no seed",
            "Omit battery.repeat.");
  refuse_if(seeds > 1 && (!has_generator() || order != WordTurns::interleaved),
            fmt::format("battery.seeds={} with {}", seeds,
                        has_generator() ? "blocks of streams" : "words from outside"),
            "only a generator's interleaved streams can alternate with those of other seeds",
            has_generator() ? "Omit battery.seeds, or choose battery.order=interleaved."
                            : "Omit battery.seeds.");
  refuse_if(repeat > KeptWindow::max_repeats &&
                std::ranges::count(list(), TestKind::overlaps, &BatteryTest::kind) > 0,
            fmt::format("battery.repeat={} with Overlaps", repeat),
            fmt::format("it keeps windows of at most {} repeats", KeptWindow::max_repeats),
            "Lower battery.repeat, or choose other battery.tests.");
  refuse_if(list().empty(), fmt::format("battery.tests={} leaves no test", tests),
            "with one stream, a short battery.chunk, or no FFTW, the set default omits tests",
            "Choose other battery.tests, or raise streams.count or battery.chunk.");
  if (!is_shared()) return;
  refuse_if(chunk_words() < min_chunk_words, fmt::format("battery.chunk={}", chunk),
            fmt::format("a chunk has at least {} words", min_chunk_words),
            fmt::format("Set battery.chunk={} or more.", min_chunk_words));
  for (const BatteryTest& test : list()) {
    const TestClass& kind = class_of(test);
    refuse_if(!kind.pools, fmt::format("battery.sequence=shared with {}", test.name()),
              fmt::format("counts of {} from different chunks cannot be added", kind.name),
              "Choose other battery.tests, such as battery.tests=default.");
    refuse_if(test.n == 0 || chunk_words() < kind.min_chunk_words(test),
              fmt::format("battery.chunk={} is too short for {}", chunk_words(), test.name()),
              fmt::format("it needs {} words", kind.min_chunk_words(test)),
              fmt::format("Set battery.chunk={} or more.", kind.min_chunk_words(test)));
  }
  refuse_if(bytes != 0 && chunks() == 0,
            fmt::format("battery.bytes={} with chunks of {} words", bytes, chunk_words()),
            "that is less than one chunk", "Raise battery.bytes, or lower battery.chunk.");
}

void BatteryOptions::check_generator() const {
  refuse_if(form.halves != 1 || form.is_big_endian || source_streams != 1,
            "battery.word_bits, battery.byte_order or battery.streams with "
            "battery.source=generator",
            "they describe words from outside",
            "Omit them, or set battery.source=stdin or a file.");
  const Generator& facts = streams.generator_facts();
  const bool are_low = bits == WordBits::low8 || bits == WordBits::low1;
  refuse_if(are_low && (facts.bits < 32 || facts.bits == 48),
            fmt::format("battery.bits={} with {}", bits_name(), facts.name),
            fmt::format("words have only the upper {} bits of its {}-bit numbers",
                        facts.bits < 32 ? 16 : 32, facts.bits),
            "Choose battery.bits=all or reversed.");
  double words = static_cast<double>(first_word);
  for (const BatteryTest& test : list()) {
    words += static_cast<double>(test.N) * static_cast<double>(usual_words_of(test));
  }
  refuse_if(words * static_cast<double>(drawn_words_per_word()) >= 0x1p63,
            fmt::format("battery.first_word={} and battery.step={}", first_word, step),
            "the tests would read past word 2^63 of the streams",
            "Lower battery.first_word or battery.step.");
}

void BatteryOptions::check_source() const {
  refuse_if(order != WordTurns::interleaved || step != 1,
            fmt::format("battery.order or battery.step with battery.source={}", source),
            "they choose among the words of a generator's streams",
            "Omit battery.order, battery.block and battery.step.");
  refuse_if(is_pipe() && turns() == TestTurns::each,
            fmt::format("battery.sequence=each with battery.source={}", source),
            "a pipe can be read only once",
            "Choose battery.sequence=testu01 or shared, or set battery.source=FILE.");
  if (!is_pipe()) static_cast<void>(io::RawWords(source, form));
}

std::vector<BatteryTest> BatteryOptions::list() const {
  std::vector<BatteryTest> all = arranged_tests();
  std::erase_if(all, [this](const BatteryTest& test) { return is_omitted(test); });
  return all;
}

std::vector<std::string> BatteryOptions::left_out() const {
  std::vector<std::string> names;
  for (const BatteryTest& test : arranged_tests()) {
    if (is_omitted(test)) names.push_back(test.name());
  }
  return names;
}

std::vector<BatteryTest> BatteryOptions::arranged_tests() const {
  std::vector<BatteryTest> tests_of_seed = tests_named(tests);
  for (BatteryTest& test : tests_of_seed) {
    if (is_shared() || test.stream_order != StreamOrder::in_turn) {
      test = arranged(test, interleaving(), is_shared() ? chunk_words() : separated_words);
    }
    if (!is_shared()) continue;
    test.pooled = true;
    const std::uint64_t words = std::max<std::uint64_t>(usual_words_of(test), 1);
    test.replications_per_chunk = std::clamp<std::uint64_t>(chunk_words() / words, 1, test.N);
    test.N = test.replications_per_chunk * chunks();
  }
  return tests_of_seed;
}

bool BatteryOptions::is_omitted(const BatteryTest& test) const {
  // A test that reads the streams separately needs items, and more than one stream.
  if (test.stream_order != StreamOrder::in_turn && (test.n == 0 || interleaving().streams == 1))
    return true;
  if (test.set == "default" && lacks_transforms(test)) return true;
  return is_shared() && test.set == "default" &&
         (chunk_words() < class_of(test).min_chunk_words(test) || !is_judgeable(test));
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
  if (bytes != 0) return bytes / sizeof(std::uint32_t) / chunk_words();
  return has_generator() ? 1 : std::max<std::uint64_t>(max_words / chunk_words(), 1);
}

TestTurns BatteryOptions::turns() const {
  if (sequence != TestTurns::automatic) return sequence;
  std::istringstream names(tests);
  for (std::string name; names >> name;) {
    if (!name.starts_with("default") && !name.starts_with("long")) return TestTurns::testu01;
  }
  return TestTurns::shared;
}

std::uint64_t BatteryOptions::chunk_words() const {
  if (chunk != 0) return chunk;
  return std::uint64_t{1} << (tests.find("long") == std::string::npos ? 28 : 30);
}

Interleaving BatteryOptions::interleaving() const {
  const std::uint64_t run = std::max<std::uint64_t>(word_order().run, form.halves);
  Interleaving words{has_generator() ? streams.count * seeds : source_streams, run};
  const std::uint64_t each = drawn_words_per_word();
  if (each == 1) return words;
  // Each word of the sequence is computed from `each` drawn words. If `run` is 1, the drawn words
  // belong to several streams. If `each` divides `run`, they belong to one stream. Otherwise, all
  // streams count as one.
  if (run == 1) return {words.streams / std::gcd(words.streams, each), 1};
  return run % each == 0 ? Interleaving{words.streams, run / each} : Interleaving{};
}

std::string BatteryOptions::bits_name() const { return io::Binder::name_in(all_bits(), bits); }

bool BatteryOptions::is_pipe() const {
  std::error_code missing;
  return source == "stdin" || std::filesystem::is_fifo(source, missing);
}

std::uint64_t BatteryOptions::drawn_words_per_word() const {
  return step * (bits == WordBits::low8 ? 4 : bits == WordBits::low1 ? 32 : 1);
}

std::uint64_t BatteryOptions::numbers_per_stream() const {
  constexpr std::uint64_t read_ahead = std::uint64_t{1} << 28;  // a device's tile, even on a CPU
  std::uint64_t words = first_word + read_ahead;
  if (is_shared()) words += chunks() * chunk_words();
  std::uint64_t test_words = 0;
  for (const BatteryTest& test : list()) {
    const std::uint64_t words_of_test = (test.pooled ? 1 : test.N) * max_words_of(test);
    test_words = turns() == TestTurns::testu01 ? test_words + words_of_test
                                               : std::max(test_words, words_of_test);
  }
  words = (words + test_words) * drawn_words_per_word();
  const std::uint64_t stream_words = words / streams.count + 1 + word_order().run;
  return stream_words * streams.numbers_per_word();
}

WordOrder BatteryOptions::word_order() const {
  const std::uint64_t run = order == WordTurns::blocked ? block / streams.count : block;
  return {run, bits, step};
}

}  // namespace rivulet
