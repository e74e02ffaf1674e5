# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the texts and points of a figure are readable."""

import importlib.util
import itertools
import unittest

import numpy

needs_matplotlib = unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")


def hidden_texts(figure):
    """Yields the texts that are not drawn: texts of invisible axes, and labels of ticks that are outside the limits or
    unused."""
    from matplotlib.text import Text  # pylint: disable=import-outside-toplevel
    for axes in [one for parent in figure.axes for one in (parent, *parent.child_axes)]:
        if not axes.get_visible():
            yield from axes.findobj(Text)
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            used = {*axis.get_major_ticks(), *axis.get_minor_ticks()}
            for tick in (*axis.majorTicks, *axis.minorTicks):
                if not axes.axison or tick not in used or not low <= tick.get_loc() <= high:
                    yield from (tick.label1, tick.label2)


def text_boxes(figure):
    """Returns the box of each visible text of a laid-out figure, in fractions of the figure, by (text, number)."""
    from matplotlib.text import Text  # pylint: disable=import-outside-toplevel
    shown = [one for one in figure.findobj(Text) if one.get_visible() and one.get_text()]
    # Calls Text's method, because an annotation's own extent includes its arrow.
    boxes = {one: Text.get_window_extent(one).transformed(figure.transFigure.inverted()) for one in shown}
    for one, box in boxes.items():  # excludes empty lines at a title's end, which leave room for other texts
        empty = len(one.get_text()) - len(one.get_text().rstrip("\n"))
        box.y0 += box.height * empty / (1 + one.get_text().count("\n"))
    hidden = set(hidden_texts(figure))  # last, because reading the ticks changes some of them
    return {(one.get_text(), number): boxes[one] for number, one in enumerate(shown) if one not in hidden}


def require_readable(case, figure, cuts_points=False):
    """Requires that no text of a figure overlaps another or is cut off. Unless `cuts_points` is true, the points of
    each line
    must be within the limits of its axes."""
    figure.draw_without_rendering()
    boxes = text_boxes(figure)
    case.assertGreater(len(boxes), 5)
    for (text, _), box in boxes.items():
        case.assertTrue(-1e-3 <= box.x0 and box.x1 <= 1.001 and -1e-3 <= box.y0 and box.y1 <= 1.001, (text, box))
    for (one, first), (other, second) in itertools.combinations(boxes.items(), 2):
        case.assertFalse(first.overlaps(second), (one, other))
    for axes in [] if cuts_points else figure.axes:
        for line in axes.lines:
            if line.get_transform() == axes.transData:
                for values, limits in ((line.get_xdata(), axes.get_xlim()), (line.get_ydata(), axes.get_ylim())):
                    known = numpy.asarray(values, dtype=float)
                    known = known[numpy.isfinite(known)]
                    case.assertTrue((min(limits) <= known).all() and (known <= max(limits)).all(),
                                    (axes.get_title(loc="left"), line.get_label(), limits))
