// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fftw3.h>

#include "kernels/correlation/batch_transforms.hpp"

namespace rivulet {
namespace {

/// FFTW plans for in-place transforms of memory with any alignment.
class HostTransforms final : public BatchTransforms {
 public:
  HostTransforms(std::uint64_t size, std::uint64_t rows) {
    const auto length = static_cast<int>(size);
    const auto count = static_cast<int>(rows);
    const int bins = length / 2 + 1;
    const Spectra scratch("rivulet::plan", rows * static_cast<std::uint64_t>(bins));
    auto* const data = reinterpret_cast<fftw_complex*>(scratch.data());
    auto* const real = reinterpret_cast<double*>(data);
    constexpr unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    forward_ = fftw_plan_many_dft_r2c(1, &length, count, real, nullptr, 1, 2 * bins, data, nullptr,
                                      1, bins, flags);
    backward_ = fftw_plan_many_dft_c2r(1, &length, count, data, nullptr, 1, bins, real, nullptr, 1,
                                       2 * bins, flags);
  }
  ~HostTransforms() override {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
  }
  HostTransforms(const HostTransforms&) = delete;
  HostTransforms& operator=(const HostTransforms&) = delete;

  void forward(const Spectra& rows) override {
    auto* const data = reinterpret_cast<fftw_complex*>(rows.data());
    fftw_execute_dft_r2c(forward_, reinterpret_cast<double*>(data), data);
  }
  void backward(const Spectra& spectra) override {
    auto* const data = reinterpret_cast<fftw_complex*>(spectra.data());
    fftw_execute_dft_c2r(backward_, data, reinterpret_cast<double*>(data));
  }

 private:
  fftw_plan forward_;
  fftw_plan backward_;
};

}  // namespace

const bool have_batch_transforms = true;

std::unique_ptr<BatchTransforms> make_batch_transforms(const Space&, std::uint64_t size,
                                                       std::uint64_t rows) {
  return std::make_unique<HostTransforms>(size, rows);
}

}  // namespace rivulet
