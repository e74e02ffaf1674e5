# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the job pi is with few streams and with many: on one GPU, or else on one core."""

import statistics

from benchmarking import machine
from benchmarking.runs import rivulet
from common.text import amount_text, milliseconds_text, rate_text, table_of

GENERATORS = ("dcmt521", "dcmt607", "ranmar24", "ranmar48x", "hybrid_tausworthe", "lfsr113",
              "philox4x32", "mt19937", "mtgp11213")
# One; those of the documents that Rivulet reproduces; the default deck's; two for each thread that an
# H200 holds.
COUNTS = (1, 32, 512, 4096, 65536, 540672)
ON_GPU, ON_CORE = 10**11, 4 * 10**9  # points, about a tenth of a second and one second at full speed
PROBE = 100  # this part of the points tells whether all of them would take too long
MOST_SECONDS = 20  # for a run's points
MOST_SET_UP = 10  # seconds; twice the streams take twice as long


def run(binary, generator, streams, points, on_gpu):
    return rivulet(binary, "pi", f"pi.points={points}", f"streams.generator={generator}",
                   f"streams.count={streams}", "pi.batches=1", threads=None if on_gpu else 1)


def affordable(points, rate):
    """As many points, or fewer by a power of ten, no fewer than the probe's."""
    least = points // PROBE
    while points > least and points / rate > MOST_SECONDS:
        points //= 10
    return points


def measure(binary, repetitions):
    """A row for each generator and number of streams, up to where setting them up takes too long."""
    on_gpu = machine.gpus() > 0
    rows = []
    for generator in GENERATORS:
        before = None  # the last row's seconds of set-up, a stream
        for streams in COUNTS:
            if before is not None and before * streams > MOST_SET_UP:
                break
            most = ON_GPU if on_gpu else ON_CORE
            probe = run(binary, generator, streams, most // PROBE, on_gpu)
            points = affordable(most, probe.merit)
            reports = [run(binary, generator, streams, points, on_gpu)
                       for _ in range(repetitions)]
            set_up = [report.seconds["setup"] for report in reports]
            before = statistics.median(set_up) / streams
            rows.append({"generator": generator, "streams": streams, "points": points,
                         "on": "GPU" if on_gpu else "core", "set_up": set_up,
                         "rates": [report.merit for report in reports]})
    return rows


def by_generator(rows):
    """Generator -> streams -> row."""
    found = {}
    for row in rows:
        found.setdefault(row["generator"], {})[row["streams"]] = row
    return found


def median_rate(row):
    """Points a second."""
    return statistics.median(row["rates"])


def table(rows, title_of):
    """Rates, and milliseconds of set-up."""
    counts = sorted({row["streams"] for row in rows})

    def cell(row):
        return f"{rate_text(median_rate(row))}; {milliseconds_text(statistics.median(row['set_up']))}"

    return [*table_of(("streams", *counts),
                      [(title_of(name), *(cell(some[count]) if count in some else "" for count in counts))
                       for name, some in by_generator(rows).items()]), *fewer_points(rows, title_of)]


def fewer_points(rows, title_of):
    """How many points, and which runs had fewer of them."""
    most = max(row["points"] for row in rows)
    fewer = [f"{title_of(row['generator'])} with {row['streams']} ({amount_text(row['points'])})"
             for row in rows if row["points"] < most]
    said = f"Each run had {amount_text(most)} points"
    return ["", f"{said}, but fewer where that takes too long: {', '.join(fewer)}."
            if fewer else f"{said}."]
