# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the documents that Rivulet reproduces, and the same work done by Rivulet.

Numbers of the documents are copied from them; docs/published.md is made of both.
"""

import statistics
from dataclasses import dataclass, field

from benchmarking.runs import rivulet
from common.program import ROOT
from common.text import seconds_text, table_of

DECKS = ROOT / "inputs" / "published"


@dataclass(frozen=True)
class Row:
    """A piece of work: what the documents say it took, and how Rivulet is asked for it."""
    label: str
    key: str  # of the run in a record
    theirs: dict  # hardware -> phase -> seconds
    deck: str
    arguments: tuple = ()
    repeats: int = 1  # that the run's phases are sums over
    phases: object = None  # report -> phase -> seconds


@dataclass(frozen=True)
class Document:
    title: str
    about: str
    hardware: tuple
    phases: tuple
    rows: list = field(default_factory=list)


def generate_count(report):
    return {"generate": report.seconds["rng"], "count": report.seconds["compute"]}


def fused(report):
    return {"generate and count": report.seconds["compute"]}


def rng_compute_transfer(report):
    parts = {"RNG": report.seconds["rng"], "compute": report.seconds["compute"],
             "transfer": report.seconds["transfer"]}
    return {**parts, "total": sum(parts.values()) + report.seconds["reduction"]}


def kernel(report):
    return {"kernel": report.seconds["compute"]}


def whole(report):
    return {"total": report.seconds["total"]}


C2050, I7 = "Tesla C2050", "Core i7-2600"
C1060, NEHALEM, GTX = "Tesla C1060", "Core i7 (Nehalem), 4 threads", "GTX 480"


def opencl():
    # Tables 6.5 (CPU), 6.7 (thread a twister, local memory) and 6.8 (warp a twister), milliseconds.
    threads = {128: (185.0, 263.0, 59.8, 72.0), 256: (130.1, 177.4, 58.8, 72.0),
               512: (92.1, 143.4, 57.9, 72.0)}
    warps = {128: 47.8, 256: 42.2, 512: 42.2}
    common = ("streams.parameters=shipped", "pi.iterations=20")
    rows = []
    for sets, (mt, pi, cpu_mt, cpu_pi) in threads.items():
        rows.append(Row(f"{sets} sets, a thread or lane a twister", f"opencl_lane_{sets}",
                        {C2050: {"generate": mt / 1e3, "count": pi / 1e3},
                         I7: {"generate": cpu_mt / 1e3, "count": cpu_pi / 1e3}},
                        "opencl_mt.yaml", (*common, f"streams.count={sets}"), 20, generate_count))
    for sets, mt in warps.items():
        rows.append(Row(f"{sets} sets, a warp a twister", f"opencl_team_{sets}",
                        {C2050: {"generate": mt / 1e3}}, "opencl_mt.yaml",
                        (*common, f"streams.count={sets}", "streams.mapping=team"), 20,
                        generate_count))
    rows.append(Row("65536 streams on 512 sets, fused (Rivulet's own way)", "opencl_fused", {},
                    "opencl_mt.yaml",
                    (*common, "streams.count=65536", "streams.seeding=native", "pi.kernel=fused",
                     "pi.mapping=centred", "pi.batches=1"),
                    20, fused))
    return Document(
        "33554432 numbers and points: The OpenCL Programming Book",
        "Tables 6.5, 6.7 and 6.8: numbers of period 2^521 - 1 into memory (generate), and points in the "
        "quarter circle from there (count). Rivulet cuts streams that are too few into segments.",
        (C2050, I7), ("generate", "count", "generate and count"), rows)


def portland():
    host = {"RNG": 12.27999, "compute": 1.43082, "transfer": 0.0, "total": 13.80947}
    gpu = {"RNG": 0.52054, "compute": 0.24725, "transfer": 0.00038, "total": 0.95668}
    return Document(
        "67108860 points, ten times: Tuning a Monte Carlo Algorithm on GPUs",
        "M. Colgrove, PGInsider, February 2010: the first and the last version; the last one and the "
        "deck draw from 4096 twisters of period 2^607 - 1, as the CUDA SDK's. Times are of all ten "
        "iterations. Rivulet's own way takes one number per point instead of two.",
        (C1060, NEHALEM), ("RNG", "compute", "transfer", "total", "generate and count"),
        [Row("through memory", "portland", {C1060: gpu, NEHALEM: host}, "pgi_monte_carlo.yaml", (),
             1, rng_compute_transfer),
         Row("65536 streams, fused (Rivulet's own way)", "portland_fused", {},
             "pgi_monte_carlo.yaml",
             ("pi.kernel=fused", "pi.mapping=centred", "pi.point=packed", "streams.count=65536"),
             1, fused)])


def tausworthe():
    cpu, cuda = {"kernel": 9.73, "total": 9.93}, {"kernel": 53e-6, "total": 0.92}
    return Document(
        "10^6 samples of 10 x 10 correlated cells: alias sampling on GPUs",
        "S. Mohanty, A. K. Mohanty and F. Carminati, 2012, table 1 (CUDA; the CPU is not named): one "
        "thread per sample, all samples copied to the host. Totals are of whole runs, Rivulet's with "
        "its results file. The kernel alone is the mean of 100.",
        (GTX, "CPU"), ("kernel", "total"),
        [Row("the paper's run: 10^6 streams of one sample, kept", "tausworthe",
             {GTX: {"total": cuda["total"]}, "CPU": {"total": cpu["total"]}}, "alias_gaussian.yaml",
             (), 1, whole),
         Row("the same, kernel alone", "tausworthe_kernel",
             {GTX: {"kernel": cuda["kernel"]}, "CPU": {"kernel": cpu["kernel"]}},
             "alias_gaussian.yaml", ("alias.iterations=100",), 100, kernel),
         Row("65536 streams, histogram alone (Rivulet's own way)", "tausworthe_histogram", {},
             "alias_gaussian.yaml",
             ("alias.iterations=100", "alias.keep=none", "streams.count=65536",
              "streams.seeding=native"), 100, kernel)])


DOCUMENTS = [opencl(), portland(), tausworthe()]


def measure(binary, repetitions):
    """Medians of seconds of every phase, by run and phase."""
    reports = {}
    for document in DOCUMENTS:
        for row in document.rows:
            if row.key not in reports:
                reports[row.key] = [rivulet(binary, DECKS / row.deck, *row.arguments)
                                    for _ in range(repetitions)]
    found = {}
    for document in DOCUMENTS:
        for row in document.rows:
            every = [row.phases(report) for report in reports[row.key]]
            found[f"{row.key}: {row.label}"] = {
                phase: statistics.median(one[phase] for one in every) / row.repeats
                for phase in every[0]}
    return found


def table(document, records):
    """records: what measure() gave, by the machines' names."""
    rows = []
    for row in document.rows:
        ours = [record.get(f"{row.key}: {row.label}", {}) for record in records.values()]
        every = [row.theirs.get(hardware, {}) for hardware in document.hardware] + ours
        label = row.label
        for phase in document.phases:
            if any(phase in one for one in every):
                rows.append((label, phase, *(seconds_text(one[phase]) if phase in one else "" for one in every)))
                label = ""
    return table_of(("", "", *document.hardware, *(f"Rivulet, {name.partition(' (')[0]}" for name in records)), rows)
