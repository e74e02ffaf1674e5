// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rivulet/detail/sobol_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/random/sobol.hpp>
#include <cstddef>
#include <string_view>

#include "io/files/input_file.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/error.hpp"

namespace rivulet::detail {
namespace {

constexpr std::uint64_t boost_dimensions = boost::random::default_sobol_table::max_dimension;
constexpr const char* joe_kuo_file_name = "new-joe-kuo-6.21201";

/// Returns 32 direction words per dimension from Boost's table; a word's highest bit is its first
/// digit. Boost's points are in Gray-code order, so point 2^(k+1) - 1 is direction word k.
std::vector<std::uint32_t> directions_of_boost(std::uint64_t dimensions) {
  if (dimensions > boost_dimensions) {
    throw Error(fmt::format("a Sobol sequence cannot have {} dimensions", dimensions),
                fmt::format("Boost's table of direction numbers ends at {}", boost_dimensions),
                fmt::format("For up to 21201 dimensions, use Joe and Kuo's file {} of "
                            "https://web.maths.unsw.edu.au/~fkuo/sobol/.",
                            joe_kuo_file_name));
  }
  boost::random::sobol_engine<std::uint32_t, 32> engine(dimensions);
  std::vector<std::uint32_t> words(32 * dimensions);
  for (std::size_t k = 0; k < 32; ++k) {
    engine.seed(static_cast<std::uint32_t>((std::uint64_t{2} << k) - 2));  // Boost omits point 0
    for (std::size_t d = 0; d < dimensions; ++d) words[32 * d + k] = engine();
  }
  return words;
}

/// True if t generates the field, that is, if its order modulo the polynomial is 2^degree - 1.
bool is_primitive(std::uint64_t polynomial, std::uint64_t degree) {
  const Gf2Modulus modulus{Gf2Polynomial({polynomial})};
  const auto is_one = [&](std::uint64_t exponent) {
    return Gf2Polynomial(modulus.power_of_t({exponent})).degree() == 0;
  };
  const std::uint64_t order = (std::uint64_t{1} << degree) - 1;
  if (!is_one(order)) return false;
  std::uint64_t cofactor = order;
  for (std::uint64_t q = 2; cofactor > 1; ++q) {
    if (q * q > cofactor) q = cofactor;
    if (cofactor % q != 0) continue;
    while (cofactor % q == 0) cofactor /= q;
    if (is_one(order / q)) return false;
  }
  return true;
}

/// Reads Joe and Kuo's file: a title line, then one line for each dimension d = 2, 3, ...
/// (dimension 1 needs none). The line of a dimension holds d; the degree s and the inner
/// coefficients a of a primitive polynomial; and m_1 .. m_s.
class JoeKuoFile {
 public:
  explicit JoeKuoFile(const std::string& path) : path_(path) {
    text_ = io::read_input({path, problem(), "Check its name."}, std::uint64_t{1} << 26);
    remaining_text_ = text_;
    next_line();
    if (word() != "d") fail("it does not begin with the titles d, s, a and m_i");
  }

  /// Writes the 32 direction words of the next dimension, beginning at `to`.
  void read_dimension(std::uint32_t* to) {
    next_line();
    if (remaining_line_.empty())
      fail(fmt::format("the table ends at dimension {}", line_number_ - 1));
    if (number("d") != line_number_) fail(fmt::format("d is not {}", line_number_));
    const std::uint64_t s = number("s");
    if (s < 1 || s > 31) fail(fmt::format("s is {}, which is not from 1 to 31", s));
    const std::uint64_t a = number("a");
    const std::uint64_t polynomial = std::uint64_t{1} << s | a << 1 | 1;
    if (a >> (s - 1) != 0 || !is_primitive(polynomial, s)) {
      fail(fmt::format("s = {} and a = {} are not a primitive polynomial", s, a));
    }
    for (std::size_t k = 0; k < s; ++k) {
      const std::uint64_t m = number("m_i");
      if (m % 2 == 0 || m >> (k + 1) != 0) {
        fail(fmt::format("m_{} is {}, which is not odd and below 2^{}", k + 1, m, k + 1));
      }
      to[k] = static_cast<std::uint32_t>(m << (31 - k));
    }
    if (!word().empty()) fail(fmt::format("it has more than s = {} numbers m_i", s));
    for (std::size_t k = s; k < 32; ++k) {
      to[k] = to[k - s] ^ to[k - s] >> s;
      for (std::size_t i = 1; i < s; ++i) to[k] ^= (polynomial >> (s - i) & 1) != 0 ? to[k - i] : 0;
    }
  }

 private:
  std::string problem() const { return fmt::format("cannot read direction numbers '{}'", path_); }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(
        problem(), fmt::format("line {}: {}", line_number_, why),
        fmt::format("Use Joe and Kuo's file {} unchanged, or no file for up to {} dimensions.",
                    joe_kuo_file_name, boost_dimensions));
  }
  void next_line() {
    ++line_number_;
    remaining_line_ = remaining_text_.substr(0, remaining_text_.find('\n'));
    remaining_text_.remove_prefix(std::min(remaining_line_.size() + 1, remaining_text_.size()));
  }
  std::string_view word() { return io::next_word(remaining_line_, " \t\r"); }
  std::uint64_t number(const char* what) {
    std::uint32_t value = 0;
    const std::string_view text = word();
    if (!io::number_from(text, value))
      fail(fmt::format("{} is '{}', which is not a number", what, text));
    return value;
  }

  std::string path_;
  std::string text_;
  std::string_view remaining_text_;
  std::string_view remaining_line_;
  std::uint64_t line_number_ = 0;  ///< line number, from 1; also the line's dimension
};

std::vector<std::uint32_t> directions_of_file(std::uint64_t dimensions, const std::string& path) {
  JoeKuoFile file(path);
  std::vector<std::uint32_t> words;
  for (std::size_t k = 0; k < 32; ++k) words.push_back(std::uint32_t{1} << (31 - k));
  while (words.size() / 32 < dimensions) {
    words.resize(words.size() + 32);
    file.read_dimension(&words[words.size() - 32]);
  }
  return words;
}

}  // namespace

std::vector<std::uint32_t> sobol_table(std::uint64_t dimensions, const std::string& file) {
  if (dimensions == 0) {
    throw Error("a Sobol sequence cannot have 0 dimensions", "a point has at least one number",
                "Ask for 1 dimension or more.");
  }
  const std::vector<std::uint32_t> words =
      file.empty() ? directions_of_boost(dimensions) : directions_of_file(dimensions, file);
  std::vector<std::uint32_t> table(128 * dimensions);  // index 16 q + n: digit n at position q
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t highest = std::bit_floor(i % 16);
    if (highest == 0) continue;
    table[i] = table[i - highest] ^
               words[i / 16 * 4 + static_cast<std::size_t>(std::countr_zero(highest))];
  }
  return table;
}

}  // namespace rivulet::detail
