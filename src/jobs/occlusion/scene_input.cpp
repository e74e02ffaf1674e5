// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/scene_input.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "io/inputs/mesh_file.hpp"
#include "io/results/sha256.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

Vector3 vector_of(const io::MeshFile::Vertex& vertex) { return {vertex[0], vertex[1], vertex[2]}; }

std::vector<Corners> triangles_of(const std::string& path) {
  const io::MeshFile mesh = io::read_mesh(path);
  if (mesh.triangles.size() > most_triangles) {
    io::throw_bad_mesh(path, fmt::format("it has {} triangles", mesh.triangles.size()),
                       fmt::format("Give a file of {} at most.", most_triangles));
  }
  std::vector<Corners> all;
  all.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    all.push_back(
        {vector_of(mesh.vertices[a]), vector_of(mesh.vertices[b]), vector_of(mesh.vertices[c])});
  }
  return all;
}

SceneInput scene_of_file(const std::string& path, const io::Communicator& communicator) {
  std::vector<Corners> all;
  communicator.on_root([&] { all = triangles_of(path); });
  const std::uint64_t count = communicator.max(static_cast<std::uint64_t>(all.size()));
  communicator.together([&] { all.resize(count); });
  communicator.broadcast(std::as_writable_bytes(std::span(all)));
  io::Sha256 sha;
  if (communicator.is_root()) sha.update(std::as_bytes(std::span(all)));
  SceneInput view;
  communicator.together([&] { view = {triangles_scene(all), sha.hex()}; });
  return view;
}

}  // namespace

SceneInput read_scene(const OcclusionOptions& options, const io::Communicator& communicator) {
  SceneInput view;
  switch (options.scene) {
    case OcclusionScene::spheres:
      view = {spheres_scene(), ""};
      break;
    case OcclusionScene::room:
      view = {room_scene(), ""};
      break;
    case OcclusionScene::file:
      view = scene_of_file(options.file, communicator);
      break;
  }
  communicator.together([&] { options.change(view); });
  return view;
}

}  // namespace rivulet
