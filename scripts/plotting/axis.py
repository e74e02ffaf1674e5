# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The axes of a table of weights: their names, and the positions of their cells."""

import dataclasses
import math

from common.modules import matplotlib, numpy as np
from plotting.results import Unreadable

# An axis is logarithmic only if it spans at least a decade.
LEAST_DECADE = 10


@dataclasses.dataclass
class Axis:
    """The cells along one dimension of a table."""

    name: str  # "" if the only axis has no name
    unit: str  # such as "MeV", or ""
    edges: object  # numpy array, ascending or descending, with one more element than there are cells
    places: object  # position of each cell: its point if the file has points, else its middle
    kind: str  # "edges" or "points", whichever the file has, or else "cells" (numbered cells)
    is_log: bool

    @property
    def label(self):
        if self.kind == "cells":
            return f"{self.name} (cell number)" if self.name else "cell number"
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def cell(self, at):
        """Returns the text for cell `at`, such as "energy 1.2 .. 1.5 MeV"."""
        low, high = (float(edge) for edge in self.edges[at:at + 2])
        if self.kind == "cells":
            first, last = round(low + 0.5), round(high - 0.5)
            words = f"{first:,}" if first == last else f"{first:,} .. {last:,}"
        elif self.kind == "points":
            words = "= " + rounded([float(self.places[at])], high - low)[0]
        else:
            words = " .. ".join(rounded([low, high], high - low))
        return " ".join(word for word in (self.name, words, self.unit) if word)

    def coarser(self, run):
        """Returns the axis with every `run` neighbouring cells joined into one."""
        if run == 1:
            return self
        edges = np.append(self.edges[:-1:run], self.edges[-1])
        kind = "cells" if self.kind == "cells" else "edges"
        return dataclasses.replace(self, edges=edges, places=middles(edges, self.is_log), kind=kind)

    def put_on(self, axes, letter):
        """Sets label, scale and limits of a picture's x or y axis (`letter`)."""
        getattr(axes, f"set_{letter}label")(self.label)
        if self.is_log:
            getattr(axes, f"set_{letter}scale")("log")
        elif self.kind == "cells":
            whole_ticks(getattr(axes, f"{letter}axis"))
        low, high = sorted((float(self.edges[0]), float(self.edges[-1])))
        getattr(axes, f"set_{letter}lim")(low, high)


def whole_ticks(axis):
    axis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True, min_n_ticks=1))
    axis.set_major_formatter("{x:,.0f}")


def rounded(values, width):
    """Returns numbers as texts, such as "1.2" and "1.5", with enough digits to resolve half a cell's width."""
    finest = math.floor(math.log10(abs(width) / 2))
    largest = max(abs(value) for value in values)
    if largest >= 1e6 or finest < -6:
        digits = max(math.floor(math.log10(largest)) - finest, 0)
        return [f"{value:.{digits}e}" for value in values]
    texts = [f"{value:.{max(-finest, 0)}f}" for value in values]
    while "." in texts[0] and all(text[-1] in "0." for text in texts):
        texts = [text[:-1] for text in texts]
    return texts


def spread(steps):
    return steps.std() / abs(steps.mean())


def is_log_spaced(values):
    """True if ascending numbers span a decade, and their logarithms are more evenly spaced than the numbers."""
    if len(values) < 3 or values[0] <= 0 or values[-1] < LEAST_DECADE * values[0]:
        return False
    return bool(spread(np.diff(np.log(values))) < spread(np.diff(values)))


def middles(edges, is_log):
    return np.sqrt(edges[:-1] * edges[1:]) if is_log else (edges[:-1] + edges[1:]) / 2


def edges_around(points, is_log):
    """Returns edges half-way between the points. The outer edges are as far from the first and last point as the
    inner ones."""
    if len(points) == 1:
        return points[0] + np.array([-0.5, 0.5])
    values = np.log(points) if is_log else points
    between = (values[:-1] + values[1:]) / 2
    edges = np.concatenate([[2 * values[0] - between[0]], between, [2 * values[-1] - between[-1]]])
    return np.exp(edges) if is_log else edges


def cell_numbers(name, cells):
    places = np.arange(cells)
    return Axis(name, "", np.arange(cells + 1) - 0.5, places, "cells", False)


def read_axis(group, dimension, name, cells):
    """Reads an Axis from the alias job's results. If the file has no edges or points, or if they are not sorted, the
    Axis has numbered cells."""
    stored = [kind for kind in ("edges", "points") if f"{kind}{dimension}" in group]
    if not stored:
        return cell_numbers(name, cells)
    kind = stored[0]
    dataset = group[f"{kind}{dimension}"]
    values = dataset[()]
    if values.shape != (cells + (kind == "edges"),):
        raise Unreadable(f"its dataset {kind}{dimension} does not fit the {cells:,} cells")
    steps = np.diff(values)
    if not ((steps > 0).all() or (steps < 0).all()):
        return cell_numbers(name, cells)
    is_log = is_log_spaced(np.sort(values))
    edges = values if kind == "edges" else edges_around(values, is_log)
    places = values if kind == "points" else middles(values, is_log)
    return Axis(name, str(dataset.attrs.get("unit", "")), edges, places, kind, is_log)
