# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re

from ramble.appkit import *

HERE = os.path.realpath((lambda: None).__code__.co_filename)  # Ramble's modules have no __file__
DECKS = os.path.join(HERE.rsplit(os.sep, 5)[0], "inputs", "benchmark")
with open(os.path.join(DECKS, "problems.json"), encoding="utf-8") as problems_file:
    PROBLEMS = json.load(problems_file)["problems"]
MOST_DEVIATION = 4  # standard errors, as docs/benchmark.md says


class Rivulet(ExecutableApplication):
    """Streams of random numbers whose results are the same on any number of ranks. Workloads such as pi_S are the
    problems of docs/benchmark.md; an experiment succeeds if its digest is the expected one."""

    name = "rivulet"

    tags("random-numbers", "monte-carlo")

    software_spec("rivulet", pkg_spec="rivulet", package_manager="spack*")

    executable("run", "rivulet {job} {amount_key}={amount} streams.generator={generator} "
               "streams.count={streams} --output {experiment_run_dir}/results.h5", use_mpi=True)
    executable("problem", "rivulet {decks}/{problem}.yaml {words}", use_mpi=True)

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
    workload_variable("digest", default="", description="the expected digest; none: any, but one",
                      workloads=["pi", "fill", "alias"])
    workload_variable("deviation", default="", description="none", workloads=["pi", "fill", "alias"])

    for problem, known in PROBLEMS.items():
        for size in ("XS", "S", "M", "L"):
            load = f"{problem}_{size}"
            one = known["sizes"][size]
            words = " ".join([known["key"].format(amount=one["amount"]), *one["with"]])
            workload(load, executables=["problem"])
            for key, value, text in (
                    ("decks", DECKS, "folder of the decks"), ("problem", problem, "the deck"),
                    ("words", words, "what makes the deck's size"),
                    ("digest", one["digest"] or "", "the expected digest"),
                    ("deviation", known["deviation"] or "", "line of the report that verifies where none is known")):
                workload_variable(key, default=value, description=text, workloads=[load])

    figure_of_merit("rate", fom_regex=r"^Figure of Merit \(FOM\): (?P<rate>\S+) \S+$",
                    group_name="rate", units="1/s", log_file="{log_file}")
    figure_of_merit("digest", fom_regex=r"^Digest: (?P<digest>[0-9a-f]{64})$", group_name="digest",
                    units="", log_file="{log_file}")
    for phase in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"):
        figure_of_merit(phase, fom_regex=rf"^{phase} +\S+ +\S+ +(?P<seconds>\S+)$",
                        group_name="seconds", units="s", log_file="{log_file}")

    success_criteria("digest", mode="application_function")

    def evaluate_success(self):
        """Ramble also asks before there is a log."""
        digest, deviation, log = (self.expander.expand_var("{" + name + "}")
                                  for name in ("digest", "deviation", "log_file"))
        try:
            with open(log, encoding="utf-8") as file:
                text = file.read()
        except OSError:
            return False
        found = re.findall(r"(?m)^Digest: ([0-9a-f]{64})$", text)
        if digest or not deviation:
            return len(found) == 1 and digest in ("", found[0])
        errors = re.findall(rf"(?m)^{deviation}: (\S+) standard errors$", text)
        return len(found) == len(errors) == 1 and abs(float(errors[0])) < MOST_DEVIATION
