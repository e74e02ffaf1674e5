// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/mpi/communicator.hpp"
#include "jobs/occlusion/occlusion_options.hpp"

namespace rivulet {

struct SceneInput : SceneView {
  std::string digest;  ///< on root, SHA-256 of a file's triangles; empty for other scenes
};

/// The deck's scene and view, the same on every rank; root reads the file. Collective.
SceneInput read_scene(const OcclusionOptions& options, const io::Communicator& communicator);

}  // namespace rivulet
