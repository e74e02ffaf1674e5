# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of the numbers of the fill job."""

import h5py
import numpy

from plot_case import PlotCase, figures, needs_matplotlib, texts
from plotting import fill
from plotting.style import BLUE


@needs_matplotlib
class Pictures(PlotCase):
    def draw(self, *deck):
        self.run_ok("fill", "fill.to=file", "streams.generator=ranmar48x", *deck, "--output",
                    "out.h5")
        return figures(fill, self.read(fill, "out.h5"))[""]

    def test_distribution(self):
        figure = self.draw("fill.numbers=20000", "streams.count=100")
        axes = figure.axes[0]
        with h5py.File(self.path("out.h5")) as file:
            numbers = file["results/fill/numbers"][:]
        counts, edges = numpy.histogram(numbers, 128, (0, 1))
        steps = axes.patches[1]
        self.assertEqual(steps.get_facecolor()[3], 0)
        numpy.testing.assert_allclose(steps.get_data().values, counts * 128 / 20000)
        numpy.testing.assert_array_equal(steps.get_data().edges, edges)
        # Of a bin's count N p (1 - p) is the variance.
        error = (127 / 20000) ** 0.5
        band = axes.patches[0].get_xy()[:, 1]
        self.assertAlmostEqual(band.max(), 1 + 2 * error)
        self.assertAlmostEqual(band.min(), 1 - 2 * error)
        outside = int((abs(counts * 128 / 20000 - 1) > 2 * error).sum())
        self.assertIn(f"{outside} of 128 bins outside the band, 5.8 expected", texts(axes))
        chi_square = ((counts - 156.25) ** 2 / 156.25).sum()
        self.assertIn(f"all numbers; χ² = {chi_square:.1f}, 127 degrees of freedom", texts(axes))
        self.assertEqual(axes.get_xlim(), (0, 1))
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()),
                         ("number", "count / expected count"))
        self.assertIn("20,000 numbers (double) of 100 ranmar48x streams, interleaved",
                      figure._suptitle.get_text())
        for words in ("±2 standard deviations", "uniform", "numbers"):
            self.assertIn(words, texts(axes))

    def test_pairs(self):
        figure = self.draw("fill.numbers=200", "streams.count=4", "fill.type=uint32")
        _, within, across = figure.axes
        with h5py.File(self.path("out.h5")) as file:
            numbers = file["results/fill/numbers"][:].reshape(50, 4) / 2.0 ** 32
        self.assertEqual(within.lines[0].get_xdata().tolist(), numbers[:-1].ravel().tolist())
        self.assertEqual(within.lines[0].get_ydata().tolist(), numbers[1:].ravel().tolist())
        self.assertEqual(across.lines[0].get_xdata().tolist(), numbers[:, :-1].ravel().tolist())
        self.assertEqual(across.lines[0].get_ydata().tolist(), numbers[:, 1:].ravel().tolist())
        for axes, title, words, label in (
                (within, "Within streams", "196 pairs: first 50 numbers of 4 streams", "i + 1)"),
                (across, "Across streams", "150 pairs: first 50 numbers of 4 streams", "s + 1")):
            self.assertEqual(axes.get_title(loc="left"), title)
            self.assertIn(words, texts(axes))
            self.assertEqual(axes.get_xlabel(), "x(s, i) / $2^{32}$")
            self.assertIn(label, axes.get_ylabel())
            self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0, 1), (0, 1)))
            self.assertEqual(axes.get_aspect(), 1)

    def test_panels_that_would_be_empty(self):
        for deck, titles in ((["fill.numbers=500", "streams.count=1"],
                              ["Distribution", "Within streams"]),
                             (["fill.numbers=50", "streams.count=50"],
                              ["Distribution", "Across streams"]),
                             (["fill.numbers=1", "streams.count=1"], ["Distribution"])):
            with self.subTest(deck=deck):
                figure = self.draw(*deck)
                self.assertEqual([axes.get_title(loc="left") for axes in figure.axes], titles)

    def test_numbers_that_are_not_uniform(self):
        self.draw("fill.numbers=20000", "streams.count=100")
        with h5py.File(self.path("out.h5"), "r+") as file:
            file["results/fill/numbers"][:] **= 2
        axes = figures(fill, self.read(fill, "out.h5"))[""].axes[0]
        values = axes.patches[1].get_data().values
        self.assertLess(axes.get_ylim()[0], values.min())
        self.assertGreater(axes.get_ylim()[1], values.max())
        self.assertEqual(axes.patches[1].get_edgecolor()[2], int(BLUE[5:], 16) / 255)

    def test_pictures_are_written(self):
        self.draw("fill.numbers=1000", "streams.count=10")
        self.plots(["out.h5"], "out.png")
        self.draw("fill.numbers=3", "streams.count=10", "fill.order=blocked")
        self.plots(["out.h5", "-o", "few.pdf"], "few.pdf")
