# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from benchpark.directives import variant
from benchpark.experiment import Experiment
from benchpark.programming_model import ProgrammingModel, ProgrammingModelType

PROBLEMS = ("pi", "fill", "alias", "correlate", "occlusion")
SIZES = ("XS", "S", "M", "L")


class Rivulet(
    Experiment,
    ProgrammingModel(
        ProgrammingModelType.Mpionly,
        ProgrammingModelType.Openmp,
        ProgrammingModelType.Cuda,
        ProgrammingModelType.Rocm,
    ),
):
    """Runs the problems of docs/benchmark.md. The application in scripts/ramble checks each experiment's digest.

    This file has not been run with the Benchpark of 2026. To use it, link this folder into Benchpark's `experiments`,
    and the folder scripts/ramble/applications/rivulet into Benchpark's `repos/ramble_applications`. Add the Spack
    recipe (scripts/spack) as `rivulet/package.py` to `repos/spack_repo/benchpark/packages`. Then run

        benchpark experiment init --dest=DIR SYSTEM rivulet +openmp workload=pi_M,fill_M ranks=2 threads=64
    """

    variant(
        "workload",
        default="pi_S",
        values=tuple(f"{problem}_{size}" for problem in PROBLEMS for size in SIZES),
        multi=True,
        description="problems of the benchmark and their sizes",
    )
    variant("version", default="main", values=("main",), description="of Rivulet")
    variant("ranks", default="1", values=int, description="number of ranks; on GPUs of GPUs, with a rank each")
    variant("threads", default="1", values=int, description="threads of a rank")

    def compute_applications_section(self):
        ranks = self.spec.variants["ranks"][0]
        on_gpu = self.spec.satisfies("+cuda") or self.spec.satisfies("+rocm")
        self.add_experiment_variable("n_gpus" if on_gpu else "n_ranks", ranks, True)
        self.add_experiment_variable("n_threads_per_proc", self.spec.variants["threads"][0], True)
        self.set_required_variables(
            n_resources=ranks,
            process_problem_size="{amount}/{n_resources}",
            total_problem_size="{amount}",
        )

    def compute_config_section(self):
        return {**super().compute_config_section(), "n_repeats": "5"}

    def compute_package_section(self):
        self.add_package_spec(self.name, [f"rivulet@{self.spec.variants['version'][0]} "])
