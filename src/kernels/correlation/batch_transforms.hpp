// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Consecutive rows of F real numbers, or the spectra of such rows. Transforms are in place, so
/// each row has F / 2 + 1 elements.
using Spectra = Kokkos::View<Kokkos::complex<double>*, Space>;

/// In-place fast Fourier transforms in the kernels' execution space, computed with the device
/// vendor's FFT library, or with FFTW on a host. Asynchronous.
class BatchTransforms {
 public:
  virtual ~BatchTransforms() = default;

  /// Transforms rows to spectra, with the factors exp(-2 pi i ...).
  virtual void forward(const Spectra& rows) = 0;
  /// Transforms spectra back to rows. The results are the rows multiplied by F.
  virtual void backward(const Spectra& spectra) = 0;
};

extern const bool have_batch_transforms;

/// Creates transforms for `rows` rows of `size` numbers, a power of two. Throws std::bad_alloc if
/// memory is insufficient, and Error if the library fails or is missing.
std::unique_ptr<BatchTransforms> make_batch_transforms(const Space& space, std::uint64_t size,
                                                       std::uint64_t rows);

}  // namespace rivulet
