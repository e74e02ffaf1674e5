# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of pictures share."""

import importlib.util
import itertools
import unittest

import numpy

needs_matplotlib = unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")


def hidden_texts(figure):
    """Texts that are not drawn: those of invisible axes, and labels of ticks outside the limits."""
    from matplotlib.text import Text  # pylint: disable=import-outside-toplevel
    for axes in figure.axes:
        if not axes.get_visible():
            yield from axes.findobj(Text)
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not axes.axison or not low <= tick.get_loc() <= high:
                    yield from (tick.label1, tick.label2)


def text_boxes(figure):
    """Each text of a picture that was laid out, numbered, and its place in parts of the picture."""
    from matplotlib.text import Text  # pylint: disable=import-outside-toplevel
    hidden = set(hidden_texts(figure))
    shown = [one for one in figure.findobj(Text) if one.get_visible() and one.get_text() and one not in hidden]
    # Text's own extent: an annotation's own has its arrow in it, too.
    return {(one.get_text(), number): Text.get_window_extent(one).transformed(figure.transFigure.inverted())
            for number, one in enumerate(shown)}


def require_readable(case, figure):
    """No text of a picture overlaps another or is cut off, and each line's points lie within its axes' limits."""
    figure.draw_without_rendering()
    boxes = text_boxes(figure)
    case.assertGreater(len(boxes), 5)
    for (text, _), box in boxes.items():
        case.assertTrue(-1e-3 <= box.x0 and box.x1 <= 1.001 and -1e-3 <= box.y0 and box.y1 <= 1.001, (text, box))
    for (one, first), (other, second) in itertools.combinations(boxes.items(), 2):
        case.assertFalse(first.overlaps(second), (one, other))
    for axes in figure.axes:
        for line in axes.lines:
            if line.get_transform() == axes.transData:
                for values, limits in ((line.get_xdata(), axes.get_xlim()), (line.get_ydata(), axes.get_ylim())):
                    known = numpy.asarray(values, dtype=float)
                    known = known[numpy.isfinite(known)]
                    case.assertTrue((min(limits) <= known).all() and (known <= max(limits)).all(),
                                    (axes.get_title(loc="left"), line.get_label(), limits))
