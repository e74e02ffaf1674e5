# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Picture of the battery job: the p-values by test, and their distribution."""

import dataclasses
import math
import pathlib
import statistics

from common.modules import numpy as np
from plotting.results import Unreadable, require_equal_lengths, filled, text_of
from plotting.style import BLUE, INK, ORANGE, PALE_BLUE, PANEL, VERMILION, add_title, count, name_figure, pyplot

JOB = "battery"

# Limits of the tail min(p, 1 - p) of a p-value, as in the job. A tail below SUSPICIOUS is suspicious. A p-value fails
# if its tail is below FAILING / 2 divided by the number of p-values. Tails below LEAST are drawn at LEAST, because
# p-values closer than that to 1 round to 1.
SUSPICIOUS, FAILING, LEAST = 1e-4, 1e-10, 1e-16
# Maximum number of names below the axis.
MOST_NAMES = 36


@dataclasses.dataclass
class Battery:
    """The content of a results file."""

    subject: str  # source of the words
    words: int
    tests: list  # names such as "small.3 Gap"
    test_of_p: object  # numpy array
    p: object  # numpy array

    @property
    def tail(self):
        return abs((self.p > 0.5) - self.p)

    @property
    def limit(self):
        """The tail below which a p-value fails."""
        return FAILING / 2 / len(self.p)


def read(file, _):
    """Reads a Battery."""
    result = file["results/battery"]
    names, classes, test_of_p, p = (filled(result, name)
                                    for name in ("test", "class", "test_of_p", "p_value"))
    require_equal_lengths(**{"test": names, "class": classes})
    require_equal_lengths(test_of_p=test_of_p, p_value=p)
    if not ((p >= 0) & (p <= 1)).all():
        raise Unreadable("its dataset p_value is not between 0 and 1")
    if test_of_p.max() >= len(names):
        raise Unreadable(f"its dataset test_of_p is not of {count(len(names), 'test')}")
    bits = str(result.attrs["bits"])
    return Battery(subject=subject_of(file) + (f", bits {bits}" if bits != "all" else ""),
                   words=int(result.attrs["words"]),
                   tests=[f"{text_of(name)} {text_of(one)}" for name, one in zip(names, classes)],
                   test_of_p=test_of_p, p=p)


def subject_of(file):
    source = file["results/battery"].attrs.get("source")
    if source is not None:
        return pathlib.Path(source).name.replace("$", r"\$")
    streams = file["streams"].attrs
    return f"{count(int(streams['count']), 'stream')} of {streams['generator']}"


def draw(results):
    battery = results[0]
    figure = pyplot().figure(figsize=(11.5, 7), layout="constrained")
    name_figure(figure, f"Tests of {battery.subject}: {count(len(battery.p), 'p-value')}, "
                f"{power(battery.words)} words")
    each, together = figure.subplots(1, 2, width_ratios=[2.2, 1])
    draw_each(each, battery)
    draw_together(together, battery)
    # There is room for the legend below the square.
    together.legend(handles=[*each.get_legend_handles_labels()[0], together.collections[0]],
                    frameon=False, loc="upper left", bbox_to_anchor=(-0.25, -0.2), fontsize=10)
    return [("", figure)]


def height(p):
    """Returns the height of a p-value, the normal quantile of 1 - p. p-values near 0 are on top. Good streams have
    normally distributed heights."""
    return math.copysign(statistics.NormalDist().inv_cdf(max(min(p, 1 - p), LEAST)), 0.5 - p)


EDGE = 1.03 * height(LEAST)


def power(value):
    """Returns a number as text such as "$10^{-4}$" or "$3.3 \\times 10^{-12}$"."""
    digits, _, exponent = f"{value:.1e}".partition("e")
    factor = "" if digits == "1.0" else rf"{digits.removesuffix('.0')} \times "
    return f"${factor}10^{{{int(exponent)}}}$"


