// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests that the deck reader refuses YAML that decks do not use (such as unterminated quotes,
// control characters, tags and directives), and reads all other YAML.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "io/deck/deck.hpp"
#include "io_example_schema.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using rivulet::test::message_of;
using test::Example;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Example read(const std::string& text) {
  Example example;
  Deck::parse(text, "deck.yaml").read_into(example.schema());
  return example;
}

std::string failure(const std::string& text) {
  return message_of([&] { read(text); });
}

/// Reads a deck that contains `yaml` as the value of a text key, and returns the text.
std::string value(const std::string& yaml) {
  return read("job: pi\npi:\n  parameters: " + yaml + "\n  points: 77\n").parameters;
}

TEST(DeckQuotes, WithoutAnEndAreRefusedWhereTheyBegin) {
  for (const std::string quote : {"'", "\""}) {
    const std::string text = "job: pi\npi:\n  parameters: " + quote + "x.h5\n  points: 77\n";
    EXPECT_EQ(failure(text), "deck.yaml:3: unterminated quote (the text that begins with " + quote +
                                 "x.h5 does not end on this line). Close it with another " + quote +
                                 " on the same line.");
  }
  for (const char* text :
       {"job: 'pi", "job: pi\n'pi:\n  points: 77\n", "job: pi\npi:\n  'points: 77\n",
        "job: pi\npi:\n  parameters: 'it''s\n", "job: pi\npi:\n  parameters: \"a\\\"\n",
        "job: pi\npi:\n  sizes: ['1, 2]\n", "job: pi\npi:\n  sizes:\n  - '1\n  - 2\n",
        "job: pi\npi:\n  parameters: &a 'x\n", "job: pi\r\npi:\r\n  parameters: 'x\r\n",
        "job: pi\npi:\n  parameters: '",
        // Quotes that end on a later line.
        "job: pi\npi:\n  parameters: 'x\n  points: 77'\n",
        "job: pi\npi:\n  parameters: \"x\\\n    y\"\n"}) {
    EXPECT_THAT(failure(text),
                AllOf(StartsWith("deck.yaml:"), testing::AnyOf(HasSubstr("unterminated quote"),
                                                               HasSubstr("cannot read the deck"))))
        << text;
  }
}

TEST(DeckQuotes, ThatEndAreRead) {
  EXPECT_EQ(value("'x.h5'"), "x.h5");
  EXPECT_EQ(value("\"x.h5\""), "x.h5");
  EXPECT_EQ(value("''"), "");
  EXPECT_EQ(value("''''"), "'");
  EXPECT_EQ(value("'it''s'  # isn't it"), "it's");
  EXPECT_EQ(value("'a\"b'"), "a\"b");
  EXPECT_EQ(value("\"a'b\\\"c\\\\\""), "a'b\"c\\");
  EXPECT_EQ(value("\"\\\\\""), "\\");
  EXPECT_EQ(value("\"\\n\\x41\""), "\nA");
  EXPECT_EQ(value("it's"), "it's");
  EXPECT_EQ(value("don't \"quote\" me"), "don't \"quote\" me");
  EXPECT_EQ(value("5\" disk"), "5\" disk");
  EXPECT_EQ(value("&a 'x'"), "x");
  EXPECT_EQ(value("&a\n    # isn't\n    'x'"), "x");
  EXPECT_EQ(value("'!!int'"), "!!int");
  EXPECT_EQ(value("|\n    %x\n"), "%x\n");
  EXPECT_EQ(value("a plain text\n    of 'two' lines"), "a plain text of 'two' lines");
  EXPECT_EQ(value("|-\n    it's \"a block"), "it's \"a block");
  EXPECT_EQ(value(">-\n    it's\n    'folded"), "it's 'folded");
  EXPECT_EQ(value("|\n    don't\n"), "don't\n");
}

TEST(DeckQuotes, ElsewhereAreRead) {
  EXPECT_EQ(read("# isn't\njob: 'pi' # \"\n'pi':\n  \"points\": 77\n").points, 77U);
  EXPECT_EQ(read("{job: 'pi', pi: {\"points\": 77}}").points, 77U);
  EXPECT_EQ(read("---\njob: pi # it's\npi: {points: 77}\n...\n").points, 77U);
  EXPECT_EQ(read("'job': pi\r\n'pi':\r\n  'points': 77\r\n").points, 77U);
  EXPECT_EQ(read("# \xc3\xa9\xe2\x80\x99\n'job': pi\npi: {'points': 77}\n").points, 77U);
  EXPECT_EQ(read("? 'job'\n: pi\n? pi\n: points: 77\n").points, 77U);
  EXPECT_EQ(read("job: pi\npi: &a\n  points: 77\n  parameters: &b 'x'\noutput: {path: *b}\n").path,
            "x");
}

