# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the alias job's results: a table, and the number of samples in each cell."""

import dataclasses

from common.modules import numpy as np
from plotting.axis import cell_numbers, read_axis
from plotting.results import Unreadable, filled
from plotting.style import power_of_ten

# Maximum number of cells along a side of a map. Larger tables are drawn in blocks of cells.
MOST_CELLS = 500

# Cells with fewer expected samples are pooled, as in the job's chi-square test, because their counts are far from
# normal (Cochran's rule, src/jobs/alias/alias_result.cpp).
LEAST_EXPECTATION = 5


@dataclasses.dataclass
class Sampling:
    """The content of a results file as matrices. A one-dimensional table is a matrix of one row."""

    samples: int
    shape: tuple
    table: object  # exact probability of each cell, from the weights
    histogram: object  # number of samples in each cell
    axes: tuple  # Axis of the rows, Axis of the columns
    summed: tuple = ()  # names of the other axes, over which the matrices are summed
    runs: tuple = (1, 1)  # rows and columns of the table per element of the matrices

    @property
    def is_flat(self):
        return len(self.shape) == 1

    @property
    def drawn(self):
        """The noun for an element of the matrices."""
        return "cell" if self.runs == (1, 1) else "block"

    @property
    def frequency(self):
        return self.histogram / self.samples

    @property
    def is_pooled(self):
        """True where fewer than LEAST_EXPECTATION samples are expected, including cells of probability 0."""
        return self.samples * self.table < LEAST_EXPECTATION

    def residual(self):
        """Returns (count - expected) / sqrt(N p (1 - p)) for each cell. Pooled cells are NaN, except that cells with
        samples but probability 0 are infinite."""
        expected = self.samples * self.table
        error = np.sqrt(expected * (1 - self.table).clip(0))
        off = self.histogram - expected
        residual = np.divide(off, error, out=np.zeros_like(expected), where=error > 0)
        residual = np.where(self.is_pooled, np.nan, residual)
        return np.where((self.table == 0) & (self.histogram > 0), np.inf, residual)


def read(file, _):
    """Reads a Sampling. A table of more than two dimensions is summed over all but the first two."""
    result = file["results/alias"]
    samples = int(result.attrs["samples"])
    shape = tuple(int(n) for n in np.atleast_1d(result.attrs["shape"]))
    names = [str(name) for name in np.atleast_1d(result.attrs["axes"])]
    if samples == 0 or 0 in shape or len(names) != len(shape):
        raise Unreadable(f"{samples:,} samples of {cells_of(shape)}, {len(names)} names of axes")
    plane = (1, *shape) if len(shape) == 1 else (*shape[:2], -1)

    def matrix(name):
        values = filled(result, name).reshape(plane)
        return values if len(shape) == 1 else values.sum(axis=2)

    return Sampling(samples, shape, matrix("asked"), matrix("histogram"),
                    read_axes(result, names, shape), tuple(names[2:]))


def read_axes(result, names, shape):
    axes = [read_axis(result, dimension, name, cells)
            for dimension, (name, cells) in enumerate(zip(names[:2], shape[:2]))]
    if len(shape) > 1:
        return tuple(axes)
    if axes[0].kind == "cells" and axes[0].name == "axis0":  # the name that the job gives an unnamed axis
        axes[0].name = ""
    return cell_numbers("", 1), axes[0]


def coarser(sampling):
    """Returns the Sampling with neighbouring cells summed until each side has at most MOST_CELLS elements."""
    runs = tuple(-(-cells // MOST_CELLS) for cells in sampling.table.shape)

    def folded(values):
        for axis, run in enumerate(runs):
            values = np.add.reduceat(values, np.arange(0, values.shape[axis], run), axis=axis)
        return values

    axes = tuple(axis.coarser(run) for axis, run in zip(sampling.axes, runs))
    return dataclasses.replace(sampling, table=folded(sampling.table),
                               histogram=folded(sampling.histogram), axes=axes, runs=runs)


def cells_of(shape):
    return " × ".join(f"{n:,}" for n in shape) + " cells"


def describe(sampling):
    """Returns the subtitle of a picture."""
    parts = [f"{power_of_ten(sampling.samples)} samples of {cells_of(sampling.shape)}"]
    if sampling.summed:
        parts.append(f"summed over {', '.join(sampling.summed)}")
    if sampling.runs != (1, 1):
        runs = sampling.runs[1:] if sampling.is_flat else sampling.runs
        parts.append(f"drawn in blocks of {cells_of(runs)}")
    return "; ".join(parts)
