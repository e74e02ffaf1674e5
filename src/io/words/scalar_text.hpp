// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace rivulet::io {

/// Exception for a text that is not a number of the requested type. `why` completes a sentence that
/// begins with the text: "'ten' ...".
struct NotANumber {
  std::string why;
};

/// Parses a whole number 0 .. 2^64-1: "10000000000", "1e10", "1.5e9", "0x33ff". Throws NotANumber.
std::uint64_t integer_from(std::string_view text);

/// Parses a finite number, rounded to the nearest double. Throws NotANumber.
double real_from(std::string_view text);

/// Parses a whole number of bytes below 2^64: "256 MiB", "1.5 GiB", "4096". Throws NotANumber.
std::uint64_t bytes_from(std::string_view text);

/// Formats bytes for bytes_from(), in the largest unit that divides them.
std::string bytes_text(std::uint64_t bytes);

/// Formats a size, rounded to three significant digits, for messages: "7.11 PiB".
std::string about_bytes(std::uint64_t bytes);

/// Parses a non-negative time in seconds: "10 min", "0.5 s", "2 h", "1 d", "90". Throws NotANumber.
double duration_from(std::string_view text);

/// Formats seconds for duration_from(), in the largest unit that divides them.
std::string duration_text(double seconds);

/// Returns the current time in UTC, as "2026-11-22T20:12:30Z".
std::string utc_now();

std::optional<bool> flag_from(std::string_view text);

/// Returns the rest of the line after the mark, or an empty text if there is no mark.
std::string line_after(std::string_view text, std::string_view mark);

/// Returns the text without the spaces at its ends.
std::string_view trimmed(std::string_view text);

/// Removes the next word from the text and returns it, or "" at the end of the text.
inline std::string_view next_word(std::string_view& text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

/// Parses a number of type T. Returns false if the text is anything else.
template <class T>
bool number_from(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

/// Returns a YAML scalar with the text as its value: plain if that is safe, otherwise in quotes.
std::string yaml_scalar(std::string_view text);

}  // namespace rivulet::io
