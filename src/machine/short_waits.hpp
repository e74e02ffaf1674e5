// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// Starts this program again, as the same process, with GOMP_SPINCOUNT=1000, unless the environment
/// says how OpenMP's threads wait, or the OpenMP is another than GCC's. By default waiting threads
/// spin for milliseconds: where other programs take the cores, they keep them from the very threads
/// that they wait for (`rivulet fill` took 20 times as long beside three compilers on two cores).
/// 1000 turns are libgomp's own number for more threads than cores. It reads the variable before
/// main() is called, so that setting it there has no effect.
///
/// Called first of all, before constructors: uses system calls alone.
void wait_shortly(char** argv, char** environment);

}  // namespace rivulet
