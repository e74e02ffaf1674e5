# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The source of RIVULET_TRANSFORMS. cuFFT's and hipFFT's is one, but for the names.
set(rivulet_transforms ${PROJECT_SOURCE_DIR}/backends/transforms_${RIVULET_TRANSFORMS}.cpp)
if(RIVULET_TRANSFORMS MATCHES "cuda|hip")
  if(RIVULET_TRANSFORMS STREQUAL "cuda")
    set(fft_library cuFFT)
    set(fft_header cufft.h)
  else()
    set(fft_library hipFFT)
    set(fft_header hipfft/hipfft.h)
  endif()
  set(fft_stream ${RIVULET_TRANSFORMS}_stream)
  string(TOLOWER ${fft_library} fft)
  string(TOUPPER ${fft_library} FFT)
  set(rivulet_transforms ${PROJECT_BINARY_DIR}/generated/transforms_${RIVULET_TRANSFORMS}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/backends/transforms_device.cpp.in ${rivulet_transforms} @ONLY)
endif()
