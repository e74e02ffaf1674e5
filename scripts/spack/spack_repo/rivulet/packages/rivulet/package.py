# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import inspect
import json
import os
import re

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage
from spack_repo.builtin.packages.kokkos.package import Kokkos

from spack.package import *


class Rivulet(CMakePackage, CudaPackage, ROCmPackage):
    """Parallel streams of random numbers, and Monte Carlo jobs on them, over MPI and Kokkos. The
    results are bitwise the same on any number of ranks, threads and devices."""

    # These URLs are placeholders, as in CITATION.cff.
    # Before submission to spack-packages, add Spack's header to this file.
    homepage = "https://rivulet.example.org"
    url = "https://rivulet.example.org/releases/rivulet-0.1.0.tar.gz"
    git = "https://rivulet.example.org/rivulet.git"

    license("Apache-2.0 WITH LLVM-exception")

    test_requires_compiler = True

    version("main", branch="main")
    # Add releases here, each with the sha256 that scripts/release prints. In a clone at a release's
    # tag, `scripts/release mirror/rivulet` creates a mirror, and
    # `spack mirror add rivulet file://$PWD/mirror` adds it.

    variant(
        "components",
        default="all",
        values=("all", "rng"),
        multi=False,
        description="All, or rng: the headers for Kokkos programs, which need Kokkos alone",
    )
    with when("components=all"):
        variant("mpi", default=True, description="Run over several ranks with MPI")
        variant("fftw", default=True, description="Correlate at many lags with FFTW (GPL)")
        variant("battery", default=True, description="Build the job battery, TestU01's tests")
        variant("openmp", default=True, description="Run on threads with Kokkos' OpenMP backend")
        variant("shared", default=True, description="Build a shared library")
        variant("fortran", default=True, description="Build the Fortran module")
        variant("scripts", default=False, description="Install PyYAML for scripts/batch, scaling")
        variant("plots", default=False, description="Install h5py, matplotlib for scripts/plot")
        # The names in src/generators/list.hpp.
        variant(
            "generators",
            values=disjoint_sets(
                ("all",),
                (
                    "dcmt521",
                    "dcmt607",
                    "dcmt1279",
                    "dcmt2203",
                    "ranmar24",
                    "ranmar48",
                    "ranmar48_scaled",
                    "ranmar48x",
                    "mt19937",
                    "mtgp11213",
                    "philox4x32",
                    "philox4x32_7",
                    "threefry4x64",
                    "philox4x64",
                    "xoshiro256pp",
                    "pcg64dxsm",
                    "sfc64",
                    "mrg32k3a",
                    "ranluxpp",
                    "mixmax17",
                    "hybrid_tausworthe",
                    "lfsr113",
                    "hybrid_tausworthe_listing",
                ),
            )
            .prohibit_empty_set()
            .with_default("all"),
            description="Generators to build; fewer take less time",
        )

    generator("ninja")

    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("kokkos@3.4:5")
    for backend in ("cuda", "rocm"):
        conflicts(
            f"+{backend}",
            when="components=rng",
            msg=f"the headers take any Kokkos: name its backend, ^kokkos +{backend}",
        )
    with when("components=all"):
        depends_on("c", type="build")
        depends_on("fortran", type="build", when="+fortran")
        depends_on("kokkos-kernels@3.4:5")
        # Rivulet has the backends of its Kokkos: without GPUs, it needs a Kokkos without GPUs.
        depends_on("kokkos +openmp", when="+openmp")
        depends_on("kokkos ~openmp +serial", when="~openmp")
        depends_on("kokkos ~cuda", when="~cuda")
        depends_on("kokkos-kernels ~cuda", when="~cuda")
        depends_on("kokkos ~rocm", when="~rocm")
        for backend in ("threads", "hpx", "sycl", "openmptarget"):
            conflicts(f"^kokkos +{backend}", msg="Rivulet runs on CUDA, HIP, OpenMP or Serial")
    # A process must have only one Kokkos, so a shared library needs a shared Kokkos.
    with when("+shared"):
        depends_on("kokkos +shared")
        depends_on("kokkos-kernels +shared")
    depends_on("kokkos-kernels ~shared", when="^kokkos ~shared")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5@1.10: +mpi", when="+mpi")
    depends_on("hdf5@1.10: ~mpi", when="~mpi")
    depends_on("fftw@3.3: precision=double", when="+fftw")
    with when("components=all"):
        depends_on("yaml-cpp@0.7:")
        depends_on("cli11@2.1:")
        depends_on("fmt@9:")
        depends_on("boost@1.74:")
        depends_on("openssl@3:")
        with default_args(type="test"):
            depends_on("googletest@1.12: +gmock")
            depends_on("py-h5py")
            depends_on("python@3.9:")

    depends_on("python@3.9:", type="run", when="+scripts")
    depends_on("py-pyyaml", type="run", when="+scripts")
    with default_args(type="run", when="+plots"):
        depends_on("python@3.9:")
        depends_on("py-h5py")
        depends_on("py-matplotlib")

    conflicts("%gcc@:10", msg="Rivulet is C++20: GCC 11 or newer")

    with when("+cuda"):
        depends_on("cuda@12:")  # for C++20
        depends_on("kokkos +cuda")
        requires("^kokkos +cuda_lambda", when="^kokkos@:4")  # always on in later versions
        depends_on("cmake@3.26:", type="build", when="^kokkos +cmake_lang")
        # Older recipes of Kokkos require the wrapper. This conflict reports that before any build.
        if "requires +wrapper" in inspect.getsource(inspect.getmodule(Kokkos)):
            conflicts(
                "^kokkos ~wrapper ~cmake_lang",
                when="%gcc",
                msg="CUDA with GCC needs kokkos +wrapper or kokkos +cmake_lang",
            )
        depends_on("kokkos-kernels +cuda")
        conflicts("cuda_arch=none", msg="name the GPU with cuda_arch, for example cuda_arch=90")
    for arch in CudaPackage.cuda_arch_values:
        if arch not in getattr(Kokkos, "spack_cuda_arch_map", CudaPackage.cuda_arch_values):
            conflicts(
                f"cuda_arch={arch}",
                msg=f"Kokkos' recipe has no cuda_arch={arch}: try one without a letter",
            )
        depends_on(f"kokkos +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")
        depends_on(f"kokkos-kernels +cuda cuda_arch={arch}", when=f"+cuda cuda_arch={arch}")

    with when("+rocm"):
        depends_on("kokkos +rocm")
        depends_on("hipfft")
        conflicts("amdgpu_target=none", msg="name the GPU with amdgpu_target, for example gfx90a")
    for target in ROCmPackage.amdgpu_targets:
        depends_on(f"kokkos +rocm amdgpu_target={target}", when=f"+rocm amdgpu_target={target}")

    conflicts("+cuda", when="+rocm", msg="Kokkos has one kind of GPU at a time")

    @property
    def sanity_check_is_file(self):
        if self.spec.satisfies("components=rng"):
            return [join_path("include", "rivulet", "version.hpp")]
        return [
            join_path("bin", "rivulet"),
            join_path("include", "rivulet.h"),
            join_path("include", "rivulet", "version.hpp"),
            join_path("share", "rivulet", "inputs", "pi.yaml"),
        ]

    sanity_check_is_dir = [join_path("include", "rivulet")]

    def cmake_args(self):
        args = [self.define_from_variant("RIVULET_COMPONENTS", "components")]
        if self.spec.satisfies("components=rng"):
            return args
        args += [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("RIVULET_ENABLE_MPI", "mpi"),
            self.define_from_variant("RIVULET_ENABLE_FFTW", "fftw"),
            self.define_from_variant("RIVULET_BATTERY", "battery"),
            self.define_from_variant("RIVULET_ENABLE_FORTRAN", "fortran"),
            self.define_from_variant("RIVULET_GENERATORS", "generators"),
            self.define("RIVULET_BUILD_TESTS", self.run_tests),
            self.define("RIVULET_NATIVE", False),
            self.define("RIVULET_ARCH", self.processor()),
        ]
        compiler = self.kokkos_compiler()
        if compiler:
            args.append(self.define("CMAKE_CXX_COMPILER", compiler))
        if self.spec.satisfies("^kokkos +cmake_lang"):
            args += self.language_compiler()
        return args

    def language_compiler(self):
        """Returns the CMake options that name the GPU compiler, as in Kokkos' own recipe. Without
        these options CMake would search the PATH."""
        clang = self.spec.satisfies("%cxx=clang") or self.spec.satisfies("%cxx=rocmcc")
        if self.spec.satisfies("+cuda"):
            nvcc = self.spec["cuda"].prefix.bin.nvcc
            return [self.define("CMAKE_CUDA_COMPILER", self.compiler.cxx if clang else nvcc)]
        if self.spec.satisfies("+rocm"):
            amdclang = join_path(self.spec["llvm-amdgpu"].prefix.bin, "amdclang++")
            return [self.define("CMAKE_HIP_COMPILER", self.compiler.cxx if clang else amdclang)]
        return []

    def processor(self):
        """Returns the target as an argument of -march=, or "" for ROCm. Spack's compiler wrapper
        adds -march too, but Rivulet also needs the name: it adds flags for some processors, and
        installs the name for its users."""
        if self.spec.satisfies("+rocm"):
            return ""  # hipcc would apply -march to the GPU too
        found = re.search(r"-m(?:arch|cpu)=(\S+)", microarchitecture_flags(self.spec, "cxx"))
        return found.group(1) if found else ""

    def kokkos_compiler(self):
        """Returns the compiler that Kokkos requires instead of Spack's, or None."""
        kokkos = self.spec["kokkos"]
        if kokkos.satisfies("+cmake_lang"):
            return None  # CMake compiles for the GPU with language_compiler()
        if self.spec.satisfies("+rocm") and not (
            kokkos.satisfies("%cxx=clang") or kokkos.satisfies("%cxx=rocmcc")
        ):
            return self.spec["hip"].hipcc
        if self.spec.satisfies("+cuda") and kokkos.satisfies("+wrapper"):
            return self["kokkos"].kokkos_cxx
        if self.spec.satisfies("+cuda") and kokkos.satisfies("%cxx=gcc"):
            return join_path(kokkos.prefix.bin, "nvcc_wrapper")
        return None

    def setup_build_environment(self, env: EnvironmentModifications) -> None:
        if self.spec.satisfies("+cuda ^kokkos ~wrapper ~cmake_lang"):  # Kokkos' own nvcc_wrapper
            env.set("CUDA_ROOT", self.spec["cuda"].prefix)
            env.set("NVCC_WRAPPER_DEFAULT_COMPILER", self.compiler.cxx)

    def check(self):
        """Runs the tests that scripts/test runs, if all generators were built."""
        if not self.spec.satisfies("generators=all"):
            tty.msg("Rivulet's tests need generators=all: not run")
            return
        with working_dir(self.build_directory):
            ctest("--label-exclude", "nightly", "--no-tests=error", "--output-on-failure")

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        """Sets the variables of the module file that Rivulet installs."""
        if self.spec.satisfies("components=rng"):
            return
        env.set("RIVULET_SHARE", self.prefix.share.rivulet)
        if self.spec.satisfies("+shared"):
            env.prepend_path("PYTHONPATH", self.prefix.share.rivulet.python)

    # Test projects that build against an installation alone, and the known digests.
    consumers = join_path("tests", "install", "consumer", "installed")
    digests = join_path("tests", "data", "digests.json")

    @run_after("install")
    def keep_test_sources(self):
        cache_extra_test_sources(self, [self.consumers, self.digests])

    def test_pi(self):
        """the job pi computes the known digest with each generator that needs no parameter files"""
        if self.spec.satisfies("components=rng"):
            raise SkipTest("the headers have no program")
        rivulet = Executable(self.prefix.bin.rivulet)
        cached = self.test_suite.current_test_cache_dir
        with open(join_path(cached, self.digests), encoding="utf-8") as file:
            digests = json.load(file)
        listed = rivulet("--list", output=str.split, error=str.split)
        for name in ("dcmt521", "mt19937", "ranmar48", "philox4x32", "lfsr113"):
            with test_part(self, f"test_pi_{name}", purpose=f"known digest of {name}"):
                if not re.search(rf"^  {name} ", listed, re.MULTILINE):
                    raise SkipTest(f"{name} was not built")
                output = rivulet(
                    "pi",
                    "pi.points=500009",
                    "streams.count=1300",
                    f"streams.generator={name}",
                    "output.file=",
                    output=str.split,
                    error=str.split,
                )
                check_outputs(f"Digest: {digests[f'{name}: pi']}", output)

    def consume(self, project, *options):
        """Configures, builds and runs a project against the installation alone."""
        source = join_path(self.test_suite.current_test_cache_dir, self.consumers)
        tools = self.spec["cmake"].prefix.bin
        ninja = self.spec["ninja"].prefix.bin.ninja
        for tool in (tools.cmake, ninja):
            if not os.path.exists(tool):
                raise SkipTest(f"{tool}, which only the build needs, is no longer installed")
        cmake = Executable(tools.cmake)
        places = (f"-DCASE={project}", f"-DCMAKE_MAKE_PROGRAM={ninja}", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        cmake("-S", source, "-B", project, "-G", "Ninja", *places, *options)
        cmake("--build", project)
        ctest = Executable(tools.ctest)
        ctest("--test-dir", project, "--no-tests=error", "--output-on-failure")

    def test_consumers(self):
        """programs in C, C++ and Fortran are built against the installation"""
        if self.spec.satisfies("components=rng"):
            self.consume("rng", f"-DCMAKE_CXX_COMPILER={self.compiler.cxx}")
            return
        if not any(self.spec.satisfies(f"generators={name}") for name in ("all", "dcmt521")):
            raise SkipTest("the programs need the generator dcmt521")
        with test_part(self, "test_consumers_cxx", purpose="a program in C++"):
            if self.spec.satisfies("^kokkos +cmake_lang"):
                raise SkipTest("its project would have to say how Kokkos is compiled")
            sets = join_path(self.test_suite.stage, "sets.h5")
            Executable(self.prefix.bin.rivulet)(
                "create",
                "create.exponent=521",
                "create.first_id=600",
                "create.count=4",
                "create.seed=7",
                f"output.file={sets}",
            )
            compiler = self.kokkos_compiler() or self.compiler.cxx
            wrapped = {}
            if self.spec.satisfies("+cuda") and self.kokkos_compiler():
                wrapped["CUDA_ROOT"] = self.spec["cuda"].prefix
                wrapped["NVCC_WRAPPER_DEFAULT_COMPILER"] = self.compiler.cxx
            with set_env(**wrapped):
                self.consume("cxx", f"-DCMAKE_CXX_COMPILER={compiler}", f"-DPARAMETER_FILE={sets}")
        with test_part(self, "test_consumers_c", purpose="a program in C"):
            if self.spec.satisfies("~shared"):
                raise SkipTest("static libraries need C++")
            self.consume("c", f"-DCMAKE_C_COMPILER={self.compiler.cc}")
        with test_part(self, "test_consumers_fortran", purpose="programs in Fortran"):
            if self.spec.satisfies("~shared") or self.spec.satisfies("~fortran"):
                raise SkipTest("it takes +shared +fortran")
            self.consume("fortran", f"-DCMAKE_Fortran_COMPILER={self.compiler.fc}")
