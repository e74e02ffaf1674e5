// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/deck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io_example_schema.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using rivulet::test::message_of;
using rivulet::test::TemporaryFolder;
using test::Example;
using test::Kernel;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Example read(const std::string& text) {
  Example example;
  Deck::parse(text, "inputs/pi.yaml").read_into(example.schema());
  return example;
}

std::string failure(const std::string& text) {
  return message_of([&] { read(text); });
}

std::string failure_of_value(const std::string& assignment) {
  return failure("job: pi\npi:\n  " + assignment + "\n");
}

TEST(Deck, ReadsWhatItNamesAndKeepsTheRest) {
  const auto example = read(
      "# a comment\njob: pi\npi:\n  points: 1e10\n  kernel: stored\n  check: off\n"
      "  memory: 1.5 GiB\n  tolerance: 1e-3\n  parameters: \"my file.h5\"\n");
  EXPECT_EQ(example.points, 10'000'000'000U);
  EXPECT_EQ(example.kernel, Kernel::stored);
  EXPECT_FALSE(example.check);
  EXPECT_EQ(example.memory, std::uint64_t{3} << 29);
  EXPECT_EQ(example.tolerance, 1e-3);
  EXPECT_EQ(example.parameters, "my file.h5");
  EXPECT_EQ(example.lanes, 0U);
  EXPECT_EQ(example.path, "");
}

TEST(Deck, ReadsLists) {
  using List = std::vector<std::uint64_t>;
  EXPECT_EQ(read("job: pi\npi:\n  sizes: [1, 1e2,  3 ]\n").sizes, (List{1, 100, 3}));
  EXPECT_EQ(read("job: pi\npi:\n  sizes:\n  - 4\n  - 5\n").sizes, (List{4, 5}));
  EXPECT_EQ(read("job: pi\npi:\n  sizes: 6\n").sizes, List{6});
  Example example;
  Deck deck = Deck::parse("job: pi\n", "deck");
  deck.override_with("pi.sizes=7,8");
  deck.read_into(example.schema());
  EXPECT_EQ(example.sizes, (List{7, 8}));
  deck.override_with("pi.sizes=[9]");
  deck.read_into(example.schema());
  EXPECT_EQ(example.sizes, List{9});

  EXPECT_THAT(failure_of_value("sizes: []"), HasSubstr("it is empty"));
  EXPECT_THAT(failure_of_value("sizes: [1, two]"), HasSubstr("'two' is not a whole number"));
  EXPECT_THAT(failure_of_value("sizes: [1, 1001]"), HasSubstr("1001 is out of range"));
  EXPECT_THAT(failure_of_value("sizes: [1, [2]]"), HasSubstr("(it is a list)"));
}

TEST(Deck, NamesItsJob) {
  EXPECT_EQ(Deck::parse("job: pi\n", "d").job(), "pi");
  EXPECT_THAT(message_of([] { Deck::parse("pi: {}\n", "inputs/pi.yaml").job(); }),
              AllOf(StartsWith("inputs/pi.yaml: the deck names no job"), HasSubstr("--list")));
}

TEST(Deck, AcceptsAnEmptySection) { EXPECT_EQ(read("job: pi\npi:\noutput: {}\n").lanes, 0U); }

TEST(Deck, TellsTheNearestKey) {
  EXPECT_EQ(failure("job: pi\n\npi:\n  ponts: 5\n"),
            "inputs/pi.yaml:4: unknown key 'ponts' in section 'pi' (keys of 'pi': points, lanes, "
            "tolerance, check, parameters, memory, buffer, sizes, kernel). Did you mean 'points'?");
}

TEST(Deck, TellsWhatToUseForRemovedKeysAndValues) {
  std::string kernel = "fused";
  const auto bind = [&](Binder& binder) { binder.text("kernel", kernel, "How."); };
  const Schema schema(
      "pi", "",
      {{"pi",
        "",
        bind,
        {{"dots", "", "Use pi.points."}, {"kernel", "tiled", "Use pi.kernel=fused."}}}});
  const auto failure = [&](const std::string& line) {
    return message_of([&] { Deck::parse("job: pi\npi:\n  " + line, "d").read_into(schema); });
  };
  EXPECT_EQ(failure("dots: 5"),
            "d:3: pi.dots was removed (earlier versions of Rivulet had it). Use pi.points.");
  EXPECT_EQ(failure("kernel: tiled"),
            "d:3: pi.kernel=tiled was removed (earlier versions of Rivulet had it). Use "
            "pi.kernel=fused.");
  EXPECT_EQ(failure("kernel: stored"), "nothing was thrown");
}

TEST(Deck, SuggestsNothingFarFetched) {
  EXPECT_THAT(failure_of_value("xyzzy: 1"),
              AllOf(HasSubstr("unknown key 'xyzzy'"), HasSubstr("--dump-default pi")));
}

TEST(Deck, RefusesUnknownSections) {
  EXPECT_EQ(failure("job: pi\nouput:\n  path: a\n"),
            "inputs/pi.yaml:2: unknown section 'ouput' (sections of job 'pi': pi, output). Did you "
            "mean 'output'?");
}

TEST(Deck, RefusesDuplicates) {
  EXPECT_THAT(failure("job: pi\npi:\n  points: 1\n  points: 2\n"),
              AllOf(StartsWith("inputs/pi.yaml:4: key 'points' occurs twice"),
                    HasSubstr("inputs/pi.yaml:3")));
  EXPECT_THAT(failure("job: pi\npi: {}\npi: {}\n"),
              AllOf(StartsWith("inputs/pi.yaml:3: section 'pi' occurs twice"),
                    HasSubstr("inputs/pi.yaml:2")));
  EXPECT_THAT(failure("job: pi\njob: pi\n"),
              StartsWith("inputs/pi.yaml:2: key 'job' occurs twice"));
}

TEST(Deck, RefusesWhatIsNoDeck) {
  EXPECT_THAT(failure(""), AllOf(StartsWith("inputs/pi.yaml: not a deck"), HasSubstr("empty")));
  EXPECT_THAT(failure("- a\n- b\n"), HasSubstr("not a list of 'key: value'"));
  EXPECT_THAT(failure("word"), HasSubstr("not a list of 'key: value'"));
  EXPECT_THAT(failure("job: pi\n---\njob: pi\n"), HasSubstr("several YAML documents"));
  EXPECT_THAT(failure("job: pi\npi: 5\n"), StartsWith("inputs/pi.yaml:2: 'pi' is not a section"));
  EXPECT_THAT(failure("job: pi\n? [1, 2]\n: 3\n"), StartsWith("inputs/pi.yaml:2: invalid key"));
}

TEST(Deck, TellsWhereTheYamlIsWrong) {
  EXPECT_THAT(failure("job: pi\npi:\n  points: [1, 2\n"),
              AllOf(StartsWith("inputs/pi.yaml:"), HasSubstr("cannot read the deck")));
  EXPECT_THAT(failure("job: pi\npi:\n\tpoints: 1\n"), StartsWith("inputs/pi.yaml:3: cannot read"));
  EXPECT_THAT(failure("job: pi\npi:\n  points: *nothing\n"), StartsWith("inputs/pi.yaml:3: "));
}

TEST(Deck, RefusesValuesThatAreNoScalars) {
  EXPECT_THAT(failure_of_value("points:"),
              AllOf(StartsWith("inputs/pi.yaml:3: wrong value for 'points'"), HasSubstr("empty")));
  EXPECT_THAT(failure_of_value("points: [1, 2]"), HasSubstr("(it is a list)"));
  EXPECT_THAT(failure_of_value("points: {a: 1}"), HasSubstr("section within a section"));
  EXPECT_THAT(failure("job: [a]\n"), HasSubstr("wrong value for 'job'"));
}

TEST(Deck, ReadsWholeNumbersInEveryForm) {
  std::uint64_t value = 0;
  const Schema schema("j", "", {{"s", "", [&](Binder& b) { b.integer("k", value, {}, ""); }}});
  const auto integer = [&](const std::string& text) {
    Deck::parse("s: {k: " + text + "}", "d").read_into(schema);
    return value;
  };
  EXPECT_EQ(integer("10000000000"), 10'000'000'000U);
  EXPECT_EQ(integer("1e10"), 10'000'000'000U);
  EXPECT_EQ(integer("1.5e9"), 1'500'000'000U);
  EXPECT_EQ(integer("1.0"), 1U);
  EXPECT_EQ(integer("250e-1"), 25U);
  EXPECT_EQ(integer("+7"), 7U);
  EXPECT_EQ(integer("0"), 0U);
  EXPECT_EQ(integer("0e99"), 0U);
  EXPECT_EQ(integer("0x33ff"), 0x33ffU);
  EXPECT_EQ(integer("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(integer("1.8446744073709551615e19"), std::numeric_limits<std::uint64_t>::max());
}

TEST(Deck, RefusesNumbersThatAreNotWhole) {
  const std::string begin = "inputs/pi.yaml:3: wrong value for 'points' in section 'pi' ";
  const std::string end = "). Give a whole number from 1 to 1000000000000000 (points).";
  EXPECT_EQ(failure_of_value("points: ten"), begin + "('ten' is not a whole number" + end);
  EXPECT_EQ(failure_of_value("points: 1.5"), begin + "('1.5' is not a whole number" + end);
  EXPECT_EQ(failure_of_value("points: -3"), begin + "('-3' is negative" + end);
  EXPECT_EQ(failure_of_value("points: 1e-3"), begin + "('1e-3' is not a whole number" + end);
  EXPECT_EQ(failure_of_value("points: 0"), begin + "(0 is out of range" + end);
  EXPECT_EQ(failure_of_value("points: 1e16"), begin + "(1e16 is out of range" + end);
  EXPECT_EQ(failure_of_value("points: 1e20"), begin + "('1e20' is more than 2^64 - 1" + end);
  EXPECT_EQ(failure_of_value("points: '5'"), begin + "('5' is text in quotes, not a number" + end);
  EXPECT_EQ(failure_of_value("points: auto"), begin + "('auto' is not a whole number" + end);
}

TEST(Deck, ReadsAutoWhereItIsDeclared) {
  EXPECT_EQ(read("job: pi\npi: {lanes: auto, buffer: auto}\n").lanes, 0U);
  EXPECT_THAT(failure_of_value("lanes: 65"), HasSubstr("from 1 to 64, or auto."));
}

TEST(Deck, RefusesOtherWrongValues) {
  EXPECT_THAT(failure_of_value("tolerance: wide"), HasSubstr("'wide' is not a finite number"));
  EXPECT_THAT(failure_of_value("tolerance: .inf"), HasSubstr("not a finite number"));
  EXPECT_THAT(failure_of_value("tolerance: 1e999"), HasSubstr("beyond the range of a double"));
  EXPECT_THAT(failure_of_value("tolerance: 2"),
              HasSubstr("(2 is out of range). Give a number from 0 to 1 (radians)."));
  EXPECT_THAT(failure_of_value("check: maybe"), HasSubstr("'maybe' is neither true nor false"));
  EXPECT_THAT(failure_of_value("check: 'true'"), HasSubstr("neither true nor false"));
  EXPECT_THAT(failure_of_value("memory: 5 MB"),
              HasSubstr("'5 MB' is not a number of B, KiB, MiB, GiB or TiB"));
  EXPECT_THAT(failure_of_value("memory: 16777216 TiB"),
              HasSubstr("('16777216 TiB' is more than 2^64 - 1)"));
  EXPECT_THAT(failure_of_value("memory: 2 TiB"),
              HasSubstr("out of range). Give a size such as 256 MiB from 1 B to 1 TiB."));
  EXPECT_EQ(failure_of_value("kernel: fusd"),
            "inputs/pi.yaml:3: wrong value for 'kernel' in section 'pi' ('fusd' is not one of: "
            "fused, stored). Did you mean 'fused'?");
}

TEST(Deck, LetsTheCommandLineWin) {
  auto deck = Deck::parse("job: pi\npi:\n  points: 5\n", "inputs/pi.yaml");
  deck.override_with("pi.points=6");
  deck.override_with("pi.points=7");
  deck.override_with("output.path=a=b.h5");
  deck.override_with("job=fill");
  Example example;
  deck.read_into(example.schema());
  EXPECT_EQ(example.points, 7U);
  EXPECT_EQ(example.path, "a=b.h5");
  EXPECT_EQ(deck.job(), "fill");
  EXPECT_EQ(deck.location("pi.points"), "command line: pi.points=7");
}

TEST(Deck, NamesTheCommandLineInMessages) {
  const auto failure = [](const std::string& assignment) {
    return message_of([&] {
      auto deck = Deck::parse("job: pi\n", "inputs/pi.yaml");
      deck.override_with(assignment);
      Example example;
      deck.read_into(example.schema());
    });
  };
  EXPECT_THAT(failure("pi.ponts=5"),
              StartsWith("command line: pi.ponts=5: unknown key 'ponts' in section 'pi'"));
  EXPECT_THAT(failure("py.points=5"),
              StartsWith("command line: py.points=5: unknown section 'py'"));
  EXPECT_THAT(failure("pi.points=ten"),
              StartsWith("command line: pi.points=ten: wrong value for 'points'"));
  EXPECT_THAT(failure("points"), HasSubstr("Write SECTION.KEY=VALUE, without blanks."));
  EXPECT_THAT(failure("points=5"), HasSubstr("(it names no section). Did you mean 'pi.points=5'?"));
  EXPECT_THAT(failure("pionts=5"),
              HasSubstr("(it names no section). Write SECTION.KEY=VALUE, without blanks."));
  EXPECT_THAT(rivulet::io::failure("job: pi\n\"\": {}\n"), HasSubstr("unknown section ''"));
  EXPECT_THAT(rivulet::io::failure("job: pi\n\"\": {x: 1}\n"), HasSubstr("it names no section"));
  EXPECT_THAT(failure("pi.=5"), HasSubstr("Write SECTION.KEY=VALUE, without blanks."));
  EXPECT_THAT(failure("=5"), HasSubstr("Write SECTION.KEY=VALUE, without blanks."));
  EXPECT_THAT(failure("two.yaml"), HasSubstr("in place of the job: `rivulet two.yaml`."));
  EXPECT_THAT(failure(".points=5"), HasSubstr("Write SECTION.KEY=VALUE, without blanks."));
}

TEST(Deck, LoadsFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "deck.yaml") << "job: pi\n";
  EXPECT_EQ(Deck::load(folder / "deck.yaml").job(), "pi");
  EXPECT_THAT(message_of([&] { Deck::load(folder / "none.yaml"); }),
              AllOf(HasSubstr("none.yaml: cannot read the deck"), HasSubstr("no such file")));
  EXPECT_THAT(message_of([&] { Deck::load(folder.path()); }), HasSubstr("it is a directory"));
}

}  // namespace
}  // namespace rivulet::io
