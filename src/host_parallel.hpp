// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace rivulet {

/// Calls body(i) for i = 0 .. count-1 on this rank's host threads, in any order: for work with
/// libraries that know nothing of Kokkos. Exceptions may leave the body; the one of the lowest i is
/// thrown when all is done.
void for_each_on_host(const std::string& label, std::size_t count,
                      const std::function<void(std::size_t)>& body);

}  // namespace rivulet
