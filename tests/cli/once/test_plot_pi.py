# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of runs of the pi job, and how it ends."""

import math
import subprocess
import sys

from plot_case import SCRIPT, PlotCase, figures, needs_matplotlib, texts
from plotting import pi
from plotting.style import BLUE, PALE_BLUE


@needs_matplotlib
class Pictures(PlotCase):
    def run_pi(self, points, *more):
        self.run_ok("pi", f"pi.points={points}", "streams.count=64", *more, "--output",
                    f"{points}.h5")
        return self.read(pi, f"{points}.h5")

    def test_one_run(self):
        run = self.run_pi(200000)
        axes = figures(pi, run)[""].axes[0]
        points, estimates, errors = pi.running_estimate(run)
        self.assertEqual(list(axes.lines[0].get_xdata()), points)
        self.assertEqual(list(axes.lines[0].get_ydata()), estimates)
        self.assertEqual(axes.lines[0].get_color(), BLUE)
        self.assertEqual(set(axes.lines[1].get_ydata()), {math.pi})
        self.assertEqual(axes.get_xscale(), "log")
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("points N", "estimate of π"))
        self.assertIn("200,000 points from 64 dcmt521 streams (packed, centred)", texts(axes))
        outer, inner = axes.collections
        self.assertEqual(outer.get_label(), "± 2 standard errors")
        self.assertEqual(inner.get_label(), "± 1 standard error")
        self.assertEqual(outer.get_facecolor()[0][2], int(PALE_BLUE[5:], 16) / 255)
        ends = outer.get_paths()[0].vertices[:, 1]
        self.assertAlmostEqual(ends.max(), max(e + 2 * s for e, s in zip(estimates, errors)))
        self.assertAlmostEqual(ends.min(), min(e - 2 * s for e, s in zip(estimates, errors)))

    def test_several_runs(self):
        runs = [self.run_pi(points) for points in (100, 10007, 1000003)]
        axes = figures(pi, *runs)[""].axes[0]
        line, dots = axes.lines
        for n, error in zip(line.get_xdata(), line.get_ydata()):
            self.assertEqual(error, pi.expected_error(n))
        self.assertEqual(list(dots.get_xdata()), [100, 10007, 1000003])
        self.assertEqual(list(dots.get_ydata()), [abs(run.estimate - math.pi) for run in runs])
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertEqual(axes.get_ylabel(), "|estimate − π|")
        self.assertIn("3 runs", texts(axes))

    def test_pictures_are_written(self):
        files = [run.path for run in (self.run_pi(1000), self.run_pi(10007))]
        self.plots(["1000.h5"], "1000.png")
        self.plots(["1000.h5", "-o", "one.pdf"], "one.pdf")
        self.plots(["1000.h5", "-o", "two"], "two.png")
        self.plots([*files], "convergence.png")

    def test_a_single_batch_without_a_spread(self):
        self.run_ok("pi", "pi.points=2", "streams.count=2", "--output", "two.h5")
        self.plots(["two.h5"], "two.png")

    def test_how_it_fails(self):
        self.run_pi(1000)
        for arguments, words in [(["none.h5"], ["none.h5", "no such file"]),
                                 (["1000.h5", "-o", "no/such/folder.png"], ["folder.png", "-o"]),
                                 (["."], ["cannot read '.' (it is a folder)"]),
                                 (["1000.h5", "-o", "."], ["cannot write '.' (it is a folder)", "such as 1000.png"]),
                                 (["1000.h5", "-o", ".."], ["cannot write '..' (it is a folder)"]),
                                 (["1000.h5", "-o", "picture.xyz"], ["picture.xyz", "-o"])]:
            with self.subTest(arguments=arguments):
                done = subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.directory,
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertTrue(done.stderr.startswith("scripts/plot: cannot "), done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
        self.assertEqual(self.files(), ["1000.h5"])
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, SCRIPT, "1000.h5"], cwd=self.directory, stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
        self.assertIn("cannot write to standard output (No space left on device)", done.stderr)
