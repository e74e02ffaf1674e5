# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of runs of the pi, create, occlusion and battery jobs and of a sweep, and how it ends."""

import itertools
import json
import math
import subprocess
import sys

import h5py
import numpy

import rivulet_cli
from plot_case import MESSAGE, SCRIPT, PlotCase, figures, needs_matplotlib, text_boxes, texts
from common.failure import ScriptError
from plotting import battery, create, occlusion, pi, sweep
from plotting.style import BLUE, ORANGE, PALE_BLUE, VERMILION

FETCHES, INSTANCES, PER_TEAM = (20, 333), (1, 2, 7), (1, 4)
SIZE = ["occlusion.width=32", "occlusion.height=18"]


@needs_matplotlib
class Pi(PlotCase):
    def run_pi(self, points):
        return self.made(pi, f"pi.points={points}", "streams.count=64", name=points)

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

    def test_the_legend_is_off_the_axes_and_within_the_picture(self):
        """With one batch, few and many."""
        for points in (2, 1000, 10000000):
            with self.subTest(points=points):
                figure = figures(pi, self.run_pi(points))[""]
                axes = figure.axes[0]
                legend, label = axes.get_legend(), axes.xaxis.label.get_window_extent()
                box = legend.get_window_extent()
                self.assertEqual([text.get_text() for text in legend.get_texts()],
                                 ["estimate so far", "± 1 standard error", "± 2 standard errors", "π = 3.14159265…"])
                for other in (axes.get_window_extent(), label):
                    self.assertFalse(box.overlaps(other), (box, other))
                self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0, box)

    def test_ticks_have_the_digits_that_they_need(self):
        run = self.run_pi(200000)
        axes = figures(pi, run)[""].axes[0]
        written = axes.yaxis.get_major_formatter().format_ticks(axes.get_yticks())
        self.assertEqual([float(one) for one in written], [round(one, 12) for one in axes.get_yticks()])
        self.assertTrue(any(not one.endswith("0") for one in written), written)
        for short, expected in (((100, 150), {"100", "200"}), ((100000, 300000), {"$2 \\times 10^{5}$", "$10^{5}$"})):
            axes = figures(pi, *(self.run_pi(points) for points in short))[""].axes[0]
            self.assertLessEqual(expected, set(axes.xaxis.get_major_formatter().format_ticks(axes.get_xticks())))

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


