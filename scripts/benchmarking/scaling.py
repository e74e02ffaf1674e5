# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How jobs get faster with more ranks: strong scaling, the same work; weak scaling, as much for each.

A rank gets a GPU of its own where there are some, otherwise a core.
"""

import os
import shutil
import statistics
from dataclasses import dataclass

from benchmarking import machine
from benchmarking.failure import fail
from benchmarking.runs import rivulet
from benchmarking.text import percent, rate_text

LAUNCHER = ("mpiexec", "--bind-to", "none", "-n")


@dataclass(frozen=True)
class Work:
    name: str
    amount: str  # the deck's key for how much
    on_gpu: int
    on_core: int
    arguments: tuple


# On a GPU about two seconds each, and streams for any number of GPUs up to eight to share evenly.
WORKS = [
    Work("pi", "pi.points", 2 * 10**12, 2 * 10**10, ("streams.generator=dcmt521",)),
    Work("fill", "fill.numbers", 10**12, 4 * 10**9,
         ("streams.generator=dcmt521", "fill.type=float")),
    Work("alias", "alias.samples", 4 * 10**11, 10**9,
         ("streams.generator=hybrid_tausworthe", "table.layout=flat", "table.bits=32")),
]


def counts(most):
    """1, 2, 4, ... most."""
    found = [1]
    while found[-1] * 2 <= most:
        found.append(found[-1] * 2)
    return found


def run(binary, work, ranks, times, streams):
    on_gpu = streams is not None
    amount = (work.on_gpu if on_gpu else work.on_core) * times
    return rivulet(binary, work.name, f"{work.amount}={amount}", *work.arguments,
                   *([f"streams.count={streams}"] if on_gpu else []),
                   launcher=(*LAUNCHER, str(ranks)), threads=None if on_gpu else 1)


def can_run():
    return shutil.which(LAUNCHER[0]) is not None


def measure(binary, repetitions):
    """Rates and digests, one row a kind of work, way of scaling and number of ranks."""
    devices = machine.gpus()
    streams = 2**20 if devices else None
    rows, known = [], {}
    for work in WORKS:
        for way in ("strong", "weak"):
            for ranks in counts(devices or len(os.sched_getaffinity(0))):
                times = ranks if way == "weak" else 1
                reports = known.get((work, ranks, times))  # one rank's are the same both ways
                if reports is None:
                    reports = [run(binary, work, ranks, times, streams)
                               for _ in range(repetitions)]
                    known[work, ranks, times] = reports
                rows.append({"work": work.name, "way": way, "ranks": ranks,
                             "on": "GPU" if devices else "core", "unit": reports[0].unit,
                             "rates": [report.merit for report in reports],
                             "digests": sorted({report.digest for report in reports})})
    require_same(rows)
    return rows


def require_same(rows):
    """Strong scaling is the same work: however many ranks, one digest."""
    for work in {row["work"] for row in rows}:
        digests = {digest for row in rows if row["work"] == work and row["way"] == "strong"
                   for digest in row["digests"]}
        if len(digests) > 1:
            fail(f"the job {work} gave several digests on different numbers of ranks.",
                 "Results must not depend on ranks: please report this.")


def table(rows):
    lines = ["| job | scaling | ranks | rate | parallel efficiency |", "|---|---|---|---|---|"]
    one = {(row["work"], row["way"]): statistics.median(row["rates"])
           for row in rows if row["ranks"] == 1}
    for row in rows:
        rate = statistics.median(row["rates"])
        efficiency = rate / (row["ranks"] * one[row["work"], row["way"]])
        lines.append(f"| {row['work']} | {row['way']} | {row['ranks']} {row['on']}"
                     f"{'s' if row['ranks'] > 1 else ''} | {rate_text(rate, row['unit'])} | "
                     f"{percent(efficiency, 1)} |")
    return lines
