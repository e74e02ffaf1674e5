# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the alias job. Points show a one-dimensional table, or some rows of a larger table; lines show the
samples. Maps show a table, its samples and their difference."""

from common.modules import matplotlib, numpy as np
from plotting.alias_sampling import LEAST_EXPECTATION, coarser, describe, read
from plotting.style import (BLUE, FAINT, INK, MOST_ERRORS, PANEL, SILVER, VERMILION, add_title,
                            count, in_powers, name_figure, new_axes, pyplot)

__all__ = ["JOB", "draw", "read"]

JOB = "alias"

# Most rows in a picture: readers cannot tell more curves apart.
MOST_ROWS = 10
# Up to this many columns, each row has its own panel.
FEW_COLUMNS = 30
# If the largest probability is more than this times the smallest, the axis is logarithmic.
MOST_LINEAR = 1000


def draw(results):
    sampling = coarser(results[0])
    if sampling.is_flat:
        return [("", draw_flat(sampling))]
    return [("rows", draw_rows(sampling)), ("maps", draw_maps(sampling))]


def rows_to_draw(sampling):
    """Returns the indices of the rows to draw, evenly spaced among the rows whose sum is at least 1 % of the largest
    sum."""
    sums = sampling.table.sum(axis=1)
    worthy = np.flatnonzero(sums >= 0.01 * sums.max())
    picked = np.linspace(0, len(worthy) - 1, min(len(worthy), MOST_ROWS)).round().astype(int)
    return worthy[picked].tolist()


def draw_row(axes, sampling, row, colour, colour_of_table):
    """Draws a row's samples as a line (in steps unless the axis has points), and its table as points."""
    columns, frequency = sampling.axes[1], sampling.frequency[row]
    if columns.kind == "points":
        axes.plot(columns.places, frequency, color=colour, linewidth=1.3)
    else:
        axes.stairs(frequency, columns.edges, baseline=None, color=colour, linewidth=1.3)
    axes.plot(columns.places, sampling.table[row], "o", color=colour_of_table,
              markersize=4 if len(columns.places) <= 100 else 2)


def meanings(colour):
    """Returns the legend handles for table (points) and samples (lines)."""
    return [matplotlib.lines.Line2D([], [], color=INK, marker="o", markersize=4, linestyle="none", label="table"),
            matplotlib.lines.Line2D([], [], color=colour, linewidth=1.3, label="samples")]


def draw_rows(sampling):
    """Draws some rows. With few columns, each row has its own panel: in one panel, wide steps would overlap."""
    few = len(sampling.axes[1].places) <= FEW_COLUMNS and len(rows_to_draw(sampling)) > 1
    return draw_panels(sampling) if few else draw_curves(sampling)


