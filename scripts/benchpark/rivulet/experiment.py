# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from benchpark.directives import variant
from benchpark.experiment import Experiment


class Rivulet(Experiment):
    """The problems of docs/benchmark.md. An experiment succeeds if its digest is the expected one, by the
    application of scripts/ramble. docs/clusters.md says where Benchpark looks for these files."""

    variant("programming_model", default="openmp", values=("openmp", "cuda", "rocm"), description="backend of Kokkos")
    variant("problem", default="pi", values=("pi", "fill", "alias", "correlate", "occlusion"),
            description="problem of the benchmark")
    variant("size", default="S", values=("XS", "S", "M", "L"), description="its size")

    def value(self, name):
        return self.spec.variants[name][0]

    def compute_applications_section(self):
        load = f"{self.value('problem')}_{self.value('size')}"
        if self.spec.satisfies("programming_model=openmp"):
            variables = {"n_nodes": "1", "n_ranks": "2", "omp_num_threads": "8"}
        else:
            variables = {"n_gpus": "1"}  # the system knows how many a node has
        experiment = {"variants": {"package_manager": "spack"}, "n_repeats": "5", "variables": variables}
        return {"rivulet": {"workloads": {load: {"experiments": {f"rivulet_{load}": experiment}}}}}

    def compute_include_section(self):
        return ["./configs/software.yaml", "./configs/variables.yaml", "./configs/modifier.yaml"]

    def compute_spack_section(self):
        backend = {"openmp": "+openmp", "cuda": "+cuda cuda_arch={cuda_arch}",
                   "rocm": "+rocm amdgpu_target={rocm_arch}"}[self.value("programming_model")]
        return {"packages": {"rivulet": {"pkg_spec": f"rivulet@main {backend}{{modifier_spack_variant}}",
                                         "compiler": "default-compiler"}},
                "environments": {"rivulet": {"packages": ["default-mpi", "rivulet", "{modifier_package_name}"]}}}
