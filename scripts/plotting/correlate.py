# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture of the correlate job: |C_m / C_0| of one or several generators against the lag m."""

import dataclasses
import pathlib

from plotting.style import FAINT, SERIES_STYLE, count, new_axes, plain, power_of_ten

JOB = "correlate"
NAME_OF_SEVERAL = "correlation"
MOST_FILES = 4

# What eyes can tell apart across a picture.
MOST_POINTS = 1000


@dataclasses.dataclass
class Correlation:
    """What a results file says."""

    path: str
    generator: str
    numbers: int
    lag: object  # numpy array
    correlation: object  # C_m / C_0 of each lag
    band: float  # 99 % of white noise's |C_m / C_0|, m > 0, lie below

    @property
    def outside(self):
        """How many lags but 0 are outside the band, and of how many."""
        others = abs(self.correlation[self.lag > 0])
        return int((others > self.band).sum()), len(others)


def read(file, path):
    """A Correlation."""
    result = file["results/correlate"]
    return Correlation(
        path=path,
        generator=str(file["streams"].attrs["generator"]),
        numbers=int(result.attrs["numbers"]),
        lag=result["lag"][:],
        correlation=result["correlation"][:],
        band=float(result.attrs["band"]))


def thinned(lag, correlation):
    """Lags and |C_m / C_0|; of too many to draw, the largest of each so many neighbours, which come
    third. Lag 0 stays by itself."""
    import numpy as np

    sizes = np.abs(correlation)
    if len(lag) <= MOST_POINTS:
        return lag, sizes, 1
    parts = MOST_POINTS - 1
    starts = np.append(0, 1 + np.arange(parts) * (len(lag) - 1) // parts)
    return lag[starts], np.maximum.reduceat(sizes, starts), round((len(lag) - 1) / parts)


def names_of(results):
    """The generators; where two have the same, their files too."""
    generators = [result.generator for result in results]
    return [g if generators.count(g) == 1 else f"{g} ({pathlib.Path(result.path).stem})"
            for g, result in zip(generators, results)]


def draw(results):
    return [("", draw_correlation(results))]


def draw_correlation(results):
    figure, axes = new_axes("Autocorrelation" + "\n" * (len(results) - 1), subtitle_of(results))
    series = [thinned(result.lag, result.correlation) for result in results]
    axes.set_yscale("log")
    band = max(result.band for result in results)
    smallest = min(sizes[sizes > 0].min() for _, sizes, _ in series)
    floor = min(max(smallest / 2, band / 1e4), band / 20)  # an accidental 0 would stretch the axis
    axes.set_ylim(floor, 2)
    axes.axhspan(floor, band, color=FAINT, linewidth=0)
    axes.text(0.995, floor * 1.15, f"of white noise 99 % lie in the shade, below {band:.2g}",
              ha="right", va="bottom", transform=axes.get_yaxis_transform(), fontsize=10)
    for name, (lag, sizes, _), (colour, marker) in zip(names_of(results), series, SERIES_STYLE):
        few = len(lag) <= 200
        axes.plot(lag, sizes.clip(floor), color=colour, linewidth=1.2 if few else 0.8,
                  marker=marker if few else None, markersize=4, label=name, alpha=0.9)
    axes.set_xlabel(lag_label(max(run for _, _, run in series)))
    axes.set_ylabel(r"$|C_m / C_0|$")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    last = int(max(result.lag[-1] for result in results))
    axes.set_xlim(-0.01 * max(last, 1), 1.01 * max(last, 1))
    axes.legend(frameon=False, loc="upper right", ncols=len(results))
    return figure


def subtitle_of(results):
    lines = []
    for name, result in zip(names_of(results), results):
        outside, lags = result.outside
        share = plain(round(100 * outside / max(lags, 1), 2))
        lines.append(f"{name}: {power_of_ten(result.numbers)} numbers, {outside:,} of "
                     f"{count(lags, 'lag')} above the shade ({share} %)")
    return "\n".join(lines)


def lag_label(run):
    return "lag m" if run == 1 else f"lag m (the largest of each {run:,} lags)"