def draw_panels(sampling):
    rows = rows_to_draw(sampling)
    figure, panels = pyplot().subplots((len(rows) + 1) // 2, 2, figsize=(9.5, 1 + 0.8 * len(rows)), sharex=True,
                                       sharey=True, squeeze=False, layout="constrained")
    # Fills the panels column by column.
    order = [panels[i % len(panels), i // len(panels)] for i in range(panels.size)]
    name_figure(figure, f"Table and samples: {describe(sampling)}")
    for axes, row in zip(order, rows):
        draw_row(axes, sampling, row, BLUE, INK)
        axes.set_title(sampling.axes[0].cell(row), loc="left", fontsize=10)
    top = max(sampling.table.max(), sampling.frequency.max())
    order[0].set_ylim(0, 1.05 * top)  # all panels share the limits
    for axes in order[len(rows):]:
        axes.set_visible(False)
    for axes in (order[len(panels) - 1], order[len(rows) - 1]):
        sampling.axes[1].put_on(axes, "x")
        axes.tick_params(axis="x", labelbottom=True)
    for axes in panels[:, 0]:
        in_powers(axes.yaxis, "", top)
    figure.supylabel(f"probability per {sampling.drawn}", fontsize=11)
    order[0].legend(handles=meanings(BLUE), frameon=False, fontsize=10)
    return figure


def draw_curves(sampling):
    """Draws all rows in one panel, like figure 2 of Mohanty, Mohanty and Carminati (2012)."""
    figure, axes = new_axes("Table and samples", describe(sampling), width=9.5)
    rows = rows_to_draw(sampling)
    shades = pyplot().get_cmap("viridis")
    legend = meanings(INK)
    for place, row in enumerate(rows):
        colour = BLUE if len(rows) == 1 else shades(0.9 * place / (len(rows) - 1))
        draw_row(axes, sampling, row, colour, colour)
        legend.append(matplotlib.lines.Line2D([], [], color=colour, linewidth=1.3, label=sampling.axes[0].cell(row)))
    sampling.axes[1].put_on(axes, "x")
    probabilities_from_0(axes, sampling)
    axes.legend(handles=legend, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5),
                fontsize=10)
    return figure


def draw_flat(sampling):
    """Draws a one-dimensional table with its samples and, below, the deviations of the samples."""
    figure, (curve, deviations) = pyplot().subplots(
        2, 1, figsize=(8, 6.4), height_ratios=[2.6, 1], sharex=True, layout="constrained")
    add_title(curve, "Table and samples", describe(sampling))
    draw_row(curve, sampling, 0, BLUE, INK)
    enough = sampling.table[~sampling.is_pooled]
    if len(enough) and enough.max() > MOST_LINEAR * enough.min():
        curve.set_yscale("log")
        curve.set_ylim(enough.min() / 3, 2 * enough.max())
        curve.set_ylabel(f"probability per {sampling.drawn}")
    else:
        probabilities_from_0(curve, sampling)
    curve.legend(handles=meanings(BLUE), frameon=False)
    draw_deviations(deviations, sampling)
    sampling.axes[1].put_on(deviations, "x")
    return figure


def probabilities_from_0(axes, sampling):
    axes.set_ylim(bottom=0)
    in_powers(axes.yaxis, f"probability per {sampling.drawn}", axes.get_ylim()[1])


def draw_deviations(axes, sampling):
    """Draws the deviations of the samples in standard errors. Triangles mark deviations beyond the axis."""
    residual = sampling.residual()[0]
    defined = ~np.isnan(residual)
    outside = defined & (np.abs(np.where(defined, residual, 0)) > MOST_ERRORS)
    inside = defined & ~outside
    places = sampling.axes[1].places
    axes.axhspan(-2, 2, color=FAINT, linewidth=0)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.plot(places[inside], residual[inside], "o", color=BLUE, markersize=2.5)
    for sign, marker in ((1, "^"), (-1, "v")):
        clipped = outside & (np.sign(np.where(defined, residual, 0)) == sign)
        if clipped.any():  # with clip_on=False, matplotlib treats an empty plot as a point in the figure's corner
            axes.plot(places[clipped], np.full(clipped.sum(), sign * MOST_ERRORS), marker,
                      color=VERMILION, markersize=6, clip_on=False)
    axes.set_ylim(-MOST_ERRORS, MOST_ERRORS)
    axes.set_ylabel("(samples − table)\n/ standard error")
    pooled = int(sampling.is_pooled.sum())
    notes = ["19 in 20 should lie in the shade"]
    if outside.any():
        notes.append(f"triangles: {count(int(outside.sum()), sampling.drawn)} beyond ±{MOST_ERRORS}")
    if pooled:
        notes.append(f"left out: {count(pooled, sampling.drawn)} with fewer than "
                     f"{LEAST_EXPECTATION} expected")
    axes.set_title("; ".join(notes), loc="left", fontsize=10)


def draw_maps(sampling):
    figure, panels = pyplot().subplots(1, 3, figsize=(13, 5.6), layout="constrained", sharey=True)
    name_figure(figure, f"Table and samples: {describe(sampling)}")
    top = max(sampling.table.max(), sampling.frequency.max())
    shades = {"vmin": 0, "vmax": top, "cmap": "viridis"}
    draw_map(panels[0], sampling, sampling.table, shades)
    draw_map(panels[1], sampling, sampling.frequency, shades)
    draw_map(panels[2], sampling, sampling.residual(),
             {"vmin": -MOST_ERRORS, "vmax": MOST_ERRORS, "cmap": "PuOr"})
    for axes, title, text in zip(panels, ("Table", "Samples", "Samples − table"),
                                 ("what was asked for", "what was drawn", meaning_of_residual(sampling))):
        add_title(axes, title, text, PANEL)
    for axes, label in zip(panels, ("probability", "frequency")):
        in_powers(add_bar(figure, axes).ax.xaxis, f"{label} per {sampling.drawn}", top)
    add_bar(figure, panels[2], extend="both").set_label(label_of_residual(sampling))
    sampling.axes[0].put_on(panels[0], "y")
    for axes in panels[1:]:
        axes.tick_params(axis="y", which="both", labelleft=False)
    return figure


def draw_map(axes, sampling, values, colours):
    """Draws a matrix as a map, with each cell between its edges. NaN is grey."""
    rows, columns = sampling.axes
    axes.set_facecolor(SILVER)
    # matplotlib would draw infinity as NaN.
    values = np.where(np.isinf(values), 2 * colours["vmax"], values)
    axes.pcolormesh(columns.edges, rows.edges, np.ma.masked_invalid(values), rasterized=True, **colours)
    columns.put_on(axes, "x")
    if not columns.is_log:
        axes.locator_params(axis="x", nbins=5)  # the panels are narrow
        axes.tick_params(axis="x", pad=6)  # keeps the first label clear of the y axis' lowest label


def add_bar(figure, axes, **options):
    bar = figure.colorbar(axes.collections[0], ax=axes, orientation="horizontal", shrink=0.9,
                          **options)
    bar.outline.set_linewidth(0.6)
    return bar


def meaning_of_residual(sampling):
    few = f"fewer than {LEAST_EXPECTATION} samples expected"
    if sampling.is_pooled.all():
        return f"grey: {few}\nanywhere, so nothing is compared"
    return "purple: more than asked for; orange: fewer" + (
        f"\ngrey: {few}" if sampling.is_pooled.any() else "")


def label_of_residual(sampling):
    """Returns the label of the colour bar, which tells how many cells are beyond the bar's ends."""
    residual = sampling.residual()
    known = residual[~np.isnan(residual)]
    beyond = int((np.abs(known) > MOST_ERRORS).sum())
    return (f"(samples − table) / standard error, clipped at ±{MOST_ERRORS}\n"
            f"({beyond:,} of {len(known):,} {sampling.drawn}s beyond)")
