# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os

from ramble.appkit import *

HERE = os.path.realpath((lambda: None).__code__.co_filename)  # Ramble does not set __file__
DECKS = os.path.join(HERE.rsplit(os.sep, 5)[0], "inputs", "benchmark")
with open(os.path.join(DECKS, "problems.json"), encoding="utf-8") as problems_file:
    PROBLEMS = json.load(problems_file)["problems"]


class Rivulet(ExecutableApplication):
    """Monte Carlo jobs on streams of random numbers. Results are the same on any number of ranks. The workloads, such
    as pi_S, are the problems of docs/benchmark.md. An experiment succeeds if its digest is the expected one."""

    name = "rivulet"

    tags("random-numbers", "monte-carlo")

    executable("problem", "rivulet {decks}/{problem}.yaml {words}", use_mpi=True)

    for problem, known in PROBLEMS.items():
        for size, one in known["sizes"].items():
            load = f"{problem}_{size}"
            workload(load, executables=["problem"])
            for key, value, text in (
                    ("decks", DECKS, "folder of the decks"), ("problem", problem, "the deck"),
                    ("amount", str(one["amount"]), "how much there is to do"),
                    ("words", " ".join([known["key"].format(amount="{amount}"), *one["with"],
                                        f"output.expect={one['digest']}"]), "make the deck's size")):
                workload_variable(key, default=value, description=text, workloads=[load])

    figure_of_merit("rate", fom_regex=r"^Figure of Merit \(FOM\): (?P<rate>\S+) \S+$",
                    group_name="rate", units="1/s", log_file="{log_file}")
    # The pattern has + instead of {64}, because Ramble expands braces as variables.
    figure_of_merit("digest", fom_regex=r"^Digest: (?P<digest>[0-9a-f]+)", group_name="digest",
                    units="", log_file="{log_file}")
    for phase in ("setup", "rng", "compute", "reduction", "transfer", "io", "total"):
        figure_of_merit(phase, fom_regex=rf"^{phase} +\S+ +\S+ +(?P<seconds>\S+)$",
                        group_name="seconds", units="s", log_file="{log_file}")

    success_criteria("digest", mode="string", match=r"^Digest: \w+ \(as expected\)$")
