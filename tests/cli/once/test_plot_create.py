# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of parameter files, which the create job writes."""

import h5py

from plot_case import PlotCase, figures, needs_matplotlib, texts
from plotting import create


@needs_matplotlib
class Pictures(PlotCase):
    def draw(self, *deck):
        self.run_ok("create", *deck, "--output", "sets.h5")
        with h5py.File(self.path("sets.h5")) as file:
            return figures(create, self.read(create, "sets.h5"))[""], file["k"][:].astype(int)

    def test_dimensions_and_defects(self):
        figure, k = self.draw("create.count=5", "create.first_id=7", "create.exponent=607")
        self.assertIn("5 parameter sets of dcmt607", figure._suptitle.get_text())
        self.assertIn("ids 7 .. 11, seed 20261120, hashed", figure._suptitle.get_text())
        dimensions, defects, totals = figure.axes
        bounds = [607 // v for v in range(1, 33)]
        mean, bound = dimensions.lines
        self.assertEqual(list(bound.get_xdata()), list(range(1, 33)))
        self.assertEqual(list(bound.get_ydata()), bounds)
        self.assertEqual(list(mean.get_ydata()), k.mean(axis=0).tolist())
        self.assertEqual(dimensions.get_yscale(), "log")
        self.assertEqual(dimensions.get_ylabel(), "dimensions k(v)")
        self.assertIn("bound, ⌊607 / v⌋", texts(dimensions))
        self.assertEqual(list(defects.lines[0].get_ydata()), (bounds - k).mean(axis=0).tolist())
        shade = defects.collections[0].get_paths()[0].vertices[:, 1]
        self.assertEqual(shade.max(), (bounds - k).max())
        self.assertEqual(defects.get_xlabel(), "leading bits v")
        self.assertEqual(defects.get_ylabel(), "defect ⌊p / v⌋ − k(v)")
        sums = (bounds - k).sum(axis=1)
        self.assertIn(f"mean {sums.mean():.1f}, least {sums.min()}, greatest {sums.max()}",
                      texts(totals))
        self.assertEqual(sum(bar.get_height() for bar in totals.patches), 5)
        self.assertEqual(totals.lines[0].get_xdata()[0], sums.mean())
        self.assertEqual(totals.get_xlabel(), "sum over v of the defects (dimensions)")

    def test_pictures_are_written(self):
        figure, _ = self.draw("create.count=1", "create.first_id=3")
        self.assertIn("1 parameter set of dcmt521", figure._suptitle.get_text())
        self.assertIn("id 3, seed", figure._suptitle.get_text())
        self.plots(["sets.h5"], "sets.png")