TEST(DeckText, HasNoControlCharacters) {
  EXPECT_EQ(failure(std::string("job: pi\npi:\n  parameters: a\0b\n", 30)),
            "deck.yaml:3: not a deck (it contains the control character \\x00). Give UTF-8 text; "
            "in quotes, write such a character as \"\\x01\".");
  EXPECT_THAT(failure("job: pi # \x1b[2J\n"), HasSubstr("deck.yaml:1: not a deck"));
  EXPECT_THAT(failure("job: pi\x7f\n"), HasSubstr("control character \\x7f"));
  EXPECT_EQ(read("job:\tpi\r\npi:\r\n  points: 77\t# a tab\r\n").points, 77U);
  EXPECT_EQ(value("\"\\x01\""), "\x01");
}

TEST(DeckText, HasNoNul) {
  EXPECT_EQ(failure("job: pi\npi:\n  parameters: \"a\\0b\"\n"),
            "deck.yaml:3: invalid text a\\x00b (it contains a NUL, which ends a file name). "
            "Remove the NUL.");
  EXPECT_THAT(failure("job: pi\npi:\n  \"a\\0b\": 1\n"), HasSubstr("it contains a NUL"));
}

TEST(DeckText, IsShownWithoutControlCharacters) {
  EXPECT_THAT(failure("job: pi\npi:\n  points: \"7\\e[2J\\n8\"\n"), HasSubstr("'7\\x1b[2J\\x0a8'"));
  EXPECT_THAT(failure("job: pi\npi:\n  \"a\\rb\": 1\n"), HasSubstr("unknown key 'a\\x0db'"));
  EXPECT_THAT(failure("job: pi\n\"a\\rb\":\n  a: 1\n"), HasSubstr("unknown section 'a\\x0db'"));
}

/// An input, found by libFuzzer, for which YAML::LoadAll of yaml-cpp 0.7 did not return.
TEST(DeckText, OfDocumentsWithoutEndEnds) {
  EXPECT_THAT(failure("job: pi\n% x: 1\n  a: \"my filepi\npi: &a\n  .h5\"\n , s: [1, 2]\ned\n"),
              StartsWith("deck.yaml"));
  EXPECT_THAT(failure("job: pi\n---\njob: pi\n"), HasSubstr("several YAML documents"));
}

TEST(DeckText, OfAliasesEndsWhereDecksEnd) {
  std::string text = "job: pi\npi:\n  k: &a ";
  text.append(100000, 'x').append("\n");
  for (int i = 0; i < 20; ++i) text += "  k" + std::to_string(i) + ": *a\n";
  EXPECT_THAT(failure(text), HasSubstr("with its aliases (*NAME) it is longer than 1 MiB"));
}

TEST(DeckTags, AreRefusedWhereTheyAre) {
  for (const auto& [yaml, tag] : {std::pair<std::string, std::string>{"!!int \"8\"", "!!int"},
                                  {"!!str x", "!!str"},
                                  {"!!binary aGVsbG8=", "!!binary"},
                                  {"!!python/object:os.system x", "!!python/object:os.system"},
                                  {"&a !own x", "!own"},
                                  {"! x", "!"},
                                  {"!<tag:a.b,2026:c> x", "tag:a.b,2026:c"},
                                  {"[1, !!int 2]", "!!int"},
                                  {"!!set {1, 2}", "!!set"}}) {
    EXPECT_EQ(failure("job: pi\npi:\n  parameters: " + yaml + "\n"),
              "deck.yaml:3: not a deck (it has the tag " + tag +
                  ", and each key of a deck has a fixed type). Remove the tag.");
  }
  EXPECT_THAT(failure("job: pi\n!!str pi:\n  points: 7\n"), StartsWith("deck.yaml:2: not a deck"));
  EXPECT_THAT(failure("!!map\njob: pi\n"), HasSubstr("the tag !!map"));
}

TEST(DeckDirectives, AreRefusedWhereTheyAre) {
  for (const std::string end : {"\n", "\r\n"}) {
    EXPECT_EQ(failure("job: pi" + end + "pi:" + end + "%x" + end + "  points: 77" + end),
              "deck.yaml:3: not a deck (the line that begins with %x is a directive of YAML, and "
              "decks have none). Put a # before it if it is a comment, or remove it.");
  }
  EXPECT_THAT(failure("%YAML 1.2\n---\njob: pi\n"), StartsWith("deck.yaml:1: not a deck"));
  EXPECT_EQ(read("job: pi\npi:\n  points: 77 # %\n #%\n").points, 77U);
}

}  // namespace
}  // namespace rivulet::io
