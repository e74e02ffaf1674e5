// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <variant>

#include "kernels/occlusion/mesh.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "kernels/occlusion/picture_memory.hpp"

namespace rivulet {

/// A scene in memory that kernels can access.
using DeviceScene = std::variant<Spheres, Mesh>;

inline DeviceScene scene_on_device(const Scene& scene) {
  if (const auto* bvh = std::get_if<Bvh>(&scene)) return Mesh(*bvh);
  return std::get<Spheres>(scene);
}

inline std::uint64_t bytes_of(const Scene& scene) {
  const auto* bvh = std::get_if<Bvh>(&scene);
  return bvh == nullptr ? 0 : Mesh::bytes(*bvh);
}

namespace detail {

/// Common base of the renderers: the scene, the camera and the rank's pictures.
class SceneRenderer : public OcclusionRenderer {
 public:
  /// `pixels`: number of pixels in memory.
  SceneRenderer(const Space& space, std::uint64_t pixels, const OcclusionWork& work)
      : space_(space),
        picture_(pixels, work.passes),
        camera_(work.camera),
        distance_(work.distance),
        scene_(scene_on_device(work.scene)),
        scene_bytes_(bytes_of(work.scene)) {}

  void render(std::uint64_t begin, std::uint64_t end) override { launch(picture_, begin, end); }
  OcclusionCounts counts() const override { return picture_.counts(); }
  std::uint64_t picture_bytes() const override { return picture_.bytes() + scene_bytes_; }

 protected:
  /// Renders pieces `begin` .. `end` - 1 to `picture`. Blocking.
  virtual void launch(const PictureMemory& picture, std::uint64_t begin, std::uint64_t end) = 0;

  Space space_;
  PictureMemory picture_;
  Camera camera_;
  float distance_;
  DeviceScene scene_;

 private:
  std::uint64_t scene_bytes_;
};

}  // namespace detail
}  // namespace rivulet
