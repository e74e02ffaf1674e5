# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figure of merit of users' own commands beside the rows of bench_generators that say the same.

On a core, numbers go past the caches only where few streams fill the buffer: of many, the job fill draws as
many at a time as keep the core busy, and all their numbers are few.
"""

import os
import re
import shlex
import statistics
import subprocess

from benchmarking import machine, programs
from benchmarking.cases import part_of
from benchmarking.runs import rivulet
from common.text import amount_text, rate_text, table_of

SECONDS = 2  # of a command, at its row's rate
MOST_APART = 0.1
BYTES = {None: 1, "uint32": 4, "float": 4, "double": 8}  # of a number; points are counted as they are
TO_MEMORY = ("streams.count=32", "fill.memory=256MiB")  # of a core; a GPU's buffer is large anyway


def arguments_of(case, rate, on_gpu):
    """Of the command that does what a case (pi_ or bulk_) does at that rate."""
    number, team = part_of(case, "what"), part_of(case, "mapping")
    amount = amount_text(rate * SECONDS / BYTES[number])
    words = [f"streams.generator={part_of(case, 'name')}", *(["streams.mapping=team"] if team else [])]
    if number is None:
        return ["pi", *words, f"pi.points={amount}"]
    return ["fill", *words, f"fill.type={number}", f"fill.numbers={amount}",
            *(["fill.order=blocked"] if team else []), *(() if on_gpu else TO_MEMORY)]


def cases_of(program, pattern):
    done = subprocess.run([*program, "--benchmark_list_tests"], check=True, text=True, capture_output=True,
                          env=dict(os.environ, OMP_PROC_BIND="false"))
    names = [line.partition("/")[0] for line in done.stdout.splitlines()]
    return [name for name in names if part_of(name, "kind") in ("pi", "bulk")
            and re.search(pattern, f"{name}/real_time")]


def measure(binary, repetitions, program, pattern, seconds):
    """A row of each case: its command, and rates of both, which ran in turn."""
    on_gpu = machine.gpus() > 0
    rows = []
    for case in cases_of(program, pattern):
        arguments, row = None, {"case": case, "command": "", "rates": [], "row_rates": []}
        for _ in range(repetitions):
            record, _ = programs.measure(program, 1, f"^{case}/", seconds, subprocess.DEVNULL)
            row["row_rates"] += programs.cases_of(record)[case]["rates"]
            arguments = arguments or arguments_of(case, row["row_rates"][0], on_gpu)
            report = rivulet(binary, *arguments, threads=None if on_gpu else 1)
            row["rates"].append(report.merit * BYTES[part_of(case, "what")])
        row["command"] = f"{'' if on_gpu else 'OMP_NUM_THREADS=1 '}rivulet {shlex.join(arguments)}"
        rows.append(row)
    return rows


def ratio(row):
    """Of the command's rate to the row's: the median of those that were measured one after the other."""
    return statistics.median(mine / other for mine, other in zip(row["rates"], row["row_rates"], strict=True))


def rates(rows):
    """Medians of the commands' rates, by case."""
    return {row["case"]: statistics.median(row["rates"]) for row in rows}


def apart(rows):
    """Lines about rows which differ from their commands by more than 10 %."""
    return [f"{row['case']}: {ratio(row):.2f} x the row by {row['command']}" for row in rows
            if not abs(ratio(row) - 1) <= MOST_APART]


def table(rows):
    lines = table_of(("row", "command", "rate", "of the row's"),
                     [(row["case"], f"`{row['command']}`",
                       rate_text(rates([row])[row["case"]], "B/s" if part_of(row["case"], "what") else "points/s"),
                       f"{ratio(row):.2f} x") for row in rows])
    many = len(apart(rows))
    return [*lines, "", f"More than 10 % apart: {many} of {len(rows)}."]
