# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the table of `scripts/bench --only sweep`: seconds against instances, and the parts into which the
fastest cases' seconds divide."""

import dataclasses
import json
import pathlib

from common.failure import ScriptError
from common.modules import matplotlib, numpy as np
from plotting.style import (BLUE, GREY, INK, LIGHT_BLUE, SERIES_STYLE, count, plain_ticks,
                            power_of_ten, pyplot)

JOB = "sweep"

COLUMNS = ["fetch", "instances", "per_team", "buffered", "seconds", "kernel", "transfer"]
# The parts of a case's seconds: key, label and colour, from dark to light.
PARTS = [("kernel", "drawing (kernel)", BLUE), ("transfer", "copy from the device", LIGHT_BLUE),
         ("other", "the rest: calls, host copies", "#C8C8C8")]
# Kinds of curves: value of `buffered`, label and line style.
INTERFACES = [(0, "unbuffered", "-"), (1, "buffered", "--")]


# ---- the data ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Sweep:
    """The content of a table."""

    numbers: int  # numbers drawn in each case's seconds
    call: int  # numbers per buffered call, and per call of the sequential generator
    machine: str  # such as "OpenMP, one core"
    repetitions: int
    sequential_seconds: float
    rows: list  # a dict per case, with the keys COLUMNS and "other"

    def __post_init__(self):
        self.rows = [{name: row[name] for name in COLUMNS} for row in self.rows]
        if not all(row["seconds"] > 0 for row in self.rows):
            raise ValueError("its seconds are not positive")
        for row in self.rows:
            row["other"] = max(0, row["seconds"] - row["kernel"] - row["transfer"])

    @property
    def per_team(self):
        return sorted({row["per_team"] for row in self.rows})

    def curve(self, per_team, fetch, buffered):
        """Returns two lists: instances in ascending order, and their seconds."""
        key = (per_team, fetch, buffered)
        rows = [row for row in self.rows
                if (row["per_team"], row["fetch"], row["buffered"]) == key]
        rows.sort(key=lambda row: row["instances"])
        return [row["instances"] for row in rows], [row["seconds"] for row in rows]

    def best(self, per_team, buffered):
        """Returns the fastest row with these values of per_team and buffered."""
        return min((row for row in self.rows
                    if (row["per_team"], row["buffered"]) == (per_team, buffered)),
                   key=lambda row: row["seconds"])


