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

/// Why a text is not a number of the type wanted, in words that complete "'ten' ...".
struct NotANumber {
  std::string why;
};

/// Whole numbers 0..2^64-1: "10000000000", "1e10", "1.5e9", "0x33ff". Throws NotANumber.
std::uint64_t integer_from(std::string_view text);

/// Finite numbers, rounded to the nearest double. Throws NotANumber.
double real_from(std::string_view text);

/// "256 MiB", "1.5 GiB", "4096": a whole number of bytes below 2^64. Throws NotANumber.
std::uint64_t bytes_from(std::string_view text);

/// The text that bytes_from() reads back, in the largest unit that divides it.
std::string bytes_text(std::uint64_t bytes);

/// A size in three digits, for people: "7.11 PiB".
std::string about_bytes(std::uint64_t bytes);

/// "10 min", "0.5 s", "2 h", "1 d", "90": seconds, not negative. Throws NotANumber.
double duration_from(std::string_view text);

/// The text that duration_from() reads back, in the largest unit of which it is a whole number.
std::string duration_text(double seconds);

/// The time, as "2026-11-22T20:12:30Z".
std::string utc_now();

std::optional<bool> flag_from(std::string_view text);

/// Returns the rest of the line after the mark, or an empty text if there is no mark.
std::string line_after(std::string_view text, std::string_view mark);

/// The next word of a text, which it takes off; "" at the end.
inline std::string_view next_word(std::string_view& text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

/// False for what is not a number of type T alone.
template <class T>
bool number_from(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

/// A YAML scalar whose value is this text: as it is if that is safe, otherwise in quotes.
std::string yaml_scalar(std::string_view text);

}  // namespace rivulet::io