@needs_matplotlib
class Sweep(PlotCase):
    def sweep(self, per_team=PER_TEAM, instances=INSTANCES, fetches=FETCHES, interfaces=(0, 1), **changes):
        """Writes a table; what it holds."""
        grid = itertools.product(per_team, fetches, instances, interfaces)
        rows = [{"per_team": team, "fetch": fetch, "instances": some, "buffered": buffered,
                 "seconds": 1 + 0.1 * place, "kernel": 0.5, "transfer": 0.25}
                for place, (team, fetch, some, buffered) in enumerate(grid)]
        table = {"numbers": 5003, "call": 6, "machine": "OpenMP, one core", "repetitions": 5,
                 "sequential_seconds": 3.5, "rows": rows, **changes}
        self.write("sweep.json", json.dumps(table))
        return rows

    def test_a_picture_for_each_size_of_team(self):
        self.sweep()
        self.plots(["sweep.json"], "sweep_1_per_team.png", "sweep_4_per_team.png")
        self.plots(["sweep.json", "-o", "thesis.pdf"], "thesis_1_per_team.pdf", "thesis_4_per_team.pdf")

    def test_one_case_is_one_picture(self):
        self.sweep(per_team=[2], instances=[3], fetches=[20])
        self.plots(["sweep.json"], "sweep.png")

    def test_curves_and_labels(self):
        rows = self.sweep()
        found = sweep.read([self.path("sweep.json")])
        for (ending, figure), per_team, title in zip(figures(sweep, found).items(), PER_TEAM,
                                                     ("1 instance per", "4 instances")):
            self.assertEqual(ending, f"{per_team}_per_team")
            curves, profile = figure.axes
            self.assertEqual(len(curves.lines), 2 * len(FETCHES) + 1)
            for line, (fetch, buffered) in zip(curves.lines, itertools.product(FETCHES, (0, 1))):
                self.assertEqual(list(line.get_xdata()), list(INSTANCES))
                self.assertEqual(list(line.get_ydata()), [
                    row["seconds"] for row in rows
                    if (row["per_team"], row["fetch"], row["buffered"]) == (per_team, fetch, buffered)])
                self.assertEqual(line.get_linestyle(), ("-", "--")[buffered])
            self.assertEqual(set(curves.lines[-1].get_ydata()), {3.5})
            self.assertIn(title, curves.get_title(loc="left"))
            self.assertEqual(curves.get_ylabel(), "seconds for 5,003 numbers")
            self.assertEqual(curves.texts[0].get_text(), "5,003 numbers in double precision; buffered calls of 6; "
                             "OpenMP, one core; medians of 5")
            for buffered in (0, 1):
                bars = [bar.get_width() for bar in profile.patches][3 * buffered:][:3]
                self.assertAlmostEqual(sum(bars), 100)

    def test_what_is_no_table(self):
        def refuse(phrase, *names):
            with self.assertRaises(ScriptError) as caught:
                sweep.read([self.path(name) for name in names])
            self.assertRegex(str(caught.exception), MESSAGE)
            self.assertIn(phrase, str(caught.exception))

        refuse("(No such file or directory)", "none.json")
        self.sweep()
        refuse("of one table", "sweep.json", "other.json")
        for changes, phrase in (({"interfaces": [1]}, "of 1 per team it lacks buffered or unbuffered cases"),
                                ({"calls": 5}, "no such table"), ({"rows": [{"fetch": 1}]}, "no such table")):
            self.sweep(**changes)
            refuse(phrase, "sweep.json")
        self.write("sweep.json", "text")
        refuse("no such table", "sweep.json")


@needs_matplotlib
class Create(PlotCase):
    def draw(self, *deck):
        sets = self.made(create, *deck, name="sets")
        with h5py.File(self.path("sets.h5")) as file:
            return figures(create, sets)[""], file["k"][:].astype(int)

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


@needs_matplotlib
class Occlusion(PlotCase):
    def render(self, *more):
        return self.made(occlusion, *SIZE, *more, name="a")

    def test_four_side_by_side(self):
        found = self.render("occlusion.passes=[1, 2, 4, 8]")
        drawn = figures(occlusion, found)
        self.assertEqual(list(drawn), ["", "error"])
        *parts, bar = drawn[""].axes
        self.assertEqual(bar.get_ylabel(), "share of rays that meet nothing")
        self.assertEqual([one.get_title(loc="left").partition(",")[0] for one in parts],
                         ["1 pass", "2 passes", "4 passes", "8 passes"])
        with h5py.File(self.path("a.h5")) as file:
            counts = file["results/occlusion/open_4"][:]
        shown = parts[2].images[0]
        self.assertTrue((numpy.asarray(shown.get_array()) == counts / 16).all())
        self.assertEqual(shown.get_clim(), (0, 1))

    def test_errors_and_the_slope(self):
        found = self.render("occlusion.passes=[1, 4, 64]", "occlusion.numbers=on_demand")
        axes = figures(occlusion, found)["error"].axes[0]
        line, points = axes.lines
        self.assertEqual(points.get_xdata().tolist(), [1, 4, 64])
        self.assertEqual(points.get_ydata().tolist(), found.errors)
        self.assertAlmostEqual(line.get_ydata()[2], found.errors[0] / 8)
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertIn("dcmt521, numbers on demand", texts(axes))
        self.assertIn("576 pixels", texts(axes))

    def test_of_many_the_first_and_last_are_among_those_drawn(self):
        found = self.render("occlusion.passes=[1, 2, 3, 4, 5, 6, 7]")
        titles = [one.get_title(loc="left") for one in figures(occlusion, found)[""].axes[:-1]]
        self.assertEqual([one.partition(" ")[0] for one in titles], ["1", "3", "5", "7"])

    def test_three_are_in_a_row(self):
        found = self.render("occlusion.passes=[1, 2, 3]")
        places = [one.get_subplotspec().rowspan.start for one in figures(occlusion, found)[""].axes[:-1]]
        self.assertEqual(places, [0, 0, 0])

    def test_one_picture_has_no_error(self):
        found = self.render("occlusion.passes=[3]")
        drawn = figures(occlusion, found)
        self.assertEqual(list(drawn), [""])
        self.assertEqual(drawn[""].axes[0].get_title(loc="left"), "3 passes")

    def test_pictures_are_written(self):
        self.render("occlusion.passes=[1, 2, 4]")
        self.plots(["a.h5"], "a.png", "a_error.png")

    def test_a_merged_picture(self):
        for first, count in ((0, 100), (100, 476)):
            self.run_ok("occlusion", *SIZE, f"streams.first={first}", f"streams.count={count}",
                        "streams.of=576", "--output", f"{first}.h5")
        self.run_ok("merge", "100.h5", "0.h5", "--output", "a.h5")
        self.plots(["a.h5"], "a.png", "a_error.png")


