# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ramble.appkit import *


class Rivulet(ExecutableApplication):
    """Streams of random numbers whose results are the same on any number of ranks."""

    name = "rivulet"

    tags("random-numbers", "monte-carlo")

    software_spec("rivulet", pkg_spec="rivulet", package_manager="spack*")

    executable("run", "rivulet {job} {amount_key}={amount} streams.generator={generator} "
               "streams.count={streams} --output {experiment_run_dir}/results.h5", use_mpi=True)

    workload("pi", executables=["run"])
    workload("fill", executables=["run"])
    workload("alias", executables=["run"])

    for job, key, amount in (("pi", "pi.points", "1e12"), ("fill", "fill.numbers", "1e11"),
                             ("alias", "alias.samples", "1e11")):
        workload_variable("job", default=job, description="job", workloads=[job])
        workload_variable("amount_key", default=key, description="the deck's key of how much",
                          workloads=[job])
        workload_variable("amount", default=amount, description="how much there is to do",
                          workloads=[job])
    workload_variable("generator", default="dcmt521", description="generator of the streams",
                      workloads=["pi", "fill", "alias"])
    workload_variable("streams", default="1048576", description="number of streams",
                      workloads=["pi", "fill", "alias"])

    figure_of_merit("rate", fom_regex=r"^Figure of Merit \(FOM\): (?P<rate>\S+) (?P<unit>\S+)$",
                    group_name="rate", units="{unit}", log_file="{log_file}")
    figure_of_merit("digest", fom_regex=r"^Digest: (?P<digest>[0-9a-f]{64})$", group_name="digest",
                    units="", log_file="{log_file}")
    for phase in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"):
        figure_of_merit(phase, fom_regex=rf"^{phase} +\S+ +\S+ +(?P<seconds>\S+)$",
                        group_name="seconds", units="s", log_file="{log_file}")

    success_criteria("digest", mode="string", match=r"^Digest: [0-9a-f]{64}$", file="{log_file}")
