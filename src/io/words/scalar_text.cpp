// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/words/scalar_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "io/words/messages.hpp"

namespace rivulet::io {
namespace {

constexpr std::string_view decimal_digits = "0123456789";

struct ByteUnit {
  std::string_view name;
  int shift;
};
constexpr std::array<ByteUnit, 5> byte_units{
    {{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}, {"B", 0}}};

/// Removes the leading digits from the text and returns them.
std::string consume_digits(std::string_view& text) {
  const std::size_t count = std::min(text.find_first_not_of(decimal_digits), text.size());
  std::string digits(text.substr(0, count));
  text.remove_prefix(count);
  return digits;
}

bool consume_one_of(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// The number digits * 10^exponent, with the digits as the user wrote them.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal decimal_from(std::string_view text) {
  const NotANumber failure{"is not a whole number"};
  Decimal number{consume_digits(text)};
  if (consume_one_of(text, ".")) {
    const std::string fraction = consume_digits(text);
    number.digits += fraction;
    number.exponent = -static_cast<int>(fraction.size());
  }
  if (number.digits.empty()) throw failure;
  if (consume_one_of(text, "eE")) {
    const bool negative = !text.empty() && text.front() == '-';
    consume_one_of(text, "+-");
    const std::string digits = consume_digits(text);
    if (digits.empty() || digits.size() > 4) throw failure;
    number.exponent += (negative ? -1 : 1) * std::stoi(digits);
  }
  if (!text.empty()) throw failure;
  return number;
}

std::uint64_t integer_of(const std::string& digits, int base) {
  std::uint64_t value = 0;
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (code == std::errc::result_out_of_range) throw NotANumber{"is more than 2^64 - 1"};
  if (code != std::errc() || end != digits.data() + digits.size()) {
    throw NotANumber{"is not a whole number"};
  }
  return value;
}

/// Returns digits * 10^exponent * 2^shift. Throws NotANumber if the result is too large or not
/// whole.
std::uint64_t integer_of(Decimal number, int shift) {
  number.digits.erase(0, std::min(number.digits.find_first_not_of('0'), number.digits.size()));
  while (!number.digits.empty() && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  if (number.digits.empty()) return 0;
  if (number.exponent >= 20) throw NotANumber{"is more than 2^64 - 1"};
  if (number.exponent > 0) number.digits.append(static_cast<std::size_t>(number.exponent), '0');
  const std::uint64_t digits = integer_of(number.digits, 10);

  // The division of digits * 2^shift by 10^k is exact only if `digits` has k factors of 5, and
  // digits * 2^shift has k factors of 2.
  std::uint64_t value = digits;
  int twos = shift;
  for (int k = number.exponent; k < 0; ++k) {
    if (value % 5 != 0) throw NotANumber{"is not a whole number"};
    value /= 5;
    --twos;
  }
  for (; twos < 0; ++twos) {
    if (value % 2 != 0) throw NotANumber{"is not a whole number"};
    value /= 2;
  }
  if (value > std::numeric_limits<std::uint64_t>::max() >> twos) {
    throw NotANumber{"is more than 2^64 - 1"};
  }
  return value << twos;
}

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array time_units = {TimeUnit{"d", 86400}, TimeUnit{"h", 3600}, TimeUnit{"min", 60},
                                   TimeUnit{"s", 1}};

bool is_safe_plain(std::string_view text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
  return !text.empty() && text.front() != '-' &&
         text.find_first_not_of(safe) == std::string_view::npos && text != "null" &&
         text != "Null" && text != "NULL";
}

}  // namespace

std::uint64_t integer_from(std::string_view text) {
  if (text.starts_with('-')) throw NotANumber{"is negative"};
  consume_one_of(text, "+");
  if (text.starts_with("0x")) return integer_of(std::string(text.substr(2)), 16);
  return integer_of(decimal_from(text), 0);
}

double real_from(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range) throw NotANumber{"is beyond the range of a double"};
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    throw NotANumber{"is not a finite number"};
  }
  return value;
}

std::uint64_t bytes_from(std::string_view text) {
  if (text.starts_with('-')) throw NotANumber{"is negative"};
  const std::size_t unit_begin = text.find_last_of(decimal_digits) + 1;  // 0 without digits
  const std::string_view name = trimmed(text.substr(unit_begin));
  const std::string_view number = text.substr(0, unit_begin);
  if (name.empty()) return integer_from(number);
  for (const auto& unit : byte_units) {
    if (name == unit.name) return integer_of(decimal_from(number), unit.shift);
  }
  throw NotANumber{"is not a number of B, KiB, MiB, GiB or TiB"};
}

std::string bytes_text(std::uint64_t bytes) {
  for (const auto& unit : byte_units) {
    const std::uint64_t size = std::uint64_t{1} << unit.shift;
    if (bytes != 0 && bytes % size == 0) return fmt::format("{} {}", bytes / size, unit.name);
  }
  return "0 B";
}

std::string about_bytes(std::uint64_t bytes) {
  constexpr std::array names = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1000 && unit + 1 < names.size(); ++unit) size /= 1024;
  return fmt::format("{:.3g} {}", size, names[unit]);
}

double duration_from(std::string_view text) {
  const std::size_t unit_begin = text.find_last_of("0123456789.") + 1;  // 0 without digits
  const std::string_view name = trimmed(text.substr(unit_begin));
  const double number = real_from(text.substr(0, unit_begin));
  if (number < 0) throw NotANumber{"is negative"};
  if (name.empty()) return number;
  for (const auto& unit : time_units) {
    if (name == unit.name) return number * unit.seconds;
  }
  throw NotANumber{"is not a number of s, min, h or d"};
}

std::string duration_text(double seconds) {
  for (const auto& unit : time_units) {
    const double count = seconds / unit.seconds;
    if (count >= 1 && count == std::floor(count)) return fmt::format("{} {}", count, unit.name);
  }
  return fmt::format("{} s", seconds);
}

std::string utc_now() { return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))); }

std::optional<bool> flag_from(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "no" || text == "off") return false;
  return std::nullopt;
}

std::string line_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return "";
  const std::string_view tail = text.substr(at + mark.size());
  return std::string(tail.substr(0, tail.find('\n')));
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string yaml_scalar(std::string_view text) {
  if (is_safe_plain(text)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += is_control(c) ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  }
  return quoted + '"';
}

}  // namespace rivulet::io
