// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/failure_text.hpp"

#include <fmt/format.h>

#include <new>
#include <string_view>

#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// What stands between two pieces of a text; empty if they are not there.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == text.npos) return "";
  const std::string_view rest = text.substr(begin + before.size());
  const std::size_t end = rest.find(after);
  return end == rest.npos ? "" : std::string(rest.substr(0, end));
}

/// Kokkos' text as one clause: 3.4 fills pages, 4.5 and later a line. (Not by std::regex, which
/// some compilers for HIP cannot read.)
std::string memory_text(const std::string& text) {
  std::string size = between(text, "Allocation of size ", " failed");
  if (size.empty()) size = between(text, "failed to allocate ", " (label=");
  std::string what = between(text, "label \"", "\"");
  if (what.empty()) what = between(text, "label=\"", "\"");
  return fmt::format(
      "out of memory ({}no room for {}). Use more ranks on more nodes, or a smaller problem.",
      size.empty() ? "" : size + ": ", what.empty() ? "numbers" : what);
}

}  // namespace

bool tells_of_memory(const std::exception& failure) noexcept {
  return dynamic_cast<const std::bad_alloc*>(&failure) != nullptr ||
         std::strstr(failure.what(), "failed to allocate") != nullptr;
}

std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory (an allocation failed). Use fewer streams or more ranks.";
  } catch (const std::exception& error) {
    return tells_of_memory(error) ? memory_text(error.what()) : error.what();
  } catch (...) {
    return "unknown failure";
  }
}

}  // namespace rivulet::io
