# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The experiment of a thesis on RANMAR (docs/ranmar.md): the grid of bench_sequence as a table for scripts/plot."""

import json
import pathlib
import re
import statistics

from benchmarking import programs
from common.failure import ScriptError

NUMBERS = 10**9  # that the table's seconds are for, as the thesis's
CASE = re.compile(r"sweep/fetch:(\d+)/instances:(\d+)/per_team:(\d+)/buffered:(\d)/")


def measure(program, repetitions, pattern, seconds):
    """The table: medians of each case."""
    record, _ = programs.measure(program, repetitions, f"^sequential/|{pattern or '.'}", seconds, "--only=sweep")
    runs = {}
    for one in record["benchmarks"]:
        if one["run_type"] == "iteration":
            runs.setdefault(one["run_name"], []).append(one)

    def of(name, value):
        return NUMBERS * statistics.median(value(one) for one in runs[name])

    rows = [{**dict(zip(("fetch", "instances", "per_team", "buffered"), map(int, case.groups()))),
             "seconds": of(case.string, lambda one: 1 / one["items_per_second"]),
             "kernel": of(case.string, lambda one: one["kernel"]),
             "transfer": of(case.string, lambda one: one["transfer"])}
            for case in map(CASE.match, runs) if case]
    if not rows:
        raise ScriptError(f"no case matches --filter={pattern}.", "Choose another regular expression.")
    sequential = next(name for name in runs if name.startswith("sequential/"))
    return {"numbers": NUMBERS, "call": 10, "machine": f"{record['context']['space']}, one core",
            "repetitions": repetitions,
            "sequential_seconds": of(sequential, lambda one: 1 / one["items_per_second"]), "rows": rows}


def run(chosen):
    """Measures, and writes the table; what to print."""
    path = chosen.record or pathlib.Path("sweep.json")
    if path.suffix != ".json":
        raise ScriptError(f"--record {path} is no name for the table.", "Name it .json, by which scripts/plot knows it.")
    folder = chosen.build or programs.build()
    program = folder.resolve() / "bench" / "bench_sequence"
    if not program.is_file():
        raise ScriptError(f"{folder}/bench has no bench_sequence.",
                          f"Build it: cmake --build {folder} --target bench_sequence")
    table = measure(program, chosen.repetitions, chosen.filter, chosen.seconds)
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    best = min(table["rows"], key=lambda row: row["seconds"])
    return (f"{len(table['rows'])} cases; the fastest is {table['sequential_seconds'] / best['seconds']:.1f} times as fast "
            f"as the sequential generator.\nThe table is {path}. Draw it: scripts/plot {path}")