def read(paths):
    """Reads a Sweep. Raises ScriptError unless `paths` is the single path of a table that `scripts/bench` wrote."""
    path, *others = paths
    if others:
        raise ScriptError(f"cannot plot '{path}' and '{others[0]}' together (a sweep picture shows one table). "
                          "Give them one by one.")
    advice = "Give the table that `scripts/bench --only sweep` writes."
    try:
        found = Sweep(**json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    except OSError as failure:
        raise ScriptError(f"cannot read '{path}' ({failure.strerror}). {advice}") from failure
    except (ValueError, TypeError, KeyError) as failure:
        raise ScriptError(f"cannot plot '{path}' (it is not such a table: {failure}). {advice}") from failure
    for per_team in found.per_team:
        if {row["buffered"] for row in found.rows if row["per_team"] == per_team} != {0, 1}:
            raise ScriptError(f"cannot plot '{path}' (with {per_team} per team, it lacks buffered or unbuffered cases)."
                              " Run `scripts/bench --only sweep` with a --filter that matches both, or without one.")
    return found


# ---- the pictures --------------------------------------------------------------------------------


def draw(sweeps):
    """Draws one picture per number of instances per team."""
    sweep = sweeps[0]
    several = len(sweep.per_team) > 1
    return [(f"{per_team}_per_team" if several else "", draw_sweep(sweep, per_team))
            for per_team in sweep.per_team]


def draw_sweep(sweep, per_team):
    figure, (curves, profile) = pyplot().subplots(
        2, 1, figsize=(8, 7.6), height_ratios=[5, 1], layout="constrained")
    figure.get_layout_engine().set(h_pad=0.1)
    add_head(curves, sweep, per_team)
    draw_curves(curves, sweep, per_team)
    draw_profile(profile, sweep, per_team)
    return figure


def add_head(axes, sweep, per_team):
    axes.set_title(f"RANMAR through the library, {count(per_team, 'instance')} per team" + 4 * "\n",
                   loc="left", fontsize=14, fontweight="bold")
    axes.text(0, 1.17, f"{power_of_ten(sweep.numbers)} numbers in double precision; buffered calls "
              f"of {sweep.call:,}; {sweep.machine}; medians of {sweep.repetitions}",
              transform=axes.transAxes, fontsize=10)


def draw_curves(axes, sweep, per_team):
    axes.set_xscale("log")
    axes.set_yscale("log")
    fetches = sorted({row["fetch"] for row in sweep.rows})
    styles = [SERIES_STYLE[i % len(SERIES_STYLE)] for i in range(len(fetches))]
    for fetch, (colour, marker) in zip(fetches, styles):
        for buffered, _, line in INTERFACES:
            axes.plot(*sweep.curve(per_team, fetch, buffered), line, color=colour, marker=marker,
                      markersize=5, linewidth=1.6,
                      markerfacecolor="white" if buffered else colour)
    axes.axhline(sweep.sequential_seconds, color=INK, linewidth=1.4)
    axes.text(0.01, sweep.sequential_seconds * 1.04,
              f"sequential generator: {sweep.sequential_seconds:.3g} s",
              transform=axes.get_yaxis_transform(), va="bottom", fontsize=10)
    add_legends(axes, fetches, styles)
    label_axes(axes, sweep)


def add_legends(axes, fetches, styles):
    """Adds two legends above the axes: a row of colours (fetch sizes) and a row of line styles (interfaces)."""
    colours = [matplotlib.lines.Line2D([], [], color=colour, marker=marker, linewidth=1.6,
                                       label=f"{power_of_ten(fetch)} per fetch")
               for fetch, (colour, marker) in zip(fetches, styles)]
    lines = [matplotlib.lines.Line2D([], [], color=GREY, linestyle=line, marker="o", linewidth=1.6,
                                     markerfacecolor="white" if buffered else GREY, label=name)
             for buffered, name, line in INTERFACES]
    for handles, height in ((colours, 1.07), (lines, 1.005)):
        if axes.get_legend():
            axes.add_artist(axes.get_legend())  # keeps the first legend, which the second one would replace
        axes.legend(handles=handles, frameon=False, ncols=len(handles), loc="lower left",
                    bbox_to_anchor=(-0.02, height), fontsize=10, borderaxespad=0)


def label_axes(axes, sweep):
    axes.set_xlabel("instances (streams per sequence)")
    axes.set_ylabel(f"seconds for {power_of_ten(sweep.numbers)} numbers")
    seconds = [row["seconds"] for row in sweep.rows] + [sweep.sequential_seconds]
    axes.set_ylim(min(seconds) / 1.3, max(seconds) * 1.3)  # all pictures of a table have the same limits
    instances = sorted({row["instances"] for row in sweep.rows})
    axes.set_xlim(instances[0] / 1.1, instances[-1] * 1.1)
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)

    def inverse(value):  # must accept 0, because matplotlib calls it before the limits are set
        return sweep.sequential_seconds / np.maximum(value, 1e-300)

    speed = axes.secondary_yaxis("right", functions=(inverse, inverse))
    speed.set_ylabel("times as fast as the sequential generator")
    speed.spines["right"].set_visible(True)
    plain_ticks(speed.yaxis)


def draw_profile(axes, sweep, per_team):
    """Draws two bars, for the fastest unbuffered case and the fastest buffered case, split into the parts of their
    seconds."""
    for place, (buffered, _, _) in enumerate(INTERFACES):
        row = sweep.best(per_team, buffered)
        left = 0
        for part, meaning, colour in PARTS:
            share = 100 * row[part] / row["seconds"]
            axes.barh(place, share, left=left, color=colour, height=0.62,
                      label=meaning if place == 0 else None)
            if share >= 5:
                axes.text(left + share / 2, place, f"{share:.0f} %", ha="center", va="center",
                          color="white" if part == "kernel" else INK, fontsize=10)
            left += share
        axes.text(101, place, f"{power_of_ten(row['fetch'])} per fetch,\n"
                  f"{count(row['instances'], 'instance')}", va="center", fontsize=9)
    axes.set_yticks(range(len(INTERFACES)), [f"best\n{name}" for _, name, _ in INTERFACES],
                    fontsize=10)
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of the seconds")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(-0.02, 0.98),
                fontsize=10)
