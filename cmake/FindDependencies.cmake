# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# RngTarget.cmake has found Kokkos. The library also needs to know the devices for which that Kokkos was built.
if(NOT Kokkos_DEVICES)
  message(
    FATAL_ERROR
      "The Kokkos of the enclosing project does not say what devices it is for (it is built from "
      "sources there). Set RIVULET_COMPONENTS=rng, which needs no more than its target, or find an "
      "installed Kokkos before.")
endif()
set(RIVULET_KOKKOS_DEVICE "" CACHE STRING "Device that Kokkos must have been built for (any if empty)")
if(RIVULET_KOKKOS_DEVICE AND NOT RIVULET_KOKKOS_DEVICE IN_LIST Kokkos_DEVICES)
  message(
    FATAL_ERROR
      "The Kokkos in ${Kokkos_DIR} cannot run on ${RIVULET_KOKKOS_DEVICE} (it was built for: "
      "${Kokkos_DEVICES}). Point CMake to another one with -DKokkos_ROOT=PREFIX.")
endif()
# A process must have only one Kokkos. With a static Kokkos, a shared Rivulet and the program would each link a copy of
# Kokkos and finalize it. By default Rivulet is therefore static if Kokkos is.
set(rivulet_kokkos_library unknown)
if(TARGET Kokkos::kokkoscore) # not in Trilinos' Kokkos
  get_target_property(rivulet_kokkos_library Kokkos::kokkoscore TYPE)
endif()
set(rivulet_shared ${PROJECT_IS_TOP_LEVEL})
if(rivulet_kokkos_library STREQUAL "STATIC_LIBRARY")
  set(rivulet_shared OFF)
endif()
option(BUILD_SHARED_LIBS "Build a shared library" ${rivulet_shared})
if(BUILD_SHARED_LIBS AND rivulet_kokkos_library STREQUAL "STATIC_LIBRARY")
  message(
    FATAL_ERROR
      "BUILD_SHARED_LIBS=ON cannot be built with the Kokkos in ${Kokkos_DIR} (it is a static library, and "
      "programs with librivulet would have it twice). Build Kokkos with -DBUILD_SHARED_LIBS=ON, or "
      "Rivulet with -DBUILD_SHARED_LIBS=OFF.")
endif()
# Prefers the Kokkos Kernels in the prefix of the Kokkos that was found. Another installation might link a second
# Kokkos.
rivulet_find(KokkosKernels DEBIAN libtrilinos-kokkos-kernels-dev SPACK kokkos-kernels ARGS QUIET
             HINTS ${Kokkos_DIR}/../../..)
if(RIVULET_ENABLE_MPI)
  rivulet_find(MPI DEBIAN libopenmpi-dev SPACK openmpi ARGS COMPONENTS CXX QUIET)
