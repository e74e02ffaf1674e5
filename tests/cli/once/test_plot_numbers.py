# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of the numbers of the fill job and of the correlate job's results."""

import h5py
import numpy

from plot_case import PlotCase, figures, heights, needs_matplotlib, texts
from plotting import correlate, fill
from plotting.style import BLUE, INK


@needs_matplotlib
class Correlate(PlotCase):
    def correlate(self, name, numbers, *more):
        return self.made(correlate, f"correlate.numbers={numbers}", "correlate.lags=50",
                         "streams.count=8", *more, name=name)

    def bands(self, axes):
        """Height of each dashed or dotted line, and its colour."""
        return {line.get_ydata()[0]: line.get_color() for line in axes.lines
                if line.get_linestyle() in ("--", ":")}

    def test_one_file(self):
        found = self.correlate("a", 20000)
        axes = figures(correlate, found)[""].axes[0]
        self.assertEqual(axes.lines[0].get_xdata().tolist(), list(range(51)))
        self.assertEqual(axes.lines[0].get_ydata()[0], 1)
        sizes = abs(found.correlation)
        self.assertLess(abs(axes.lines[0].get_ydata() - sizes).max(), found.band / 20)
        self.assertEqual(axes.get_yscale(), "log")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("lag m", "$|C_m / C_0|$"))
        self.assertEqual(axes.get_title(loc="left"), "Autocorrelation")
        self.assertAlmostEqual(heights(axes.patches[0]).max(), found.band)
        self.assertAlmostEqual(found.band, 2.5758 / 20000 ** 0.5, places=6)
        self.assertIn("lies in the shade, below 0.018", texts(axes))
        self.assertIn("dcmt521, N = 20,000: ", texts(axes))
        self.assertIn("of 50 lags above", texts(axes))

    def test_a_merged_file_is_drawn_as_one_of_a_single_run(self):
        single = self.correlate("a", 20000)
        for first in (0, 5):
            self.correlate(first, 20000, f"streams.first={first}", "streams.of=8",
                           f"streams.count={3 if first else 5}")
        self.run_ok("merge", "5.h5", "0.h5", "--output", "a.h5")
        merged = self.read(correlate, "a.h5")
        self.assertEqual(merged.correlation.tolist(), single.correlation.tolist())
        self.plots(["a.h5"], "a.png")

    def test_as_many_numbers_share_a_band(self):
        both = [self.correlate(name, 20000, f"streams.seed={seed}")
                for seed, name in enumerate("ab")]
        axes = figures(correlate, *both)[""].axes[0]
        self.assertEqual(self.bands(axes), {})
        self.assertEqual(len(axes.patches), 1)
        self.assertIn("dcmt521 (a), N = 20,000: ", texts(axes))
        self.assertIn("dcmt521 (b), N = 20,000: ", texts(axes))

    def test_other_numbers_of_numbers_have_bands_of_their_own(self):
        few, many = self.correlate("a", 20000), self.correlate("b", 500000)
        axes = figures(correlate, few, many)[""].axes[0]
        self.assertEqual(len(axes.patches), 0)
        self.assertEqual(self.bands(axes),
                         {one.band: line.get_color() for one, line in zip((few, many), axes.lines)})
        self.assertEqual(axes.lines[0].get_color(), BLUE)
        for words in ("dcmt521 (a), N = 20,000: ", "dcmt521 (b), N = 500,000: ",
                      "N = 20,000: 99 % below 0.018", "N = 500,000: 99 % below 0.0036",
                      "99 % of white noise of N numbers lies below the line for N"):
            self.assertIn(words, texts(axes))
        self.assertNotIn("shade", texts(axes))
        third = self.correlate("c", 20000, "streams.seed=5")
        axes = figures(correlate, few, many, third)[""].axes[0]
        self.assertEqual(self.bands(axes)[few.band], INK)
        self.assertEqual(len(self.bands(axes)), 2)
        fourth = self.correlate("d", 500000, "streams.seed=5")
        axes = figures(correlate, few, many, third, fourth)[""].axes[0]
        self.assertEqual([line.get_linestyle() for line in axes.lines[4:]], ["--", ":"])

    def test_streams_with_the_next(self):
        across = self.correlate("a", 20000, "correlate.across=next")
        axes = figures(correlate, across)[""].axes[0]
        self.assertEqual(axes.get_title(loc="left"), "Correlation of streams with the next")
        self.assertIn("of 51 lags above", texts(axes))
        axes = figures(correlate, across, self.correlate("b", 20000))[""].axes[0]
        self.assertEqual(axes.get_title(loc="left"), "Correlation within and across streams")
        self.assertIn("dcmt521 (a), next stream, N = 20,000: ", texts(axes))
        self.assertIn("dcmt521 (b), same stream, N = 20,000: ", texts(axes))

    def test_many_lags(self):
        found = self.correlate("a", 20000, "correlate.lags=2300")
        axes = figures(correlate, found)[""].axes[0]
        self.assertEqual(len(axes.lines[0].get_xdata()), correlate.MOST_POINTS)
        self.assertEqual(axes.get_xlabel(), "lag m (the largest of each 2 lags)")

    def test_pictures_are_written(self):
        self.correlate("a", 20000)
        self.correlate("b", 1000, "correlate.lags=0", "streams.generator=ranmar48")
        self.plots(["a.h5"], "a.png")
        self.plots(["b.h5"], "b.png")
        self.plots(["a.h5", "b.h5"], "correlation.png")


@needs_matplotlib
class Fill(PlotCase):
    def draw(self, *deck):
        return figures(fill, self.made(fill, "fill.to=file", "streams.generator=ranmar48x", *deck))[""]

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
        band = heights(axes.patches[0])
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
