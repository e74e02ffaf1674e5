// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/batch_transforms.hpp"

#include <cufft.h>
#include <fmt/format.h>

#include <new>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

void require(cufftResult result) {
  if (result == CUFFT_SUCCESS) return;
  if (result == CUFFT_ALLOC_FAILED) throw std::bad_alloc();
  throw Error(
      fmt::format("a Fourier transform failed on the device (error {})", static_cast<int>(result)),
      "cuFFT reports it", "Set correlate.method=direct.");
}

/// A plan of one direction.
class Plan {
 public:
  Plan(const Space& space, std::uint64_t size, std::uint64_t rows, cufftType type) {
    auto length = static_cast<long long>(size);
    const long long bins = length / 2 + 1;
    const bool is_forward = type == CUFFT_D2Z;
    const long long from = is_forward ? 2 * bins : bins;
    const long long to = is_forward ? bins : 2 * bins;
    std::size_t bytes = 0;
    require(cufftCreate(&plan_));
    require(cufftMakePlanMany64(plan_, 1, &length, &length, 1, from, &length, 1, to, type,
                                static_cast<long long>(rows), &bytes));
    require(cufftSetStream(plan_, space.cuda_stream()));
  }
  ~Plan() { cufftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  cufftHandle get() const { return plan_; }

 private:
  cufftHandle plan_;
};

class CudaTransforms final : public BatchTransforms {
 public:
  CudaTransforms(const Space& space, std::uint64_t size, std::uint64_t rows)
      : forward_(space, size, rows, CUFFT_D2Z), backward_(space, size, rows, CUFFT_Z2D) {}

  void forward(const Spectra& rows) override {
    auto* const data = reinterpret_cast<cufftDoubleComplex*>(rows.data());
    require(cufftExecD2Z(forward_.get(), reinterpret_cast<double*>(data), data));
  }
  void backward(const Spectra& spectra) override {
    auto* const data = reinterpret_cast<cufftDoubleComplex*>(spectra.data());
    require(cufftExecZ2D(backward_.get(), data, reinterpret_cast<double*>(data)));
  }

 private:
  Plan forward_;
  Plan backward_;
};

}  // namespace

const bool have_batch_transforms = true;

std::unique_ptr<BatchTransforms> make_batch_transforms(const Space& space, std::uint64_t size,
                                                       std::uint64_t rows) {
  return std::make_unique<CudaTransforms>(space, size, rows);
}

}  // namespace rivulet
