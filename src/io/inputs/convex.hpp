// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <span>

namespace rivulet::io {

using Point3 = std::array<double, 3>;

/// True if these corners, in this order, outline a convex polygon, which a fan of triangles covers.
/// Corners may repeat, lie on a side, or lie a little off the polygon's plane.
bool is_convex(std::span<const Point3> corners);

}  // namespace rivulet::io
