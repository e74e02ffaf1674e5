// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: streams of a recurrence have no children.

#include "rivulet/rivulet.hpp"

void draw(const rivulet::Streams<rivulet::Dcmt521>& streams) { streams.child(0, 1); }
