// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "deck_tables.hpp"
#include "io/deck/deck.hpp"
#include "io_example_schema.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using rivulet::test::message_of;
using test::Example;
using test::Kernel;
using testing::HasSubstr;

TEST(Schema, ResolvesToValuesAlone) {
  Example example;
  EXPECT_EQ(resolved(example.schema()),
            "job: pi\n"
            "pi:\n"
            "  points: 10000000000\n"
            "  lanes: auto\n"
            "  tolerance: 0.1\n"
            "  check: true\n"
            "  parameters: shipped\n"
            "  memory: 256 MiB\n"
            "  buffer: auto\n"
            "  sizes: [10, 200]\n"
            "  kernel: fused\n"
            "output:\n"
            "  path: \"\"\n");
}

TEST(Schema, ResolvedReadsBackToTheSame) {
  Example written;
  written.points = 3;
  written.lanes = 7;
  written.tolerance = 1.0 / 3;
  written.check = false;
  written.parameters = "a \"b\"\\: #c\n\x01 \xc3\xa9";
  written.memory = 12345;
  written.buffer = 4096;
  written.sizes = {7};
  written.kernel = Kernel::stored;
  written.path = "null";
  const std::string text = resolved(written.schema());

  Example read;
  Deck::parse(text, "deck").read_into(read.schema());
  EXPECT_EQ(read.points, 3U);
  EXPECT_EQ(read.lanes, 7U);
  EXPECT_EQ(read.tolerance, 1.0 / 3);
  EXPECT_FALSE(read.check);
  EXPECT_EQ(read.parameters, written.parameters);
  EXPECT_EQ(read.memory, 12345U);
  EXPECT_EQ(read.buffer, 4096U);
  EXPECT_EQ(read.sizes, written.sizes);
  EXPECT_EQ(read.kernel, Kernel::stored);
  EXPECT_EQ(read.path, "null");
  EXPECT_EQ(resolved(read.schema()), text);
}

/// Texts that YAML would misread must be quoted.
TEST(Schema, TextsReadBackToTheSame) {
  for (const char* text : {"-", "--", "-o.h5", "null", "~", "a: b", "a #b", "[a]", "*a", "a,b"}) {
    Example written;
    written.path = text;
    Example read;
    Deck::parse(resolved(written.schema()), "deck").read_into(read.schema());
    EXPECT_EQ(read.path, text);
  }
}

TEST(Schema, DefaultDeckReadsBackToTheDefaults) {
  Example example;
  Example changed;
  changed.points = 1;
  changed.kernel = Kernel::stored;
  const auto deck = Deck::parse(default_deck(example.schema()), "default");
  EXPECT_EQ(deck.job(), "pi");
  deck.read_into(changed.schema());
  EXPECT_EQ(resolved(changed.schema()), resolved(example.schema()));
}

TEST(Schema, DefaultDeckExplainsEveryKey) {
  Example example;
  const std::string deck = default_deck(example.schema());
  EXPECT_THAT(deck, HasSubstr("# Estimates pi from points in a square.\n"));
  EXPECT_THAT(deck, HasSubstr("# What is computed.\npi:\n"));
  EXPECT_THAT(deck, HasSubstr("  # How many points.\n"
                              "  # Range: 1 to 1000000000000000 points.\n"
                              "  points: 10000000000\n"));
  EXPECT_THAT(deck, HasSubstr("# Range: 1 to 64.\n  lanes: auto\n"));
  EXPECT_THAT(deck, HasSubstr("# Range: 1 B to 1 TiB.\n  memory: 256 MiB\n"));
  EXPECT_THAT(deck, HasSubstr("# Range: 1 to 1000 words.\n  sizes: [10, 200]\n"));
  EXPECT_THAT(deck, HasSubstr("fused: numbers never leave registers\n"));
}

TEST(Schema, DefaultDeckKeepsItsLinesShort) {
  std::uint64_t value = 1;
  std::string doc;
  for (int i = 0; i < 60; ++i) doc += "word ";
  const Schema schema("job", doc, {{"a", doc, [&](Binder& b) { b.integer("k", value, {}, doc); }}});
  std::istringstream lines(default_deck(schema));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Schema, MarkdownHasAnEntryForEveryKey) {
  Example example;
  const std::string text = markdown({example.schema()});
  EXPECT_THAT(text, HasSubstr("### `pi`\n\n- `"));
  EXPECT_THAT(text, HasSubstr("- `points: 10000000000`: How many points. 1 to "
                              "1000000000000000 points\n"));
  EXPECT_THAT(text, HasSubstr("- `buffer: auto` (speed): Size"));
  EXPECT_THAT(text, HasSubstr("Greatest deviation | allowed."));
  EXPECT_THAT(text, HasSubstr("<br>\n  `stored`: numbers go through memory\n"));
}

TEST(Schema, MarkdownHasWhatJobsShareOnce) {
  std::uint64_t few = 1;
  std::uint64_t many = 9;
  const auto section = [](std::uint64_t& count, const std::string& meaning) {
    return SectionSchema{"numbers", "How many.", [&count, meaning](Binder& b) {
                           b.integer("count", count, {}, meaning);
                           std::uint64_t same = 5;
                           b.integer("seed", same, {}, "where they start");
                         }};
  };
  const std::string text = markdown({Schema("a", "One.", {section(few, "all of them")}),
                                     Schema("b", "Two.", {section(many, "all of them")}),
                                     Schema("c", "Three.", {section(few, "something else")})});
  EXPECT_EQ(text,
            "\n## Sections that jobs share\n"
            "\n### `numbers`\n\n"
            "- `count`: all of them\n- `seed: 5`: where they start\n"
            "\n## `job: a`\n\nOne.\n\nShared: `numbers` (`count: 1`).\n"
            "\n## `job: b`\n\nTwo.\n\nShared: `numbers` (`count: 9`).\n"
            "\n## `job: c`\n\nThree.\n"
            "\n### `numbers`\n\n"
            "- `count: 1`: something else\n- `seed: 5`: where they start\n");
}

TEST(Schema, RefusesADefaultThatIsNoChoice) {
  Example example;
  example.kernel = static_cast<Kernel>(9);
  EXPECT_THAT(message_of([&] { resolved(example.schema()); }),
              HasSubstr("the default of 'kernel' is not among its choices"));
}

TEST(Schema, PrintsASectionWithoutKeys) {
  const Schema schema("job", "", {{"empty", "", [](Binder&) {}}});
  EXPECT_NO_THROW(Deck::parse(resolved(schema), "deck").read_into(schema));
}

}  // namespace
}  // namespace rivulet::io
