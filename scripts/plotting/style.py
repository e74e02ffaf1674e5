# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How pictures look, and writing them."""

from plotting.errors import PlotError

# Okabe & Ito's colours, which people with any colour vision can tell apart.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
LIGHT_BLUE, PALE_BLUE = "#8FC0DE", "#D3E6F2"
INK, GREY, FAINT = "#333333", "#888888", "#EAEAEA"
SERIES_STYLE = [(BLUE, "o"), (VERMILION, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"),
                (SKY, "P")]


def pyplot():
    """matplotlib.pyplot, drawing to files alone, in our style."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plots

    plots.rcParams.update({
        "font.size": 11, "axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
        "axes.spines.right": False, "mathtext.default": "regular"})
    return plots


def new_axes(title, subtitle):
    figure, axes = pyplot().subplots(figsize=(8, 5), layout="constrained")
    add_title(axes, title, subtitle)
    return figure, axes


def add_title(axes, title, subtitle):
    axes.set_title(f"{title}\n", loc="left", fontsize=14, fontweight="bold")
    axes.text(0, 1.03, subtitle, transform=axes.transAxes, fontsize=10)


def power_of_ten(number):
    """Such as "$10^{7}$"; other numbers in digits, such as "25,000"."""
    digits = str(number)
    if number >= 10000 and digits == "1" + "0" * (len(digits) - 1):
        return f"$10^{{{len(digits) - 1}}}$"
    return f"{number:,}"


def count(number, noun):
    """Such as "1 thread" or "4,096 threads"."""
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def plain(value):
    """A number of a few digits without powers of ten, such as "0.05" or "20"."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def save(figure, name):
    try:
        figure.savefig(name, dpi=150)
    except (OSError, ValueError) as failure:
        raise PlotError(f"cannot write '{name}' ({failure}) "
                        "Choose another name with -o; .png, .pdf and .svg are known.") from failure
    finally:
        pyplot().close(figure)
