// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::io {

/// Whether the byte steers a terminal rather than being seen on it: NUL, escape, tab, ...
constexpr bool is_control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20 || code == 0x7f;
}

/// The text with control characters, those of ISO 6429 in UTF-8 (U+0080 to U+009F) too, and bytes
/// that are no UTF-8 as "\x1b"; ends of lines stay, as messages may have several. What users gave
/// is shown so, and cannot move the cursor or end a message early.
std::string printable(std::string_view text);

/// The same of what is to be on one line: its ends of lines are shown as "\x0a" too.
std::string line_of(std::string_view text);

/// Whether memory ran out. Kokkos says so in words alone, which its versions choose differently.
bool tells_of_memory(const std::exception& failure) noexcept;

/// The message of a failure: an Error's own message; for exhausted memory its purpose and size, if
/// known; otherwise what().
std::string failure_text(const std::exception_ptr& failure);

/// The candidate nearest to the word by edit distance, if it is near enough to be a slip of the
/// keyboard; otherwise empty.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// "Did you mean 'NEAREST'?", or the first that begins with the word; the other advice if there is
/// none.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise);

}  // namespace rivulet::io
