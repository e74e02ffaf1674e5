// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/batch_transforms.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

const bool have_batch_transforms = false;

std::unique_ptr<BatchTransforms> make_batch_transforms(const Space&, std::uint64_t, std::uint64_t) {
  throw Error("no Fourier transforms on this device", "this build has no library for them",
              "Set correlate.method=direct.");
}

}  // namespace rivulet
