# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the pi job: the convergence of one run, or the distances of several estimates from pi."""

import dataclasses
import math
import re

from common.modules import matplotlib
from plotting.results import require_equal_lengths, filled, text_of
from plotting.style import (BLUE, FAINT, INK, LIGHT_BLUE, PALE_BLUE, SERIES_STYLE, VERMILION,
                            label_counts, new_axes)

JOB = "pi"
NAME_OF_SEVERAL = "convergence"
MOST_FILES = math.inf


# ---- the data ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Run:
    """The content of a results file."""

    path: str
    points: int
    estimate: float
    error: float  # standard error of the estimate
    deviation: float  # estimate - pi, in standard errors
    running_points: list  # number of points of all streams up to the end of each batch
    running_hits: list
    generator: str
    streams: int
    kind: str  # such as "packed, centred"


def read(file, path):
    """Reads a Run."""
    result = file["results/pi"]
    running = {name: filled(result, name) for name in ("running_points", "running_hits")}
    require_equal_lengths(**running)
    return Run(
        path=path,
        points=int(result.attrs["points"]),
        estimate=float(result.attrs["pi"]),
        error=float(result.attrs["standard_error"]),
        deviation=float(result.attrs["deviation"]),
        running_points=running["running_points"].tolist(),
        running_hits=running["running_hits"].tolist(),
        generator=str(file["streams"].attrs["generator"]),
        streams=len(file["streams/id"]),
        kind=kind_of_points(text_of(file["config/deck"][()])))


def kind_of_points(deck):
    """Returns the values of `point` and `mapping` in a resolved deck, such as "packed, centred"."""
    section = deck.split("\npi:\n", 1)[-1]
    words = []
    for key in ("point", "mapping"):
        found = re.search(rf"^  {key}: (\S+)", section, re.MULTILINE)
        words.append(found.group(1) if found else "?")
    return ", ".join(words)


def pi_estimate(hits, points):
    """Returns (estimate, standard error), by the formulas of the pi job."""
    mean = hits / points
    variance = (mean - mean * mean) / (points - 1) if points > 1 else math.inf
    return 4 * mean, 4 * math.sqrt(variance)


def running_estimate(run):
    """Returns three lists: points, estimates and standard errors after each batch."""
    pairs = [pi_estimate(h, n) for h, n in zip(run.running_hits, run.running_points)]
    return run.running_points, [p[0] for p in pairs], [p[1] for p in pairs]


def convergence(runs):
    """Returns a dict from each kind of points to two lists, the points and |estimate - pi| of its runs, sorted by
    points."""
    series = {}
    for run in sorted(runs, key=lambda run: run.points):
        points, distances = series.setdefault(run.kind, ([], []))
        points.append(run.points)
        distances.append(abs(run.estimate - math.pi))
    return series


def expected_error(points):
    """Returns the expected standard error for N points, 4 sqrt(p (1 - p) / N) with p = pi / 4."""
    p = math.pi / 4
    return 4 * math.sqrt(p * (1 - p) / points)


# ---- the pictures --------------------------------------------------------------------------------


def draw(runs):
    return [("", draw_running(runs[0]) if len(runs) == 1 else draw_convergence(runs))]


def new_points_axes(title, subtitle):
    figure, axes = new_axes(title, subtitle)
    axes.set_xscale("log")
    axes.set_xlabel("points N")
    return figure, axes


def draw_running(run):
    points, estimates, errors = running_estimate(run)
    figure, axes = new_points_axes(
        title_of(run),
        f"{run.points:,} points from {run.streams:,} {run.generator} streams ({run.kind})")
    for width, colour in ((2, PALE_BLUE), (1, LIGHT_BLUE)):
        low = [e - width * s for e, s in zip(estimates, errors)]
        high = [e + width * s for e, s in zip(estimates, errors)]
        label = f"± {width} standard error{'s' if width > 1 else ''}"
        if len(points) > 1:
            axes.fill_between(points, low, high, color=colour, linewidth=0, label=label)
        else:
            axes.vlines(points, low, high, color=colour, linewidth=9, label=label)
    marker = "o" if len(points) < 2 else None
    axes.plot(points, estimates, color=BLUE, linewidth=1.8, marker=marker, label="estimate so far")
    axes.axhline(math.pi, color=VERMILION, linewidth=1.4, label="π = 3.14159265…")
    axes.set_ylabel("estimate of π")
    show_decimals(axes.yaxis)
    if len(points) > 1:
        axes.set_xlim(points[0], points[-1])
        label_counts(axes.xaxis)
    else:
        axes.set_xticks(points, [f"{points[0]:,}"])
        axes.minorticks_off()
    handles, labels = axes.get_legend_handles_labels()
    order = [2, 1, 0, 3]
    axes.legend([handles[i] for i in order], [labels[i] for i in order], loc="upper center",
                bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False, fontsize=10, columnspacing=1.2)
    return figure


def title_of(run):
    title = f"π ≈ {round_to_error(run.estimate, run.error)}"
    if run.error <= 0:
        return title
    side = "high" if run.deviation > 0 else "low"
    size = f"{abs(run.deviation):.1f}" if abs(run.deviation) >= 0.1 else f"{abs(run.deviation):.1g}"
    return f"{title}   ({size} standard errors {side})"


def round_to_error(estimate, error):
    """Returns a result as text, such as "3.141574 ± 0.000016". The error has two significant digits, and the
    estimate as many decimals as the error."""
    if error <= 0:
        return f"{estimate}"
    digits = max(1 - math.floor(math.log10(error)), 0)
    return f"{estimate:.{digits}f} ± {error:.{digits}f}"


def show_decimals(axis):
    """Labels the ticks with plain decimals, instead of an offset and powers of ten."""
    axis.set_major_locator(matplotlib.ticker.MaxNLocator(7))
    first, second = axis.get_majorticklocs()[:2]
    digits = next(n for n in range(2, 17) if abs(round(step := second - first, n) - step) < 0.01 * step)
    axis.set_major_formatter(lambda value, _: f"{value:.{digits}f}")


def draw_convergence(runs):
    series = convergence(runs)
    smallest = min(run.points for run in runs)
    largest = max(run.points for run in runs)
    figure, axes = new_points_axes(
        "Distance of the estimate from π",
        f"{len(runs)} runs; about two in three should lie below the line, 19 in 20 in the shade")
    axes.set_yscale("log")
    ends = [smallest / 2, largest * 2]
    line = [expected_error(n) for n in ends]
    axes.plot(ends, line, color=INK, linewidth=1.4, label="standard error, 4 √(p (1 − p) / N)")
    lowest = min(min(d for d in distances if d > 0) for _, distances in series.values())
    floor = min(lowest, line[1]) / 3
    axes.fill_between(ends, [floor, floor], [2 * e for e in line], color=FAINT, linewidth=0)
    for (kind, (points, distances)), (colour, marker) in zip(series.items(), SERIES_STYLE):
        axes.plot(points, distances, marker, color=colour, markersize=8, markerfacecolor="none",
                  markeredgewidth=2, label=kind)
    axes.set_xlim(*ends)
    axes.set_ylim(bottom=floor)
    axes.set_ylabel("|estimate − π|")
    label_counts(axes.xaxis)
    axes.legend(frameon=False, loc="lower left" if len(series) < 3 else "best")
    return figure
