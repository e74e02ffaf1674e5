// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <type_traits>

namespace rivulet::detail {

/// Returns the concatenated parts, with integers in decimal.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::string text;
  const auto add = [&text](const auto& part) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
  };
  (add(parts), ...);
  return text;
}

}  // namespace rivulet::detail
