// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Spectra of consecutive rows of real numbers. A row of F numbers is stored in place, in F / 2 + 1
/// elements.
using Spectra = Kokkos::View<Kokkos::complex<double>*, Space>;

/// Fast Fourier transforms in place, where the kernels run: by the device's own library, or on a
/// host by FFTW. Transforms are asynchronous.
class BatchTransforms {
 public:
  virtual ~BatchTransforms() = default;

  /// Transforms rows to spectra, with exp(-2 pi i ...).
  virtual void forward(const Spectra& rows) = 0;
  /// Transforms spectra to F times the rows.
  virtual void backward(const Spectra& spectra) = 0;
};

extern const bool have_batch_transforms;

/// Makes transforms of `rows` rows of `size` numbers, a power of two. Throws std::bad_alloc if
/// memory is insufficient, and Error if the library fails or is missing.
std::unique_ptr<BatchTransforms> make_batch_transforms(const Space& space, std::uint64_t size,
                                                       std::uint64_t rows);

}  // namespace rivulet
