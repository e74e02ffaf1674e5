# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps of the alias job: a table, its samples, and what they differ by."""

from plotting.alias_sampling import LEAST_EXPECTATION, describe
from plotting.style import MOST_ERRORS, SILVER, add_title, in_powers, pyplot


def draw_maps(sampling):
    figure, panels = pyplot().subplots(1, 3, figsize=(13, 5.6), layout="constrained", sharey=True)
    figure.suptitle(describe(sampling), fontsize=12, x=0.01, ha="left")
    top = max(sampling.table.max(), sampling.frequency.max())
    shades = {"vmin": 0, "vmax": top, "cmap": "viridis"}
    draw_map(panels[0], sampling, sampling.table, shades)
    draw_map(panels[1], sampling, sampling.frequency, shades)
    draw_map(panels[2], sampling, sampling.residual(),
             {"vmin": -MOST_ERRORS, "vmax": MOST_ERRORS, "cmap": "PuOr"})
    grey = f"grey: fewer than {LEAST_EXPECTATION} samples expected"
    for axes, title, text in zip(panels, ("Table", "Samples", "Samples − table"),
                                 ("", "", grey if sampling.is_pooled.any() else "")):
        add_title(axes, title, text)
    for axes, label in zip(panels, ("probability", "frequency")):
        in_powers(add_bar(figure, axes).ax.xaxis, f"{label} per {sampling.drawn}", top)
    add_bar(figure, panels[2], extend="both").set_label(label_of_residual(sampling))
    sampling.axes[0].put_on(panels[0], "y")
    for axes in panels[1:]:
        axes.tick_params(axis="y", which="both", labelleft=False)
    return figure


def draw_map(axes, sampling, values, colours):
    """A matrix, each cell where its edges lie."""
    import numpy as np

    rows, columns = sampling.axes
    axes.set_facecolor(SILVER)
    axes.pcolormesh(columns.edges, rows.edges, np.ma.masked_invalid(clipped(values, colours)),
                    rasterized=True, **colours)
    columns.put_on(axes, "x")
    if not columns.is_log:
        axes.locator_params(axis="x", nbins=5)  # the panels are narrow


def clipped(values, colours):
    """What is infinite would be taken for what is not a number."""
    import numpy as np

    return np.where(np.isinf(values), 2 * colours["vmax"], values)


def add_bar(figure, axes, **options):
    bar = figure.colorbar(axes.collections[0], ax=axes, orientation="horizontal", shrink=0.9,
                          **options)
    bar.outline.set_linewidth(0.6)
    return bar


def label_of_residual(sampling):
    """With how many cells the colours' ends stand for."""
    import numpy as np

    residual = sampling.residual()
    known = residual[~np.isnan(residual)]
    beyond = int((np.abs(known) > MOST_ERRORS).sum())
    return (f"(samples − table) / standard error, clipped at ±{MOST_ERRORS}\n"
            f"({beyond:,} of {len(known):,} {sampling.drawn}s beyond)")
