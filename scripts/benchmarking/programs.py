# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the benchmark programs."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from common.failure import ScriptError
from common.program import IS_CLONE, ROOT

RATIO = re.compile(r"(\S+) / (\S+): \S+ \(medians \S+ and \S+ G/s\)")
# Programs for each part of the benchmark, in order of preference. The first program that was built runs.
TABLES = {"distributions": ("library_distributions_gpu", "library_distributions"), "fill": ("library_fill",),
          "corsika": ("bench_corsika",)}
PARTS = ("generators", "sequence", *TABLES)  # the parts of a build with all benchmarks
TURNS = 20  # turns of library_distributions per repetition; the fastest turn of each distribution counts
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def build():
    if not IS_CLONE:
        raise ScriptError("an installation has no benchmark programs", "they are built in a clone",
                          "Run scripts/bench in a clone, or run `scripts/benchmark S` (docs/benchmark.md).")
    print("scripts/bench: building the benchmarks in build-benchmark; this takes minutes.", file=sys.stderr, flush=True)
    subprocess.run([ROOT / "scripts" / "setup"], check=True)
    subprocess.run(["cmake", "--preset", "benchmark"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", "--preset", "benchmark", "-j", str(os.cpu_count())], cwd=ROOT, check=True)
    return ROOT / "build-benchmark"


def benchmarks(folder):
    """Returns a dict from the short names of the Google benchmarks to their paths. Raises ScriptError if there are
    none."""
    found = {path.name.removeprefix("bench_"): path.resolve() for path in sorted((folder / "bench").glob("bench_*"))
             if path.is_file() and os.access(path, os.X_OK)}
    if not found:
        raise ScriptError(f"{folder}/bench holds no benchmarks", "CMake builds them only if it is told to",
                          "Omit --build, or configure that build with -DRIVULET_BUILD_BENCHMARKS=ON.")
    return {name: path for name, path in found.items() if name not in TABLES}


def tables(folder):
    """Returns a dict from the keys of TABLES to the paths of the programs that were built."""
    found = {}
    for name, programs in TABLES.items():
        for path in (folder / "bench" / program for program in programs):
            if path.is_file() and os.access(path, os.X_OK):
                found.setdefault(name, path.resolve())
    return found


def table(program, repetitions):
    """Runs a program that prints a table, and returns the table's lines."""
    turns = TURNS * repetitions if program.name == "library_distributions" else repetitions
    done = subprocess.run([program, str(turns)], check=True, text=True, stdout=subprocess.PIPE,
                          env=dict(os.environ, OMP_PROC_BIND="false", OMP_NUM_THREADS="1"))
    return done.stdout.splitlines()


def measure(program, repetitions, pattern, seconds, *words):
    """Runs a benchmark with the extra arguments `words`. Returns Google Benchmark's record, and the pairs of cases
    whose ratios the program printed. Raises ScriptError if the program fails."""
    environment = dict(os.environ, OMP_PROC_BIND="false", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.json"
        command = [program, *words, f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={seconds}",
                   "--benchmark_enable_random_interleaving=true", f"--benchmark_filter={pattern or '.'}",
                   f"--benchmark_out={record}", "--benchmark_out_format=json"]
        run = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE)
        if run.returncode != 0:
            raise ScriptError(f"{program.name} ended with status {run.returncode}", "its messages are above",
                              f"Run `{program}` alone to see more.")
        text = record.read_text(encoding="utf-8")
    return (json.loads(text) if text.strip() else {"benchmarks": []}), RATIO.findall(run.stdout)


def cases_of(record):
    """Returns a dict from each case to the seconds and rates of its repetitions. A case without items has no rates."""
    cases = {}
    for one in record["benchmarks"]:
        if one.get("run_type") != "iteration" or one.get("error_occurred"):
            continue  # an aggregate, or a case that a peer does not support (the program has printed the reason)
        name = re.sub(r"/(real_time|repeats:\d+|iterations:\d+)", "", one["name"])
        case = cases.setdefault(name, {"seconds": [], "rates": []})
        case["seconds"].append(one["real_time"] * SECONDS[one["time_unit"]])
        if "items_per_second" in one:
            case["rates"].append(one["items_per_second"])
    return cases
