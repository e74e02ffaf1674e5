# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of sweeps."""

import itertools

import h5py

from plot_case import PlotCase, figures, needs_matplotlib, texts
from plotting import sweep

FETCHES, INSTANCES, PER_TEAM = (20, 333), (1, 2, 7), (1, 4)
TINY = ["sweep.numbers=5003", f"sweep.fetch={list(FETCHES)}",
        f"sweep.instances={list(INSTANCES)}", f"sweep.per_team={list(PER_TEAM)}", "sweep.call=6"]


@needs_matplotlib
class Pictures(PlotCase):
    def sweep(self, *arguments):
        self.run_ok("sweep", *TINY, *arguments, "--output", "sweep.h5")

    def test_a_picture_for_each_size_of_team(self):
        self.sweep()
        self.plots(["sweep.h5"], "sweep_1_per_team.png", "sweep_4_per_team.png")
        self.plots(["sweep.h5", "-o", "thesis.pdf"], "thesis_1_per_team.pdf",
                   "thesis_4_per_team.pdf")

    def test_one_case_is_one_picture(self):
        self.sweep("sweep.per_team=[2]", "sweep.instances=[3]", "sweep.fetch=[20]")
        self.plots(["sweep.h5"], "sweep.png")

    def test_curves(self):
        self.sweep()
        found = self.read(sweep, "sweep.h5")
        with h5py.File(self.path("sweep.h5")) as file:
            column = {name: values[:] for name, values in file["results/sweep"].items()}
        for (ending, figure), per_team in zip(figures(sweep, found).items(), PER_TEAM):
            self.assertEqual(ending, f"{per_team}_per_team")
            curves = figure.axes[0]
            lines = {(line.get_color(), line.get_linestyle()): line for line in curves.lines}
            self.assertEqual(len(lines), 2 * len(FETCHES) + 1)
            for place, (fetch, buffered) in enumerate(itertools.product(FETCHES, (0, 1))):
                chosen = ((column["fetch"] == fetch) & (column["buffered"] == buffered)
                          & (column["per_team"] == per_team))
                self.assertEqual(list(curves.lines[place].get_xdata()), list(INSTANCES))
                self.assertEqual(list(curves.lines[place].get_ydata()),
                                 column["seconds"][chosen].tolist())
                self.assertEqual(curves.lines[place].get_linestyle(), ("-", "--")[buffered])
            self.assertEqual(set(curves.lines[-1].get_ydata()), {found.sequential_seconds})

    def test_labels(self):
        self.sweep()
        found = self.read(sweep, "sweep.h5")
        for figure, title in zip(figures(sweep, found).values(), ("1 instance per", "4 instances")):
            curves, profile = figure.axes
            self.assertIn(title, curves.get_title(loc="left"))
            self.assertEqual((curves.get_xscale(), curves.get_yscale()), ("log", "log"))
            self.assertIn("instances", curves.get_xlabel())
            self.assertEqual(curves.get_ylabel(), "seconds for 5,003 numbers")
            self.assertIn("5,003 numbers in double precision; buffered calls of 6", texts(curves))
            self.assertEqual(profile.get_xlabel(), "% of the seconds")
            for buffered in (0, 1):
                bars = [bar.get_width() for bar in profile.patches][3 * buffered:][:3]
                self.assertAlmostEqual(sum(bars), 100, delta=1)
