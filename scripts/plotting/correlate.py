# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture of the correlate job: |C_m / C_0| of one or several generators against the lag m."""

import dataclasses
import pathlib

from common.modules import numpy as np
from plotting.results import Unreadable, require_equal_lengths, filled
from plotting.style import FAINT, INK, SERIES_STYLE, count, new_axes, plain, power_of_ten

JOB = "correlate"
NAME_OF_SEVERAL = "correlation"
MOST_FILES = 4

# Most points across a picture: readers cannot tell more apart.
MOST_POINTS = 1000


@dataclasses.dataclass
class Correlation:
    """The content of a results file."""

    path: str
    generator: str
    across: bool  # True if each stream is correlated with the next stream, False if with itself
    numbers: int
    lag: object  # numpy array
    correlation: object  # C_m / C_0 at each lag
    band: float  # |C_m / C_0| of white noise is below it at 99 % of the lags
    outside: int  # number of lags with |C_m / C_0| above the band; lag 0 counts only if `across`


def read(file, path):
    """Reads a Correlation."""
    result = file["results/correlate"]
    lag, correlation = filled(result, "lag"), filled(result, "correlation")
    require_equal_lengths(lag=lag, correlation=correlation)
    band = float(result.attrs["band"])
    if not band > 0:
        raise Unreadable(f"its band is {band}")
    return Correlation(
        path=path,
        generator=str(file["streams"].attrs["generator"]),
        across=str(result.attrs["across"]) != "none",
        numbers=int(result.attrs["numbers"]),
        lag=lag,
        correlation=correlation,
        band=band,
        outside=int(result.attrs["outside"]))


def thinned(lag, correlation):
    """Returns the lags to draw, their |C_m / C_0|, and the number of lags per group. Up to MOST_POINTS lags are all
    drawn. More lags form groups of neighbours, and only the largest value in a group is drawn. Lag 0 is a group of its
    own."""
    sizes = np.abs(correlation)
    if len(lag) <= MOST_POINTS:
        return lag, sizes, 1
    parts = MOST_POINTS - 1
    starts = np.append(0, 1 + np.arange(parts) * (len(lag) - 1) // parts)
    return lag[starts], np.maximum.reduceat(sizes, starts), round((len(lag) - 1) / parts)


def names_of(results):
    """Returns the generator's name for each file. If two files have the same generator, adds the files' names."""
    generators = [result.generator for result in results]
    return [g if generators.count(g) == 1 else f"{g} ({pathlib.Path(result.path).stem})"
            for g, result in zip(generators, results)]


def draw(results):
    return [("", draw_correlation(results))]


def draw_correlation(results):
    figure, axes = new_axes(title_of(results), subtitle_of(results))
    series = [thinned(result.lag, result.correlation) for result in results]
    axes.set_yscale("log")
    bands = [result.band for result in results]
    smallest = min(sizes[sizes > 0].min(initial=max(bands)) for _, sizes, _ in series)
    # Limits the axis: a value that happens to be almost 0 would stretch it.
    floor = min(max(smallest / 2, min(bands) / 1e3), min(bands) / 20)
    top = max(2, 2 * max(sizes.max() for _, sizes, _ in series))
    axes.set_ylim(floor, top)
    for label, (lag, sizes, _), (colour, marker) in zip(labels_of(results), series, SERIES_STYLE):
        few = len(lag) <= 200
        axes.plot(lag, sizes.clip(floor), color=colour, marker=marker, label=label, alpha=0.9,
                  markersize=4 if few else 2, linewidth=1.2 if few else 0, clip_on=False)
    draw_bands(axes, results, floor)
    axes.set_xlabel(lag_label(max(run for _, _, run in series)))
    axes.set_ylabel(r"$|C_m / C_0|$")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    last = max(int(max(result.lag[-1] for result in results)), 1)
    axes.set_xlim(-0.01 * last, 1.01 * last)
    # For one file, the legend is one line at the upper right, because only lag 0, at the left, is that high. For
    # several files it is below the axes.
    place = ({"loc": "upper right"} if len(results) == 1 else
             {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)})
    axes.legend(frameon=False, fontsize=10, markerscale=2, **place)
    return figure


def draw_bands(axes, results, floor):
    """Draws the band of white noise, which depends on how many numbers a file has. If this count is the same in all
    files, the band is shaded. Otherwise each count has a line, in the file's colour if no other file has that
    count."""
    numbers = [result.numbers for result in results]
    if len(set(numbers)) == 1:
        axes.axhspan(floor, results[0].band, color=FAINT, linewidth=0)
        return
    shared = iter(["--", ":"])  # among four files, at most two counts are shared
    for place, (result, (colour, _)) in enumerate(zip(results, SERIES_STYLE)):
        if result.numbers in numbers[:place]:
            continue
        alone = numbers.count(result.numbers) == 1
        axes.axhline(result.band, color=colour if alone else INK, linewidth=1.6,
                     linestyle="--" if alone else next(shared),
                     label=f"N = {power_of_ten(result.numbers)}: 99 % below {result.band:.2g}")


def title_of(results):
    kinds = {result.across for result in results}
    if len(kinds) > 1:
        return "Correlation within and across streams"
    return "Correlation of streams with the next" if kinds.pop() else "Autocorrelation"


def subtitle_of(results):
    if len({result.numbers for result in results}) == 1:
        return f"99 % of white noise lies in the shade, below {results[0].band:.2g}"
    return "99 % of white noise of N numbers lies below the line for N"


def labels_of(results):
    """Returns the legend labels, one per file."""
    mixed = len({result.across for result in results}) > 1
    kinds = {True: ", next stream", False: ", same stream"} if mixed else {}
    labels = []
    for name, result in zip(names_of(results), results):
        lags = len(result.lag) - (not result.across)
        share = plain(round(100 * result.outside / max(lags, 1), 2))
        labels.append(f"{name}{kinds.get(result.across, '')}, N = {power_of_ten(result.numbers)}: "
                      f"{result.outside:,} of {count(lags, 'lag')} above ({share} %)")
    return labels


def lag_label(run):
    return "lag m" if run == 1 else f"lag m (the largest of each {run:,} lags)"
