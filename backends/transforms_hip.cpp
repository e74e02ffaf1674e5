// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/batch_transforms.hpp"

#include <fmt/format.h>
#include <hipfft/hipfft.h>

#include <new>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

void require(hipfftResult result) {
  if (result == HIPFFT_SUCCESS) return;
  if (result == HIPFFT_ALLOC_FAILED) throw std::bad_alloc();
  throw Error(
      fmt::format("a Fourier transform failed on the device (error {})", static_cast<int>(result)),
      "hipFFT reports it", "Set correlate.method=direct.");
}

/// A plan of one direction.
class Plan {
 public:
  Plan(const Space& space, std::uint64_t size, std::uint64_t rows, hipfftType type) {
    auto length = static_cast<long long>(size);
    const long long bins = length / 2 + 1;
    const bool is_forward = type == HIPFFT_D2Z;
    const long long from = is_forward ? 2 * bins : bins;
    const long long to = is_forward ? bins : 2 * bins;
    std::size_t bytes = 0;
    require(hipfftCreate(&plan_));
    require(hipfftMakePlanMany64(plan_, 1, &length, &length, 1, from, &length, 1, to, type,
                                 static_cast<long long>(rows), &bytes));
    require(hipfftSetStream(plan_, space.hip_stream()));
  }
  ~Plan() { hipfftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  hipfftHandle get() const { return plan_; }

 private:
  hipfftHandle plan_;
};

class HipTransforms final : public BatchTransforms {
 public:
  HipTransforms(const Space& space, std::uint64_t size, std::uint64_t rows)
      : forward_(space, size, rows, HIPFFT_D2Z), backward_(space, size, rows, HIPFFT_Z2D) {}

  void forward(const Spectra& rows) override {
    auto* const data = reinterpret_cast<hipfftDoubleComplex*>(rows.data());
    require(hipfftExecD2Z(forward_.get(), reinterpret_cast<double*>(data), data));
  }
  void backward(const Spectra& spectra) override {
    auto* const data = reinterpret_cast<hipfftDoubleComplex*>(spectra.data());
    require(hipfftExecZ2D(backward_.get(), data, reinterpret_cast<double*>(data)));
  }

 private:
  Plan forward_;
  Plan backward_;
};

}  // namespace

const bool have_batch_transforms = true;

std::unique_ptr<BatchTransforms> make_batch_transforms(const Space& space, std::uint64_t size,
                                                       std::uint64_t rows) {
  return std::make_unique<HipTransforms>(space, size, rows);
}

}  // namespace rivulet
