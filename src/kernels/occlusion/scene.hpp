// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <variant>
#include <vector>

#include "kernels/occlusion/bvh.hpp"
#include "kernels/occlusion/camera.hpp"
#include "kernels/occlusion/spheres.hpp"

namespace rivulet {

/// A picture's scene on the host: spheres above a plane, or triangles in their hierarchy.
using Scene = std::variant<Spheres, Bvh>;

/// A scene with its default view and its default distance of occlusion.
struct SceneView {
  Scene scene;
  View3 view;
  float distance = 1;
};

/// Nine spheres on a plane.
SceneView spheres_scene();
/// A room without a front, with boxes in it: 154 triangles.
SceneView room_scene();
/// Triangles, seen from above their front and their right. Throws Error where they have no extent.
SceneView triangles_scene(const std::vector<Corners>& triangles);

}  // namespace rivulet