def draw_each(axes, battery):
    places, heights = np.arange(len(battery.p)), np.array([height(p) for p in battery.p])
    fails, is_listed = battery.tail < battery.limit, battery.tail < SUSPICIOUS
    colours = np.select([fails, is_listed], [VERMILION, ORANGE], BLUE)
    add_title(axes, "p-values by test",
              f"{fails.sum()} fail, {(is_listed & ~fails).sum()} suspicious", PANEL)
    for limit, colour, label in ((SUSPICIOUS, ORANGE, "suspicious"),
                                 (battery.limit, VERMILION, "fails")):
        axes.axhline(height(limit), color=colour, linestyle="--", linewidth=1, zorder=1,
                     label=f"{label}: p or 1 − p < {power(limit)}")
        axes.axhline(height(1 - limit), color=colour, linestyle="--", linewidth=1, zorder=1)
    end = (battery.tail < LEAST) * np.sign(heights)
    for one, marker, label in ((0, "o", None), (1, "^", f"p < {power(LEAST)}, at the edge"),
                               (-1, "v", f"1 − p < {power(LEAST)}, at the edge")):
        if (end == one).any():
            axes.scatter(places[end == one], heights[end == one], c=colours[end == one],
                         marker=marker, label=label)
    axes.vlines(places[is_listed], -EDGE, heights[is_listed], colors=colours[is_listed],
                linewidth=0.6, zorder=1)
    label_heights(axes)
    name_tests(axes, battery, set(battery.test_of_p[is_listed]))


def label_heights(axes):
    shown = [(0.5, "0.5"), (0.1, "0.1"), (0.9, "0.9"), (0.01, "0.01"), (0.99, "0.99")]
    for tail in (SUSPICIOUS, 1e-8, 1e-12, LEAST):
        shown += [(tail, power(tail)), (1 - tail, f"1 − {power(tail)}")]
    axes.set_yticks([height(p) for p, _ in shown], [text for _, text in shown], fontsize=10)
    axes.set_ylim(-EDGE, EDGE)
    axes.set_ylabel("p-value p (scale of a normal distribution)")


def name_tests(axes, battery, listed):
    """Writes names of tests below the axis: the tests in `listed` in bold, and others where there is room."""
    number, width = len(battery.p), len(battery.p) / MOST_NAMES
    tests = sorted(set(battery.test_of_p), key=lambda test: test not in listed)
    centre = {test: np.flatnonzero(battery.test_of_p == test).mean() for test in tests}
    named = []
    for test in tests:
        must = test in listed and len(listed) <= MOST_NAMES
        has_room = all(abs(centre[test] - centre[other]) > width for other in named)
        if must or (has_room and len(named) < MOST_NAMES):
            named.append(test)
    named.sort()
    steps = width * np.arange(len(named))
    free = np.array([centre[test] for test in named]) - steps
    # Separates overlapping names: averages the positions that result from pushing names only right and only left.
    free = (np.maximum.accumulate(free) + np.minimum.accumulate(free[::-1])[::-1]) / 2
    for test, place in zip(named, free.clip(-0.5, number - 0.5 - steps[-1]) + steps):
        axes.annotate(battery.tests[test], (centre[test], 0), (place, -0.03),
                      axes.get_xaxis_transform(), axes.get_xaxis_transform(), rotation=90,
                      ha="center", va="top", fontsize=9, weight="bold" if test in listed else None,
                      arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.8,
                                  "relpos": (0.5, 1), "shrinkA": 0, "shrinkB": 0})
    axes.set_xticks([])
    axes.set_xlim(-0.5 - width / 2, number - 0.5 + width / 2)


def draw_together(axes, battery):
    """Draws the distribution of the p-values, and Kolmogorov's band, which contains 99 % of uniform samples (Stephens,
    J. R. Stat. Soc. B 32 (1970) 115)."""
    number = len(battery.p)
    band = 1.628 / (number ** 0.5 + 0.12 + 0.11 / number ** 0.5)
    add_title(axes, "Their distribution", "of good streams uniform", PANEL)
    p = np.linspace(0, 1, 1001)
    axes.fill_between(p, (p - band).clip(0), (p + band).clip(max=1), color=PALE_BLUE, linewidth=0,
                      label="99 % of uniform p-values")
    axes.step([0, *np.sort(battery.p), 1], [*np.arange(number + 1) / number, 1], where="post",
              color=BLUE)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_box_aspect(1)
    axes.set_anchor("N")
    axes.set_xlabel("p-value p")
    axes.set_ylabel("share of p-values up to p")
