# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture of the fill job's numbers: a histogram, and pairs within and across streams. From a large file, the module
reads only a sample."""

import dataclasses

from common.failure import ScriptError
from common.modules import numpy as np
from plotting.results import Unreadable, filled
from plotting.style import BLUE, FAINT, INK, PANEL, VERMILION, add_title, count, name_figure, power_of_ten, pyplot

JOB = "fill"

# The histogram reads a whole file or, from a larger one, 64 evenly spaced stretches of 2^16 numbers each.
MOST_STRETCHES, STRETCH = 64, 1 << 16
# The number of bins is a power of two, so numbers with few bits fall evenly into the bins.
MOST_BINS, LEAST_PER_BIN = 128, 16
# Pairs are drawn from about MOST_POINTS numbers, of at most MOST_STREAMS streams unless streams are short.
MOST_STREAMS, MOST_POINTS = 64, 4096
# Probability of a normal deviation beyond two standard deviations.
BEYOND_TWO = 0.0455


# ---- the data ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Numbers:
    """The content of a results file, with numbers scaled to 0 .. 1."""

    generator: str
    type: str
    order: str
    numbers: int  # number of numbers in the file
    streams: int
    sample: object  # numpy array: numbers for the histogram
    pairs: object  # first numbers (rows) of the first streams (columns)


def read(file, path):
    """Reads Numbers."""
    result = file["results/fill"]
    counts = filled(result, "counts").astype("i8")
    if "numbers" not in result:
        raise ScriptError(f"cannot plot '{path}' (it holds no numbers, only their sums: fill.to was "
                        "memory). Run the fill job with fill.to=file.")
    dataset, order = result["numbers"], str(result.attrs["order"])
    if not dataset.size:
        raise Unreadable("its dataset numbers is empty")
    if dataset.size != counts.sum():
        raise Unreadable(f"it has {dataset.size:,} numbers, not {counts.sum():,}")
    places = places_of(counts, order, int(result.attrs["run"]), first_numbers(counts))
    return Numbers(
        generator=str(file["streams"].attrs["generator"]),
        type=str(result.attrs["type"]),
        order=order,
        numbers=int(dataset.size),
        streams=len(counts),
        sample=scaled(sample_of(dataset)),
        pairs=scaled(gathered(dataset, places)))


def scaled(values):
    """Returns the values as doubles. Unsigned integers of 32 or 64 bits are divided by 2^32 or 2^64."""
    if values.dtype.kind != "u":
        return values.astype("f8")
    return values / 2.0 ** (8 * values.dtype.itemsize)


def sample_of(dataset):
    if dataset.size <= MOST_STRETCHES * STRETCH:
        return dataset[()]
    starts = np.linspace(0, dataset.size - STRETCH, MOST_STRETCHES).astype("i8")
    return np.concatenate([dataset[start:start + STRETCH] for start in starts])


def first_numbers(counts):
    """Returns the numbers per stream and the streams to read, about MOST_POINTS numbers in all."""
    streams = min(len(counts), MOST_STREAMS)
    numbers = min(int(counts[:streams].min()), max(MOST_POINTS // streams, 2))
    if numbers == 0:  # more streams than numbers
        return 1, int((counts > 0).sum().clip(max=MOST_POINTS))
    longest = int((counts >= numbers).sum())
    return numbers, min(longest, max(streams, MOST_POINTS // numbers))


def places_of(counts, order, run, extents):
    """Returns the indices in the file of the first numbers of the first streams (docs/fill.md)."""
    number, stream = np.ogrid[:extents[0], :extents[1]]
    streams = len(counts)
    if order == "interleaved":
        return number * streams + stream
    if run >= counts[0]:  # each stream has one contiguous block
        return number + np.append(0, np.cumsum(counts))[stream]
    return number // run * (run * streams) + stream * run + number % run


def gathered(dataset, places):
    """Returns the elements of a dataset at the indices `places`. Reads each stretch of adjacent elements in
    one access."""
    flat = np.sort(places, axis=None)
    breaks = np.flatnonzero(np.diff(flat) != 1) + 1
    stretches = np.split(flat, breaks)
    values = np.concatenate([dataset[part[0]:part[-1] + 1] for part in stretches])
    return values[np.searchsorted(flat, places)]


def bins_of(numbers):
    bins = MOST_BINS
    while bins > 2 and numbers < LEAST_PER_BIN * bins:
        bins //= 2
    return bins


# ---- the pictures --------------------------------------------------------------------------------


def draw(results):
    numbers = results[0]
    rows, columns = numbers.pairs.shape
    kinds = [kind for kind, drawn in (("within", rows > 1), ("across", columns > 1)) if drawn]
    figure, panels = pyplot().subplots(
        1, 1 + len(kinds), figsize=(max(8, 5.8 + 4 * len(kinds)), 5), layout="constrained", squeeze=False,
        width_ratios=[1.35] + [1] * len(kinds))
    name_figure(figure, describe(numbers))
    draw_histogram(panels[0, 0], numbers)
    for axes, kind in zip(panels[0, 1:], kinds):
        draw_pairs(axes, numbers, kind)
    return [("", figure)]


def describe(numbers):
    return (f"{power_of_ten(numbers.numbers)} numbers ({numbers.type}) of "
            f"{count(numbers.streams, numbers.generator + ' stream')}, {numbers.order}")


def draw_histogram(axes, numbers):
    """Draws the counts per bin divided by the expected count, with a band of two standard deviations on each side."""
    total, bins = len(numbers.sample), bins_of(len(numbers.sample))
    counts, edges = np.histogram(numbers.sample, bins, (0, 1))
    expected = total / bins
    band = 2 * np.sqrt((1 - 1 / bins) / expected)
    chi_square = ((counts - expected) ** 2).sum() / expected
    outside = int((abs(counts / expected - 1) > band).sum())
    sampled = "all numbers" if total == numbers.numbers else f"{total:,} of them"
    add_title(axes, "Distribution", f"{sampled}; χ² = {chi_square:.1f}, {count(bins - 1, 'degree')} of "
              f"freedom\n{outside} of {bins} bins outside the band, "
              f"{BEYOND_TWO * bins:.1f} expected", PANEL)
    axes.axhspan(1 - band, 1 + band, color=FAINT, linewidth=0, label="±2 standard deviations")
    axes.axhline(1, color=VERMILION, linewidth=1.4, label="uniform")
    axes.stairs(counts / expected, edges, baseline=None, color=BLUE, linewidth=1.3,
                label="numbers")
    widest = max(2 * band, 1.15 * float(abs(counts / expected - 1).max()))
    axes.set_ylim(1 - widest, 1 + widest)
    axes.set_xlim(0, 1)
    axes.set_xlabel("number" + scale_of(numbers.type))
    axes.set_ylabel("count / expected count")
    axes.legend(frameon=False, loc="upper center", ncols=3, bbox_to_anchor=(0.5, -0.14))


def scale_of(kind):
    return {"uint32": r" / $2^{32}$", "uint64": r" / $2^{64}$"}.get(kind, "")


def draw_pairs(axes, numbers, kind):
    rows, columns = numbers.pairs.shape
    if kind == "within":
        x, y = numbers.pairs[:-1], numbers.pairs[1:]
        title, words, label = "Within streams", "numbers i and i + 1 of stream s", "x(s, i + 1)"
    else:
        x, y = numbers.pairs[:, :-1], numbers.pairs[:, 1:]
        title, words, label = "Across streams", "number i of streams s and s + 1", "x(s + 1, i)"
    add_title(axes, title, f"{words}\n{count(x.size, 'pair')}: first {count(rows, 'number')} of "
              f"{count(columns, 'stream')}", PANEL)
    axes.plot(x.ravel(), y.ravel(), ".", color=INK, markersize=2, markeredgewidth=0,
              rasterized=True)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set_xlabel("x(s, i)" + scale_of(numbers.type))
    axes.set_ylabel(label + scale_of(numbers.type))
