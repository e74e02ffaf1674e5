# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture of the create job: the equidistribution of the parameter sets."""

import dataclasses

from common.modules import matplotlib, numpy as np
from plotting.results import Unreadable, require_equal_lengths, filled, text_of
from plotting.style import BLUE, INK, PALE_BLUE, PANEL, VERMILION, add_title, count, name_figure, plain_ticks, pyplot

JOB = "create"
KIND = "parameters"

BITS = 32
V = range(1, BITS + 1)  # numbers of leading bits


@dataclasses.dataclass
class Sets:
    """The content of a parameter file."""

    p: int  # each twister has period 2^p - 1
    seed: int
    candidates: str
    ids: object  # numpy array
    k: object  # k(v): a row per set, a column for each v = 1 .. 32

    @property
    def bounds(self):
        """The upper bounds p // v of k(v): p bits of state determine at most p // v numbers of v bits."""
        return self.p // np.array(V)

    @property
    def defects(self):
        """The defect of each k(v): its bound minus k(v)."""
        return self.bounds - self.k

    @property
    def total_defects(self):
        return self.defects.sum(axis=1)


def read(file, _):
    """Reads Sets."""
    ids, k = filled(file, "id"), filled(file, "k").astype("i8")
    require_equal_lengths(id=ids, k=k)
    if k.shape != (len(ids), BITS):
        raise Unreadable(f"its dataset k is not of {BITS} columns")
    candidates = text_of(file.attrs["candidates"])
    return Sets(int(file.attrs["p"]), int(file.attrs["seed"]), candidates, ids, k)


def draw(results):
    sets = results[0]
    figure = pyplot().figure(figsize=(11.5, 6.4), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1.5, 1], height_ratios=[1.7, 1])
    name_figure(figure, describe(sets))
    dimensions = figure.add_subplot(grid[0, 0])
    draw_dimensions(dimensions, sets)
    draw_defects(figure.add_subplot(grid[1, 0], sharex=dimensions), sets)
    draw_totals(figure.add_subplot(grid[:, 1]), sets)
    return [("", figure)]


def describe(sets):
    ids = (f"id {int(sets.ids[0])}" if len(sets.ids) == 1
           else f"ids {int(sets.ids.min())} .. {int(sets.ids.max())}")
    return (f"{count(len(sets.ids), 'parameter set')} of dcmt{sets.p}: "
            f"{ids}, seed {sets.seed}, {sets.candidates} candidates")


def draw_range(axes, values, colour=BLUE):
    """Draws the mean of each column, and a band from its minimum to its maximum."""
    axes.fill_between(V, values.min(axis=0), values.max(axis=0), color=PALE_BLUE, linewidth=0,
                      label="least to greatest of the sets")
    axes.plot(V, values.mean(axis=0), color=colour, linewidth=1.6, label="mean of the sets")


def draw_dimensions(axes, sets):
    add_title(axes, "Equidistribution", "dimensions in which the v leading bits are evenly "
              "distributed over the period", PANEL)
    draw_range(axes, sets.k)
    axes.plot(V, sets.bounds, "o", color=INK, markersize=3.5, zorder=3, clip_on=False,
              label=f"bound, ⌊{sets.p} / v⌋")
    axes.set_yscale("log")
    plain_ticks(axes.yaxis)
    axes.set_ylabel("dimensions k(v)")
    axes.tick_params(axis="x", labelbottom=False)
    axes.legend(frameon=False)


def draw_defects(axes, sets):
    axes.set_title("Shortfall from the bound", loc="left", fontsize=10)
    draw_range(axes, sets.defects)
    axes.set_xlabel("leading bits v")
    axes.set_ylabel("defect ⌊p / v⌋ − k(v)")
    axes.set_xlim(1, BITS)
    axes.set_xticks([1, 4, 8, 12, 16, 20, 24, 28, 32])
    axes.set_ylim(bottom=0)


def draw_totals(axes, sets):
    """Draws a histogram of the sets' total defects. The total defect, the sum over v, measures the quality of a set."""
    totals = sets.total_defects
    low, high = int(totals.min()), int(totals.max())
    add_title(axes, "Total defect", f"mean {totals.mean():.1f}, least {low}, greatest {high}", PANEL)
    width = max(1, -(-(high - low + 1) // 40))
    edges = np.arange(low, high + width + 1, width) - 0.5
    axes.hist(totals, edges, color=BLUE, edgecolor="white", linewidth=0.6)
    axes.axvline(totals.mean(), color=VERMILION, linewidth=1.6, label="mean")
    axes.set_xlabel("sum over v of the defects (dimensions)")
    axes.set_ylabel("sets")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True, min_n_ticks=1))
    axes.margins(y=0.12)  # room for the legend
    axes.legend(frameon=False, loc="upper right")
