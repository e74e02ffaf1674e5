# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the rates of the generators by machine, from records of `scripts/bench --only generators --record FILE.csv`."""

import csv
import pathlib

from common.failure import ScriptError
from plotting.style import BLUE, INK, PANEL, VERMILION, in_powers, pyplot

JOB = "generators"

# Each panel has a title, a unit, tuples of a generator's cases, and cases that are drawn as lines. A generator's bar
# shows the fastest case of the first tuple that has a case in the record.
PANELS = (
    ("fused (job pi)", "points/s", (("pi_{}", "pi_{}_team"),),
     {"cuRAND's Philox": ("philox_pi_1024x4",), "std::mt19937": ("std_mt19937_pi",)}),
    ("to memory (job fill)", "B/s",
     (("bulk_{}_float", "bulk_{}_float_team"), ("bulk_{}_double", "bulk_{}_double_team")),
     {"cuRAND's Philox": ("curand_philox_dynamic_float",), "constants": ("write_streaming", "write_each")}),
    ("alias, 100 cells", "samples/s", (("alias_{}_100",),), {}))


def read(path):
    """Returns the machine's description, and a dict from each case of a record to its (median, least, greatest)."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
        facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
        rates = {row["case"]: tuple(float(row[name]) for name in ("median", "least", "greatest"))
                 for row in csv.DictReader(line for line in lines if not line.startswith("#"))
                 if row["part"] == JOB}
        if not any(case.startswith("pi_") for case in rates):
            raise ValueError("it has no rates of generators")
    except (OSError, ValueError, KeyError, TypeError) as failure:
        why = failure.strerror if isinstance(failure, OSError) else f"it is not such a record: {failure}"
        raise ScriptError(f"cannot plot '{path}' ({why}). Give a record that `scripts/bench --only generators --record "
                          "FILE.csv` writes.") from failure
    gpu = facts.get("GPUs", "").partition(",")[0]
    return gpu or f"One core of {facts.get('processor', 'unknown')}", rates


def rate(rates, name, choices):
    """Returns (median, least, greatest) of a generator, or zeros."""
    found = [[rates[case.format(name)] for case in cases if case.format(name) in rates] for cases in choices]
    return max(next(filter(None, found), [(0, 0, 0)]))


def draw(records):
    """Draws a row of panels per record. The first record's fused rates set the order of the generators."""
    first = records[0][1]
    names = sorted({case.removesuffix("_team")[3:] for case in first if case.startswith("pi_")},
                   key=lambda name: rate(first, name, PANELS[0][2]))
    figure = pyplot().figure(figsize=(11, len(records) * (1.4 + 0.21 * len(names))), layout="constrained")
    for part, (machine, rates) in zip(figure.subfigures(len(records), 1, squeeze=False).flat, records):
        part.suptitle(f"{machine}: medians; black lines: range of the runs", x=0.01, ha="left", fontsize=14,
                      fontweight="bold")
        for axes, panel in zip(part.subplots(1, len(PANELS), sharey=True), PANELS):
            draw_panel(axes, names, rates, *panel)
    return [("", figure)]


def draw_panel(axes, names, rates, title, unit, choices, lines):
    for place, name in enumerate(names):
        median, *ends = rate(rates, name, choices)
        axes.barh(place, median, color=BLUE, height=0.7)
        axes.plot(ends, (place, place), color=INK, linewidth=2)  # range of the runs
    for (label, cases), dashes in zip(lines.items(), ("-", "--")):
        for case in [case for case in cases if case in rates][:1]:
            axes.axvline(rates[case][0], color=VERMILION, linewidth=1.6, linestyle=dashes, label=label)
            axes.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(-0.02, 0.98), borderaxespad=0)
    axes.set_title(title, loc="left", fontsize=PANEL, pad=24)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, None), ylim=(-0.6, len(names) - 0.4))
    in_powers(axes.xaxis, unit, axes.get_xlim()[1])
