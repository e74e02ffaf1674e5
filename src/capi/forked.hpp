// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet::capi {

/// From now on a child that this process forks is told so: it has none of the threads that Kokkos
/// and drawing ahead count on, and its sequences would deliver its parent's numbers again.
void watch_forks();

/// Whether this process was forked by one that watched.
bool is_forked() noexcept;

/// Throws SequenceError (forked) if it was.
void require_not_forked();

}  // namespace rivulet::capi
