# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Rivulet(CMakePackage, CudaPackage, ROCmPackage):
    """Parallel streams of random numbers, and Monte Carlo jobs on them, over MPI and Kokkos. The
    results are bitwise the same on any number of ranks, threads and devices."""

    # The checkout that holds this recipe: .../scripts/spack/spack_repo/rivulet/packages/rivulet/
    git = pathlib.Path(__file__).resolve().parents[6].as_uri()
    homepage = git

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("mpi", default=True, description="Run over several ranks with MPI")
    variant("fftw", default=True, description="Correlate at many lags with FFTW (GPL)")
    variant("png", default=True, description="Write pictures with libpng")
    variant("openmp", default=True, description="Run on threads with Kokkos' OpenMP backend")
    variant("shared", default=True, description="Build a shared library")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("tests", default=False, description="Build the tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.22:", type="build")

    depends_on("kokkos@3.4:5")
    depends_on("kokkos +openmp", when="+openmp")
    # A process must have one Kokkos, so a shared library needs a shared one.
    depends_on("kokkos +shared", when="+shared")
    depends_on("kokkos-kernels@3.4:5")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5@1.10: +mpi", when="+mpi")
    depends_on("hdf5@1.10: ~mpi", when="~mpi")
    depends_on("ntl@11:")
    depends_on("fftw@3.3: precision=double", when="+fftw")
    depends_on("libpng@1.6:", when="+png")
    depends_on("yaml-cpp@0.7:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("openssl@3:")

    with when("+tests"):
        depends_on("googletest@1.12: +gmock")
        depends_on("py-h5py", type=("build", "test"))
        depends_on("python@3.9:", type=("build", "test"))

    with when("+cuda"):
        depends_on("kokkos +cuda")
        depends_on("kokkos +cuda_lambda", when="^kokkos@:4")  # later always
        depends_on("cmake@3.26:", type="build", when="^kokkos +cmake_lang")
        # Kokkos' own condition, told before anything is built.
        requires(
            "^kokkos +wrapper",
            "^kokkos +cmake_lang",
            policy="any_of",
            when="%gcc",
            msg="CUDA with GCC needs kokkos +wrapper or kokkos +cmake_lang",
        )
        depends_on("kokkos-kernels +cuda")
        conflicts("cuda_arch=none", msg="name the GPU with cuda_arch, for example cuda_arch=90")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        depends_on(f"kokkos-kernels +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")

    with when("+rocm"):
        depends_on("kokkos +rocm")
        conflicts(
            "amdgpu_target=none", msg="name the GPU with amdgpu_target, for example gfx90a"
        )
    for target in ROCmPackage.amdgpu_targets:
        depends_on(
            f"kokkos +rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}"
        )

    conflicts("+cuda", when="+rocm", msg="Kokkos has one kind of GPU at a time")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("RIVULET_ENABLE_MPI", "mpi"),
            self.define_from_variant("RIVULET_ENABLE_FFTW", "fftw"),
            self.define_from_variant("RIVULET_ENABLE_PNG", "png"),
            self.define_from_variant("RIVULET_BUILD_TESTS", "tests"),
            self.define_from_variant("RIVULET_ENABLE_FORTRAN", "fortran"),
            # Spack's own compiler wrapper chooses the instruction set from the target.
            self.define("RIVULET_NATIVE", False),
        ]
        # With kokkos +cmake_lang CMake itself finds the compiler for the GPU.
        if self.spec.satisfies("+rocm ^kokkos ~cmake_lang"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["hip"].hipcc))
        elif self.spec.satisfies("+cuda ^kokkos +wrapper"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos"].kokkos_cxx))
        return args
