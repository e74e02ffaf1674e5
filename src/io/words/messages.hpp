// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::io {

/// True for ASCII control characters (NUL, escape, tab and so on), which a terminal executes
/// instead of showing.
constexpr bool is_control(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20 || code == 0x7f;
}

/// Returns the text with control characters (including U+0080 to U+009F, ISO 6429) and invalid
/// UTF-8 bytes escaped in the form "\x1b". Text from users then can neither move the cursor nor end
/// a message early. Line ends stay, because messages may have several lines.
std::string printable(std::string_view text);

/// Like printable(), but also escapes line ends, as "\x0a", for a text on one line.
std::string printable_line(std::string_view text);

/// True if the failure is a lack of memory. For Kokkos, only the text of its exception shows this,
/// and the text varies between versions.
bool is_out_of_memory(const std::exception& failure) noexcept;

/// Returns the message of a failure. For an Error, this is the Error's own message. For a lack of
/// memory, the message states the purpose and the size of the allocation, if they are known. For
/// any other exception, the message is what().
std::string failure_text(const std::exception_ptr& failure);

/// Returns the candidate nearest to the word by edit distance, or "" if none is near enough for a
/// typing error.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// Returns "Did you mean 'CANDIDATE'?" with the nearest() candidate or, if nearest() is empty, the
/// first candidate that begins with the word. Returns `otherwise` if there is no such candidate.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise);

}  // namespace rivulet::io