@needs_matplotlib
class Battery(PlotCase):
    def draw(self, *deck):
        """The axes of a run's picture, what is drawn, and what the job says which p-values fail."""
        rivulet_cli.run("battery", *deck, "--output", "out.h5", cwd=self.directory)
        found = self.read(battery, "out.h5")
        with h5py.File(self.path("out.h5")) as file:
            return figures(battery, found)[""], found, file["results/battery"].attrs["failed"]

    def draw_values(self, p, several=1):
        """The axes of a picture of these p-values, `several` of each test."""
        tests = [f"big.{i + 1} AppearanceSpacings" for i in range(len(p) // several)]
        found = battery.Battery("a.bin", 10**9, tests, numpy.arange(len(p)) // several, numpy.array(p))
        return figures(battery, found)[""]

    def points(self, axes):
        """[place, height, colour] of the points, those drawn at the upper or the lower edge by their labels."""
        from matplotlib.colors import to_hex  # pylint: disable=import-outside-toplevel
        found = {}
        for one in axes.collections:
            label = one.get_label() if str(one.get_label()).endswith("at the edge") else ""
            found[label] = found.get(label, []) + [
                [*at, to_hex(colour).upper()] for at, colour in zip(one.get_offsets(), one.get_facecolor())]
        return found

    def bold(self, axes):
        return [text.get_text() for text in axes.texts if text.get_weight() == "bold"]

    def test_a_stream_that_fails(self):
        figure, found, failed = self.draw("streams.generator=lfsr113", "streams.count=1",
                                          "battery.tests=small.8 crush.71 small.2")
        each, together = figure.axes
        self.assertEqual(failed, "crush.71 LinearComp jumps")
        self.assertEqual(self.bold(each), ["crush.71 LinearComp"])
        self.assertEqual(self.points(each), {
            "": [[place, battery.height(found.p[place]), BLUE] for place in (0, 2, 3)],
            "1 − p < $10^{-16}$, at the edge": [[1, battery.height(1), VERMILION]]})
        self.assertEqual("TestU01's tests of 1 stream of lfsr113: 4 p-values, "
                         r"$1.7 \times 10^{7}$ words", figure._suptitle.get_text())
        for words in ("p-values by test", "1 fail, 0 suspicious", "small.8 MatrixRank", "small.2 Collision"):
            self.assertIn(words, texts(each))
        for words in ("suspicious: p or 1 − p < $10^{-4}$", "1 − p < $10^{-16}$, at the edge",
                      r"fails: p or 1 − p < $1.3 \times 10^{-11}$", "99 % of uniform p-values"):
            self.assertIn(words, texts(together))
        self.assertEqual(together.lines[0].get_xdata().tolist(), [0, *sorted(found.p), 1])
        self.assertEqual(together.lines[0].get_ydata().tolist(), [0, 0.25, 0.5, 0.75, 1, 1])
        self.assertEqual((together.get_xlabel(), together.get_ylabel()),
                         ("p-value p", "share of p-values up to p"))

    def test_words_from_outside(self):
        numpy.arange(7200000 // 32, dtype="<u4").repeat(32).tofile(self.directory / "$a$.bin")
        figure, _, failed = self.draw("battery.tests=small.8", "battery.source=$a$.bin")
        self.assertEqual(failed, "small.8 MatrixRank")
        self.assertIn(r"tests of \$a\$.bin: 1 p-value, ", figure._suptitle.get_text())
        self.plots(["out.h5"], "out.png")

    def test_limits(self):
        """Both ends of each; beyond them points have the line's colour."""
        p = numpy.full(50, 0.5)
        p[[3, 5, 7]] = 0.9e-4, 1.1e-4, 1 - 0.9e-4
        p[[13, 15, 17]] = 0.9e-12, 1.1e-12, 1 - 0.9e-12
        p[[20, 21]] = 0, 0.9e-16
        each = self.draw_values(p).axes[0]
        lines = {line.get_ydata()[0]: line.get_color() for line in each.lines}
        self.assertEqual(lines, {battery.height(1e-4): ORANGE, battery.height(1 - 1e-4): ORANGE,
                                 battery.height(1e-12): VERMILION, battery.height(1 - 1e-12): VERMILION})
        self.assertAlmostEqual(battery.height(1e-4), 3.719, places=3)
        self.assertAlmostEqual(battery.height(0.9), -1.2816, places=3)
        points = self.points(each)
        self.assertEqual({place for place, _, colour in points[""] if colour == ORANGE}, {3, 7, 15})
        self.assertEqual({place for place, _, colour in points[""] if colour == VERMILION}, {13, 17})
        self.assertEqual(points["p < $10^{-16}$, at the edge"],
                         [[place, battery.height(1e-16), VERMILION] for place in (20, 21)])
        self.assertIn("4 fail, 3 suspicious", texts(each))
        self.assertEqual(self.bold(each), [f"big.{place + 1} AppearanceSpacings"
                                           for place in (3, 7, 13, 15, 17, 20, 21)])
        low, high = each.get_ylim()
        self.assertTrue(low < -battery.height(1e-16) and battery.height(1e-16) < high)

    def test_the_band(self):
        """Kolmogorov's 99 % of 10 and of 100 p-values are 0.4889 and 0.1608."""
        for number, half in ((10, 0.4889), (100, 0.1608)):
            together = self.draw_values(numpy.full(number, 0.5)).axes[1]
            edges = together.collections[0].get_paths()[0].vertices
            self.assertAlmostEqual(edges[edges[:, 0] == 0][:, 1].max(), half, delta=0.002)
            self.assertAlmostEqual(edges[edges[:, 0] == 1][:, 1].min(), 1 - half, delta=0.002)

    def test_texts_do_not_overlap(self):
        """Nor leave the picture, with one p-value or many, of which none, some side by side, or all fail."""
        some = numpy.full(160, 0.3)
        some[:4], some[80:88], some[150:] = 1, 1e-5, 0
        for p in ([0.3], [0], numpy.full(15, 0.3), some, numpy.full(160, 0.3), numpy.zeros(160)):
            with self.subTest(number=len(p), sum=sum(p)):
                figure = self.draw_values(p, several=2 if len(p) > 15 else 1)
                boxes, place = text_boxes(figure), figure.axes[0].get_position()
                for (text, _), box in boxes.items():
                    if text.startswith("big."):
                        self.assertTrue(place.x0 <= box.x0 and box.x1 <= place.x1, text)
                    self.assertTrue(0 <= box.x0 and box.x1 <= 1 and 0 <= box.y0 and box.y1 <= 1, text)
                for (one, first), (other, second) in itertools.combinations(boxes.items(), 2):
                    self.assertFalse(first.overlaps(second), (one, other))
