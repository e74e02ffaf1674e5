// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace rivulet::io {

/// The candidate nearest to the word by edit distance, if it is near enough to be a slip of the
/// keyboard; otherwise empty.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// "Did you mean 'NEAREST'?", or the other advice if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise);

}  // namespace rivulet::io