endif()
set(HDF5_PREFER_PARALLEL ${RIVULET_ENABLE_MPI})
rivulet_find(HDF5 DEBIAN libhdf5-openmpi-dev SPACK hdf5+mpi ARGS COMPONENTS C QUIET)
set(RIVULET_LINKS_MPI ${RIVULET_ENABLE_MPI})
set(rivulet_mpi_of_hdf5 "")
if(HDF5_IS_PARALLEL AND NOT RIVULET_ENABLE_MPI)
  find_package(MPI QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(
      FATAL_ERROR
        "HDF5 ${HDF5_VERSION} (${HDF5_INCLUDE_DIRS}) cannot be used without MPI (it is a parallel HDF5, whose "
        "headers include mpi.h, and MPI was not found). Install a serial HDF5 (Debian: libhdf5-dev; Spack: "
        "hdf5~mpi) and point CMake to it with -DHDF5_ROOT=PREFIX, or install that HDF5's MPI (Debian: "
        "libopenmpi-dev), which RIVULET_ENABLE_MPI=OFF does not start.")
  endif()
  set(RIVULET_LINKS_MPI ON)
  set(rivulet_mpi_of_hdf5 OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1) # hides MPI's C++ interface
  set(MPIEXEC_EXECUTABLE "") # the program does not start MPI, so the tests must not use mpiexec
endif()
rivulet_find(yaml-cpp DEBIAN libyaml-cpp-dev SPACK yaml-cpp ARGS QUIET)
rivulet_find(CLI11 DEBIAN libcli11-dev SPACK cli11 ARGS QUIET)
rivulet_find(fmt DEBIAN libfmt-dev SPACK fmt ARGS QUIET)
rivulet_find(Boost DEBIAN libboost-dev SPACK boost ARGS 1.74 QUIET) # headers only: Math and Random
rivulet_find(OpenSSL DEBIAN libssl-dev SPACK openssl ARGS COMPONENTS Crypto QUIET)
set(RIVULET_HAVE_FFTW OFF)
if(RIVULET_ENABLE_FFTW)
  find_package(FFTW3 QUIET MODULE)
  set(RIVULET_HAVE_FFTW ${FFTW3_FOUND})
endif()
# Fourier transforms run where the kernels run (backends/transforms_*.cpp). An installation of CUDA or ROCm may lack
# cuFFT or hipFFT.
set(RIVULET_TRANSFORMS none)
set(rivulet_transforms_library "")
if(CUDA IN_LIST Kokkos_DEVICES)
  find_package(CUDAToolkit QUIET)
  if(TARGET CUDA::cufft)
    set(RIVULET_TRANSFORMS cuda)
    set(rivulet_transforms_library CUDA::cufft)
    set(fft_library cuFFT)
    set(fft_header cufft.h)
  endif()
elseif(HIP IN_LIST Kokkos_DEVICES)
  find_package(hipfft QUIET)
  if(TARGET hip::hipfft)
    set(RIVULET_TRANSFORMS hip)
    set(rivulet_transforms_library hip::hipfft)
    set(fft_library hipFFT)
    set(fft_header hipfft/hipfft.h)
  endif()
elseif(RIVULET_HAVE_FFTW)
  set(RIVULET_TRANSFORMS host)
endif()
# cuFFT and hipFFT share a template, because their functions differ only in name.
set(rivulet_transforms ${PROJECT_SOURCE_DIR}/backends/transforms_${RIVULET_TRANSFORMS}.cpp)
if(rivulet_transforms_library)
  set(fft_stream ${RIVULET_TRANSFORMS}_stream)
  string(TOLOWER ${fft_library} fft)
  string(TOUPPER ${fft_library} FFT)
  set(rivulet_transforms ${PROJECT_BINARY_DIR}/generated/transforms_${RIVULET_TRANSFORMS}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/backends/transforms_device.cpp.in ${rivulet_transforms} @ONLY)
endif()
if(RIVULET_BUILD_TESTS)
  rivulet_find(GTest DEBIAN "libgtest-dev libgmock-dev" SPACK googletest ARGS QUIET)
endif()
if(RIVULET_BUILD_BENCHMARKS)
  rivulet_find(benchmark DEBIAN libbenchmark-dev SPACK benchmark ARGS QUIET)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/RivuletTargetNames.cmake)

set(RIVULET_HDF5_IS_PARALLEL OFF)
if(RIVULET_ENABLE_MPI AND HDF5_IS_PARALLEL)
  set(RIVULET_HDF5_IS_PARALLEL ON)
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}), devices: ${Kokkos_DEVICES}")
message(STATUS "MPI: ${RIVULET_ENABLE_MPI}, HDF5 ${HDF5_VERSION}, collective: ${RIVULET_HDF5_IS_PARALLEL}")
if(RIVULET_LINKS_MPI AND NOT RIVULET_ENABLE_MPI)
  message(STATUS "HDF5: a parallel one, for whose headers MPI ${MPI_CXX_VERSION} is linked, but not started")
endif()
message(STATUS "Fourier transforms where kernels run: ${RIVULET_TRANSFORMS}")
if(RIVULET_HAVE_FFTW)
  message(STATUS "FFTW: ${FFTW3_LIBRARY} (GPL: so are binaries linked with it)")
elseif(RIVULET_ENABLE_FFTW)
  message(STATUS "FFTW: not found; correlate.method=fft will be refused (Debian: libfftw3-dev; Spack: fftw)")
else()
  message(STATUS "FFTW: off; correlate.method=fft will be refused")
endif()
