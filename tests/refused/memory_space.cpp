// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Not to compile: an execution space where a memory space belongs.

#include "rivulet/rivulet.hpp"

rivulet::Streams<rivulet::Philox4x32, Kokkos::HostSpace> streams();
auto count() { return streams().count(); }
