# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The style of pictures, and functions that format titles, ticks and numbers."""

import math

from common.failure import ScriptError
from common.modules import matplotlib

# BLUE to SKY are colours of Okabe and Ito, which people with any colour vision can tell apart.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
LIGHT_BLUE, PALE_BLUE = "#8FC0DE", "#D3E6F2"
INK, GREY, FAINT = "#333333", "#888888", "#EAEAEA"
SILVER = "#C8C8C8"  # for unknown or ignored values
SERIES_STYLE = [(BLUE, "o"), (VERMILION, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"),
                (SKY, "P")]

PANEL = 12  # font size of a panel title
DPI = 150  # dots per inch of a picture file

# Deviations are clipped at this many standard errors. A normal deviation is larger once in 16,000 times.
MOST_ERRORS = 4


def pyplot():
    """Returns matplotlib.pyplot, configured to draw only to files, in Rivulet's style."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plots

    plots.rcParams.update({
        "font.size": 11, "axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK,
        "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
        "axes.spines.right": False, "mathtext.default": "regular"})
    return plots


def new_axes(title, subtitle, width=8):
    figure, axes = pyplot().subplots(figsize=(width, 5), layout="constrained")
    add_title(axes, title, subtitle)
    return figure, axes


def name_figure(figure, title):
    """Sets the title of a figure with several panels, above the panels' own titles."""
    figure.suptitle(title, x=0.01, ha="left", fontsize=14, fontweight="bold")


def add_title(axes, title, subtitle, size=14):
    """Adds a bold title with the lines of the subtitle below it, and returns the title."""
    lines = 1 + subtitle.count("\n")
    named = axes.set_title(title, loc="left", fontsize=size, fontweight="bold", pad=7 + 15 * lines)
    axes.annotate(subtitle, (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points",
                  va="bottom", fontsize=10, linespacing=1.3)
    return named


def plain_ticks(axis):
    """Sets ticks at 1, 2, 5, 10, ... on a logarithmic axis, with labels in digits."""
    axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(lambda value, _: plain(value))
    axis.set_minor_locator(matplotlib.ticker.NullLocator())


def label_counts(axis):
    """Labels a logarithmic axis of counts. An axis that spans less than a factor of 30 also has ticks between powers of
    ten.
    Labels below 10,000 are in digits."""
    low, high = axis.get_view_interval()
    if high < 30 * low:
        axis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5) if high > 4 * low else range(1, 10)))
        axis.set_minor_formatter(lambda value, _: "")
    axis.set_major_formatter(lambda value, _: short(value))


def short(number):
    """Returns a number as text, such as "5,000", "$10^{7}$" or "$2 \\times 10^{7}$"."""
    if number < 10000:
        return f"{number:,.0f}"
    power = math.floor(math.log10(number) + 1e-9)
    digit = round(number / 10**power)
    return f"${digit} \\times 10^{{{power}}}$" if digit > 1 else f"$10^{{{power}}}$"


def in_powers(axis, label, top):
    """Labels an axis that ends at about `top`. The axis label has the power of ten that all ticks share, if any."""
    power = math.floor(math.log10(top)) if top > 0 else 0
    if -2 <= power <= 3:
        axis.set_label_text(label)
        return
    axis.set_label_text(f"{label} ($\\times 10^{{{power}}}$)")
    axis.set_major_formatter(lambda value, _: plain(value / 10.0 ** power))


def power_of_ten(number):
    """Returns a number as text, such as "25,000". Powers of ten from 10,000 on are written as in "$10^{7}$"."""
    digits = str(number)
    if number >= 10000 and digits == "1" + "0" * (len(digits) - 1):
        return f"$10^{{{len(digits) - 1}}}$"
    return f"{number:,}"


def count(number, noun):
    """Returns a count as text, such as "1 thread" or "4,096 threads"."""
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def plain(value):
    """Returns a number with few digits as text without a power of ten, such as "0.05" or "20"."""
    return f"{value:.12f}".rstrip("0").rstrip(".")


def save(figure, name):
    """Writes a picture. A PNG file of few colours, such as greys, gets a palette, which makes it smaller."""
    from PIL import Image  # matplotlib needs it too

    try:
        figure.savefig(name, dpi=DPI)
        if str(name).endswith(".png"):
            image = Image.open(name).convert("RGB")
            if image.getcolors(256):
                image.quantize(256).save(name, optimize=True, dpi=(DPI, DPI))
    except (OSError, ValueError) as failure:
        raise ScriptError(f"cannot write '{name}' ({failure}). "
                        "Choose another name with -o; .png, .pdf and .svg are supported.") from failure
    finally:
        pyplot().close(figure)
