# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many instructions a GPU executes for a point, from Nsight Compute's counters."""

import csv
import io
import os
import re
import shutil
import statistics
import subprocess

from benchmarking import peers

COUNTERS = {"smsp__inst_executed.sum": "all", "smsp__inst_executed_pipe_alu.sum": "logic"}  # of warps
WARP = 32
OURS = "Fused"  # in the names of src/kernels/pi's kernels, of which a count of many points launches several


def executed(path, case):
    """Instructions of all threads of the case's kernels, of a peer of its largest, or nothing."""
    run = subprocess.run(
        ["ncu", "--csv", "--metrics", ",".join(COUNTERS), "--clock-control", "none", path,
         f"--benchmark_filter=^{re.escape(case)}/", "--benchmark_min_time=1e-9"],
        text=True, capture_output=True, env=dict(os.environ, OMP_PROC_BIND="false"))
    table = run.stdout[run.stdout.find('"ID"'):] if '"ID"' in run.stdout else ""
    kernels = {}
    for row in csv.DictReader(io.StringIO(table)):
        if row.get("Metric Name") in COUNTERS and is_timed(row.get("Kernel Name", ""), case):
            count = WARP * float(row["Metric Value"].replace(",", ""))
            kernels.setdefault(row["ID"], {})[COUNTERS[row["Metric Name"]]] = count
    if not is_ours(case):
        return max(kernels.values(), key=lambda one: one.get("all", 0), default={})
    return {kind: sum(one.get(kind, 0) for one in kernels.values()) for kind in COUNTERS.values()} if kernels else {}


def is_ours(case):
    return case.startswith("pi_")


def is_timed(kernel, case):
    return OURS in kernel or not is_ours(case)


def instructions_of(path, cases):
    """Instructions a point of each fused pi kernel, and of the fastest Philox; nothing where there is no profiler."""
    if shutil.which("ncu") is None:
        return {}
    found = {}
    rates = {case: statistics.median(values["rates"]) for case, values in cases.items()
             if values["rates"]}
    philox = peers.PHILOX.fastest(rates)
    for case, values in cases.items():
        if not is_ours(case) and case != philox:
            continue
        points = statistics.median(
            rate * seconds for rate, seconds in zip(values["rates"], values["seconds"]))
        counts = executed(path, case)
        if counts:
            found[case] = {kind: count / points for kind, count in counts.items()}
    return found
