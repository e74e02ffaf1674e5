// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A libFuzzer target: the bytes are a deck, and their last line is a command-line override. Reading
// succeeds or throws Error, and a printed deck reads back to the same deck.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../unit/io_example_schema.hpp"
#include "io/deck/deck.hpp"
#include "rivulet/error.hpp"

using rivulet::io::Deck;
using rivulet::io::resolved;
using rivulet::io::test::Example;

namespace {

Example read(const std::string& text, const std::string& assignment) {
  Example example;
  Deck deck = Deck::parse(text, "deck");
  if (!assignment.empty()) deck.override_with(assignment);
  deck.read_into(example.schema());
  return example;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.rfind('\n');
  const std::string assignment = end == std::string::npos ? "" : all.substr(end + 1);
  try {
    Example first = read(all.substr(0, end), assignment);
    const std::string printed = resolved(first.schema());
    try {
      Example second = read(printed, "");
      if (resolved(second.schema()) != printed) std::abort();
    } catch (const rivulet::Error&) {
      std::abort();  // the printed deck must be readable
    }
  } catch (const rivulet::Error&) {
    return 0;
  }
  return 0;
}
