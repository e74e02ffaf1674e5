// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/words/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Returns the length in bytes of the UTF-8 character at `at`, or 0 for ill-formed UTF-8. Source:
/// the table of well-formed byte sequences (Unicode 15, 3.9, D92).
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned min_second = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned max_second = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  const unsigned second = byte_at(text, at + 1);
  if (second < min_second || second > max_second) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

std::string escaped(std::string_view text, bool keep_line_ends) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_length(text, at);
    const bool is_control_code =
        size == 2 ? byte_at(text, at) == 0xc2 && byte_at(text, at + 1) < 0xa0
                  : is_control(text[at]) && !(keep_line_ends && text[at] == '\n');
    if (size == 0 || is_control_code) {
      shown += fmt::format("\\x{:02x}", byte_at(text, at + (size == 2 ? 1 : 0)));
    } else {
      shown += text.substr(at, size);
    }
    at += std::max<std::size_t>(size, 1);
  }
  return shown;
}

/// Returns the text between `before` and `after`, or "" if either does not occur.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == text.npos) return "";
  const std::string_view tail = text.substr(begin + before.size());
  const std::size_t end = tail.find(after);
  return end == tail.npos ? "" : std::string(tail.substr(0, end));
}

/// Shortens Kokkos' message to one clause. The message is pages long in Kokkos 3.4, and one line in
/// 4.5 and later. Does not use std::regex, because some compilers for HIP cannot compile it.
std::string memory_text(const std::string& text) {
  std::string size = between(text, "Allocation of size ", " failed");
  if (size.empty()) size = between(text, "failed to allocate ", " (label=");
  std::string what = between(text, "label \"", "\"");
  if (what.empty()) what = between(text, "label=\"", "\"");
  return fmt::format(
      "out of memory ({}no room for {}). Use more ranks on more nodes, or a smaller problem.",
      size.empty() ? "" : size + ": ", what.empty() ? "numbers" : what);
}

/// Returns the Levenshtein distance: the number of single-character insertions, deletions and
/// replacements.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, true); }

std::string printable_line(std::string_view text) { return escaped(text, false); }

bool is_out_of_memory(const std::exception& failure) noexcept {
  return dynamic_cast<const std::bad_alloc*>(&failure) != nullptr ||
         dynamic_cast<const std::length_error*>(&failure) != nullptr ||  // exceeds max_size()
         std::strstr(failure.what(), "failed to allocate") != nullptr;
}

std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return printable_line(error.what());  // a newline in a name would begin another message
  } catch (const std::bad_alloc&) {
    return "out of memory (an allocation failed). Lower streams.count, or start more ranks.";
  } catch (const std::exception& error) {
    return is_out_of_memory(error) ? memory_text(error.what()) : error.what();
  } catch (...) {
    return "unknown failure (it gave no reason). Report it to Rivulet's authors.";
  }
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  std::string best = nearest(word, candidates);
  if (best.empty() && word.size() > 1) {
    const auto completion = std::ranges::find_if(
        candidates, [&word](const std::string& candidate) { return candidate.starts_with(word); });
    if (completion != candidates.end()) best = *completion;
  }
  return best.empty() ? otherwise : "Did you mean '" + best + "'?";
}

}  // namespace rivulet::io
