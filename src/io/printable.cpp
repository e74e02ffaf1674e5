// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/printable.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace rivulet::io {
namespace {

unsigned code_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

std::string shown_of(std::string_view text, bool keeps_lines) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const unsigned next = code_at(text, at + 1);
    if (code_at(text, at) == 0xc2 && 0x80 <= next && next < 0xa0) {
      shown += fmt::format("\\x{:02x}", next);
      ++at;
    } else if (is_control(text[at]) && !(keeps_lines && text[at] == '\n')) {
      shown += fmt::format("\\x{:02x}", code_at(text, at));
    } else {
      shown += text[at];
    }
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) { return shown_of(text, true); }

std::string line_of(std::string_view text) { return shown_of(text, false); }

}  // namespace rivulet::io
