# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the alias job: rows of the table beside the samples, and maps of both and of what
they differ by."""

import dataclasses

from plotting.style import BLUE, INK, new_axes, power_of_ten, pyplot

JOB = "alias"
NAME_OF_SEVERAL = ""
MOST_FILES = 1

# Curves, and cells a side of a map, that a picture can show; larger tables are drawn coarser.
MOST_ROWS = 10
MOST_CELLS = 500


# ---- the data ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Sampling:
    """What a results file says, as matrices; one dimension is one row."""

    samples: int
    shape: tuple
    table: object  # probabilities
    histogram: object  # samples in each cell
    runs: tuple = (1, 1)  # rows and columns that a row and a column of the matrices stand for

    @property
    def is_flat(self):
        return len(self.shape) == 1

    @property
    def frequency(self):
        return self.histogram / self.samples

    def residual(self):
        """(count - expected) / its standard deviation, N p (1 - p); nan where nothing may fall."""
        import numpy as np

        expected = self.samples * self.table
        with np.errstate(divide="ignore", invalid="ignore"):
            residual = (self.histogram - expected) / np.sqrt(expected * (1 - self.table))
        return np.where((self.table > 0) & (self.table < 1), residual, np.nan)


def read(file, path):
    """A Sampling: of more than two dimensions the first two, summed over the others."""
    import numpy as np

    del path
    result = file["results/alias"]
    shape = tuple(int(n) for n in np.atleast_1d(result.attrs["shape"]))
    plane = (1, *shape) if len(shape) == 1 else (*shape[:2], -1)

    def matrix(name):
        values = result[name][()].reshape(plane)
        return values if len(shape) == 1 else values.sum(axis=2)

    return Sampling(int(result.attrs["samples"]), shape, matrix("table"), matrix("histogram"))


def coarser(sampling):
    """The same with at most MOST_CELLS cells a side, sums of neighbours."""
    import numpy as np

    runs = tuple(-(-cells // MOST_CELLS) for cells in sampling.table.shape)

    def folded(values):
        for axis, run in enumerate(runs):
            values = np.add.reduceat(values, np.arange(0, values.shape[axis], run), axis=axis)
        return values

    return dataclasses.replace(sampling, table=folded(sampling.table),
                               histogram=folded(sampling.histogram), runs=runs)


def rows_to_draw(sampling):
    """Numbers of rows, evenly spaced among those that hold a hundredth of the fullest or more."""
    import numpy as np

    sums = sampling.table.sum(axis=1)
    worthy = np.flatnonzero(sums >= 0.01 * sums.max())
    picked = np.linspace(0, len(worthy) - 1, min(len(worthy), MOST_ROWS)).round().astype(int)
    return worthy[picked].tolist()


# ---- the pictures --------------------------------------------------------------------------------


def draw(results):
    sampling = coarser(results[0])
    if sampling.is_flat:
        return [("", draw_rows(sampling))]
    return [("rows", draw_rows(sampling)), ("maps", draw_maps(sampling))]


def describe(sampling):
    cells = " × ".join(f"{n:,}" for n in sampling.shape) + " cells"
    parts = [f"{power_of_ten(sampling.samples)} samples of {cells}"]
    if len(sampling.shape) > 2:
        parts.append("summed over all dimensions but the first two")
    if sampling.runs != (1, 1):
        parts.append("cells drawn in blocks of " + " × ".join(map(str, sampling.runs)))
    return "; ".join(parts)


def draw_rows(sampling):
    """The paper's figure 2: the table as points, the samples as lines."""
    from matplotlib.lines import Line2D

    figure, axes = new_axes("Table and samples", describe(sampling))
    rows = rows_to_draw(sampling)
    shades = pyplot().get_cmap("viridis")
    for place, row in enumerate(rows):
        colour = BLUE if len(rows) == 1 else shades(0.9 * place / (len(rows) - 1))
        columns = [sampling.runs[1] * column for column in range(sampling.table.shape[1])]
        axes.plot(columns, sampling.frequency[row], color=colour, linewidth=1.5,
                  label=None if sampling.is_flat else f"row {sampling.runs[0] * row}")
        axes.plot(columns, sampling.table[row], "o", color=colour,
                  markersize=5 if len(columns) <= 100 else 2.5)
    axes.set_xlabel("cell" if sampling.is_flat else "column")
    axes.set_ylabel("probability")
    axes.set_ylim(bottom=0)
    whole_ticks(axes.xaxis)
    meaning = [Line2D([], [], color=INK, marker="o", linestyle="none", label="table"),
               Line2D([], [], color=INK, linewidth=1.5, label="samples")]
    if not sampling.is_flat:
        meaning += axes.get_legend_handles_labels()[0]
    axes.legend(handles=meaning, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5),
                fontsize=10)
    return figure


def whole_ticks(axis):
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def draw_maps(sampling):
    """Table, samples, and the residual in standard deviations."""
    import numpy as np

    figure, panels = pyplot().subplots(1, 3, figsize=(13, 5), layout="constrained", sharey=True)
    residual = sampling.residual()
    figure.suptitle(describe(sampling), fontsize=12, x=0.01, ha="left")
    top = max(sampling.table.max(), sampling.frequency.max())
    widest = max(3.0, float(np.nanmax(np.abs(residual), initial=0)))
    maps = [("Table", sampling.table, "probability", {"vmin": 0, "vmax": top, "cmap": "viridis"}),
            ("Samples", sampling.frequency, "frequency",
             {"vmin": 0, "vmax": top, "cmap": "viridis"}),
            ("Samples − table", residual, "standard deviations",
             {"vmin": -widest, "vmax": widest, "cmap": "PuOr"})]
    rows, columns = (run * cells for run, cells in zip(sampling.runs, sampling.table.shape))
    extent = (-0.5, columns - 0.5, -0.5, rows - 0.5)
    for axes, (title, values, unit, colours) in zip(panels, maps):
        axes.set_title(title, loc="left", fontsize=13, fontweight="bold")
        axes.set_facecolor("#C8C8C8")  # cells that nothing may fall into
        image = axes.imshow(values, origin="lower", aspect="auto", interpolation="nearest",
                            extent=extent, **colours)
        bar = figure.colorbar(image, ax=axes, label=unit, orientation="horizontal", shrink=0.9)
        bar.formatter.set_powerlimits((-2, 3))
        axes.set_xlabel("column")
        whole_ticks(axes.xaxis)
        whole_ticks(axes.yaxis)
    panels[0].set_ylabel("row")
    return figure
