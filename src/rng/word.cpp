// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rng/word.hpp"

namespace rivulet {

template <>
const char WordLanes<lanes<Word>>::of_the_library = 0;

}  // namespace rivulet
