// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile with flags that give up IEEE 754.

#include "rivulet/rivulet.hpp"
