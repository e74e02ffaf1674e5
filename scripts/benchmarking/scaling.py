# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How jobs get faster with more ranks on this machine: studies, strong and weak, of pi, fill and alias.

A rank gets a GPU of its own where there are some, otherwise a core.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import tempfile

from benchmarking import machine
from common.text import percent, rate_text, table_of
from studying import collected, planned, submitted


def can_run():
    return shutil.which("mpiexec") is not None


def measure(binary, repetitions):
    """Rates and digests, one row a kind of work, way of scaling and number of ranks."""
    with tempfile.TemporaryDirectory() as folder:
        return [row for work in planned.WORKS for way in ("strong", "weak")
                for row in study(pathlib.Path(folder), work, way, binary, repetitions)]


def study(folder, work, way, binary, repetitions):
    devices = machine.gpus()
    most = planned.counts(devices or len(os.sched_getaffinity(0)))[-1]
    amount = work.on_gpu if devices else work.on_core
    streams = ("streams.count=1048576",) if devices else ()
    here = folder / f"{work.name}_{way}"
    plan = planned.plan(argparse.Namespace(
        study=here, deck=work.name, overrides=[f"{work.amount}={amount}", *work.arguments, *streams],
        kind=way, most=most, gpus=bool(devices), repetitions=repetitions, amount=work.amount,
        machine=None, program=str(binary)))
    for run in plan["runs"]:  # one rank's runs are the same both ways
        known = folder / f"{work.name}_strong" / run["results"].replace("weak", "strong")
        if run["nodes"] == 1 and known.exists():
            shutil.copy(known, here / run["results"])
    submitted.submit(here, plan, say=lambda _: None)
    rows = collected.collect(here, plan)
    for ranks in plan["nodes"]:
        runs = [row for row in rows if row["nodes"] == ranks]
        yield {"work": work.name, "way": way, "ranks": ranks, "on": plan["unit"],
               "unit": runs[0]["unit"], "rates": [row["merit"] for row in runs],
               "digests": sorted({row["digest"] for row in runs})}


def table(rows):
    """A row for each work, strong and weak, with a column for each number of ranks."""
    found = {}
    for row in rows:
        works = found.setdefault(f"{row['work']}, {row['unit']}", {})
        works.setdefault(row["ranks"], {})[row["way"]] = statistics.median(row["rates"])
    ranks = sorted({row["ranks"] for row in rows})
    on = rows[0]["on"]

    def cell(rates, many):
        """Of each way; the efficiency of more than one rank."""
        return "; ".join(rate_text(rate) + (f" ({percent(rate, many * rates[1][way])})" if many > 1 else "")
                         for way, rate in rates.get(many, {}).items())

    return table_of(("strong; weak", *(f"{many} {on}{'s' if many > 1 else ''}" for many in ranks)),
                    [(names, *(cell(rates, many) for many in ranks)) for names, rates in found.items()])
