# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of the occlusion job's results."""

import h5py
import numpy

from plot_case import PlotCase, figures, needs_matplotlib, texts
from plotting import occlusion


class OcclusionCase(PlotCase):
    def render(self, name, *more):
        self.run_ok("occlusion", "occlusion.width=32", "occlusion.height=18", *more, "--output",
                    f"{name}.h5")
        return self.read(occlusion, f"{name}.h5")


@needs_matplotlib
class Pictures(OcclusionCase):
    def test_four_side_by_side(self):
        found = self.render("a", "occlusion.passes=[1, 2, 4, 8]")
        drawn = figures(occlusion, found)
        self.assertEqual(list(drawn), ["", "error"])
        parts = drawn[""].axes
        self.assertEqual([one.get_title(loc="left").partition(",")[0] for one in parts],
                         ["1 pass", "2 passes", "4 passes", "8 passes"])
        with h5py.File(self.path("a.h5")) as file:
            counts = file["results/occlusion/open_4"][:]
        shown = parts[2].images[0]
        self.assertTrue((numpy.asarray(shown.get_array()) == counts / 16).all())
        self.assertEqual(shown.get_clim(), (0, 1))

    def test_errors_and_the_slope(self):
        found = self.render("a", "occlusion.passes=[1, 4, 64]", "occlusion.numbers=reserved")
        axes = figures(occlusion, found)["error"].axes[0]
        line, points = axes.lines
        self.assertEqual(points.get_xdata().tolist(), [1, 4, 64])
        self.assertEqual(points.get_ydata().tolist(), found.errors)
        self.assertAlmostEqual(line.get_ydata()[2], found.errors[0] / 8)
        self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
        self.assertIn("dcmt521, numbers reserved", texts(axes))
        self.assertIn("576 pixels", texts(axes))

    def test_of_many_the_first_and_last_are_among_those_drawn(self):
        found = self.render("a", "occlusion.passes=[1, 2, 3, 4, 5, 6, 7]")
        titles = [one.get_title(loc="left") for one in figures(occlusion, found)[""].axes]
        self.assertEqual([one.partition(" ")[0] for one in titles], ["1", "3", "5", "7"])

    def test_one_picture_has_no_error(self):
        found = self.render("a", "occlusion.passes=[3]")
        drawn = figures(occlusion, found)
        self.assertEqual(list(drawn), [""])
        self.assertEqual(drawn[""].axes[0].get_title(loc="left"), "3 passes")

    def test_pictures_are_written(self):
        self.render("a", "occlusion.passes=[1, 2, 4]")
        self.plots(["a.h5"], "a.png", "a_error.png")

    def test_a_merged_picture(self):
        for first, count in ((0, 100), (100, 476)):
            self.run_ok("occlusion", "occlusion.width=32", "occlusion.height=18",
                        f"streams.first={first}", f"streams.count={count}", "streams.of=576",
                        "--output", f"{first}.h5")
        self.run_ok("merge", "100.h5", "0.h5", "--output", "a.h5")
        self.plots(["a.h5"], "a.png", "a_error.png")


class Refused(OcclusionCase):
    def test_a_part_of_a_picture(self):
        self.run_ok("occlusion", "occlusion.width=32", "occlusion.height=18", "streams.first=100",
                    "streams.of=576", "streams.count=400", "--output", "a.h5")
        self.refuses(["pixels 100 to 499 of 576", "`rivulet merge`"], "a.h5")

    def damage(self, change):
        self.render("a", "occlusion.passes=[1, 2, 4]")
        with h5py.File(self.path("a.h5"), "r+") as file:
            change(file["results/occlusion"])

    def test_pictures_of_another_size(self):
        self.damage(lambda group: group.attrs.modify("width", 31))
        self.refuses(["damaged", "open_1 is not of 31 x 18 pixels"], "a.h5")

    def test_more_rays_than_there_were(self):
        def change(group):
            group["open_2"][0, 0] = 9
        self.damage(change)
        self.refuses(["damaged", "open_2 counts more rays"], "a.h5")

    def test_a_picture_that_is_not_there(self):
        def change(group):
            del group["open_4"]
        self.damage(change)
        self.refuses(["incomplete", "open_4"], "a.h5")
