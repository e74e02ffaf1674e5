// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rng/word.hpp"

int main() { return rivulet::lanes<rivulet::Word> > 0 ? 0 : 1; }
