// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace rivulet::io {

/// Whether the byte steers a terminal rather than being seen on it: NUL, escape, tab, ...
constexpr bool is_control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20 || code == 0x7f;
}

/// The text with control characters, those of ISO 6429 in UTF-8 (U+0080 to U+009F) too, as "\x1b";
/// ends of lines stay, as messages may have several. What users gave is shown so, and cannot move
/// the cursor or end a message early.
std::string printable(std::string_view text);

/// The same of what is to be on one line: its ends of lines are shown as "\x0a" too.
std::string line_of(std::string_view text);

}  // namespace rivulet::io
