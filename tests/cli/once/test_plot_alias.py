# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot draws of the alias job's results."""

import subprocess
import sys
import unittest.mock

import h5py
import numpy

import alias_tables
from plot_case import SCRIPTS, PlotCase, figures, needs_matplotlib, texts
from plotting import alias
from plotting.style import MOST_ERRORS, SILVER

ENERGY = numpy.geomspace(0.1, 100, 13)
COSINE = numpy.linspace(-1, 1, 6)


def weights():
    """Falling by six orders, so that few samples are expected in many cells; one is never drawn."""
    table = numpy.outer(numpy.geomspace(1, 1e-6, 12), 1 + numpy.arange(5))
    table[0, 0] = 0
    return table


@needs_matplotlib
class Pictures(PlotCase, alias_tables.TableFiles):
    def sampling(self, table, *more, unit="", **axes):
        deck = self.table(table, **axes)
        if unit:
            with h5py.File(self.path("table.h5"), "r+") as file:
                file["energy"].attrs["unit"] = unit
        names = [f"table.axes={','.join(axes)}"] if axes else []
        return self.made(alias, "streams.count=7", *deck, *names, *more)

    def energies(self, *more):
        return self.sampling(weights(), "alias.samples=30000", *more, unit="MeV", energy=ENERGY,
                             cosine=COSINE)

    def test_units_go_from_the_table_to_the_results(self):
        self.energies("alias.keep=coordinates")
        with h5py.File(self.path("out.h5")) as file:
            result = file["results/alias"]
            for name in ("points0", "edges0", "coordinate0"):
                self.assertEqual(result[name].attrs["unit"], "MeV", name)
            for name in ("points1", "edges1", "coordinate1"):
                self.assertNotIn("unit", result[name].attrs, name)

    def test_rows_of_few_columns_have_panels(self):
        sampling = self.energies()
        figure = figures(alias, sampling)["rows"]
        rows = alias.rows_to_draw(sampling)
        panels = [axes for axes in figure.axes if axes.get_visible()]
        self.assertEqual(len(panels), len(rows))
        named = {axes.get_title(loc="left"): axes for axes in panels}
        top = max(sampling.table.max(), sampling.frequency.max())
        for row in rows:
            axes = named[sampling.axes[0].cell(row)]
            steps, points = axes.patches[0], axes.lines[0]
            numpy.testing.assert_array_equal(steps.get_data().values, sampling.frequency[row])
            numpy.testing.assert_array_equal(points.get_ydata(), sampling.table[row])
            self.assertLess(top, axes.get_ylim()[1])
        figure.draw_without_rendering()
        boxes = [axes.get_tightbbox() for axes in panels]
        for i, one in enumerate(boxes):
            for other in boxes[:i]:
                self.assertFalse(one.overlaps(other))

    @unittest.mock.patch.object(alias, "FEW_COLUMNS", 0)
    def test_rows_are_named_by_their_edges(self):
        sampling = self.energies()
        axes = figures(alias, sampling)["rows"].axes[0]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel().split(" (")[0]),
                         ("cosine", "probability per cell"))
        self.assertEqual(axes.get_xlim(), (-1, 1))
        self.assertEqual(axes.get_xscale(), "linear")
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        self.assertEqual(labels[:3], ["table", "samples", "energy 0.10 .. 0.18 MeV"])
        self.assertEqual(labels[3], "energy 0.18 .. 0.32 MeV")
        rows = alias.rows_to_draw(sampling)
        self.assertEqual(len(labels), 2 + len(rows))
        for steps, points, row in zip(axes.patches, axes.lines, rows):
            numpy.testing.assert_array_equal(steps.get_data().values, sampling.frequency[row])
            numpy.testing.assert_array_equal(steps.get_data().edges, COSINE)
            numpy.testing.assert_allclose(points.get_xdata(), (COSINE[1:] + COSINE[:-1]) / 2)
            numpy.testing.assert_array_equal(points.get_ydata(), sampling.table[row])

    def test_maps_have_the_axes_of_the_table(self):
        sampling = self.energies()
        maps = figures(alias, sampling)["maps"]
        table, samples, residual = maps.axes[:3]
        self.assertEqual(table.get_ylabel(), "energy (MeV)")
        for axes in (table, samples, residual):
            self.assertEqual(axes.get_xlabel(), "cosine")
            self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("linear", "log"))
            numpy.testing.assert_allclose(axes.get_ylim(), (0.1, 100))
            grid = axes.collections[0].get_coordinates()
            numpy.testing.assert_allclose(grid[:, 0, 1], ENERGY)
            numpy.testing.assert_allclose(grid[0, :, 0], COSINE)
        for axes, values in ((table, sampling.table), (samples, sampling.frequency)):
            numpy.testing.assert_array_equal(axes.collections[0].get_array().ravel(),
                                             values.ravel())
        self.assertEqual(table.collections[0].get_clim(), samples.collections[0].get_clim())

    def test_deviations_are_clipped_and_pooled_cells_grey(self):
        sampling = self.energies()
        sampling.histogram[0, 1] += 3000
        expected = sampling.samples * sampling.table
        maps = figures(alias, sampling)["maps"]
        residual = maps.axes[2]
        mesh = residual.collections[0]
        self.assertEqual(mesh.get_clim(), (-MOST_ERRORS, MOST_ERRORS))
        self.assertEqual(MOST_ERRORS, 4)
        values = mesh.get_array().reshape(12, 5)
        numpy.testing.assert_array_equal(numpy.ma.getmaskarray(values), expected < 5)
        self.assertTrue(values.mask[0, 0])
        self.assertGreater(values.mask.sum(), 10)
        self.assertGreater(values[0, 1], 4)
        self.assertEqual(residual.get_facecolor()[0], int(SILVER[1:3], 16) / 255)
        self.assertIn("purple: too many; orange: too few; by chance\ngrey: fewer than 5 samples expected",
                      texts(residual))
        bar = maps.axes[5]
        known = int((expected >= 5).sum())
        beyond = int((abs(sampling.residual()) > 4).sum())
        self.assertGreater(beyond, 0)
        self.assertEqual(bar.get_xlabel(), "(samples − table) / standard error, clipped at ±4\n"
                         f"({beyond} of {known} cells beyond)")
        self.assertEqual(mesh.colorbar.extend, "both")

    def test_samples_that_may_not_be_are_no_grey(self):
        sampling = self.energies()
        sampling.histogram[0, 0] = 1
        mesh = figures(alias, sampling)["maps"].axes[2].collections[0]
        self.assertFalse(mesh.get_array().reshape(12, 5).mask[0, 0])
        self.assertGreater(mesh.get_array().reshape(12, 5)[0, 0], MOST_ERRORS)

    @unittest.mock.patch.object(alias, "FEW_COLUMNS", 0)
    def test_tables_without_axes(self):
        sampling = self.sampling(weights()[:3, 1:], "alias.samples=30000")
        drawn = figures(alias, sampling)
        self.assertEqual(drawn["rows"].axes[0].get_xlabel(), "axis1 (cell number)")
        self.assertIn("axis0 2", texts(drawn["rows"].axes[0]))
        self.assertEqual(drawn["maps"].axes[0].get_ylabel(), "axis0 (cell number)")
        self.assertEqual(drawn["maps"].axes[0].get_ylim(), (-0.5, 2.5))
        self.assertNotIn("grey", texts(drawn["maps"].axes[2]))

    def test_one_dimension(self):
        sampling = self.sampling(numpy.geomspace(1, 1e-5, 12), "alias.samples=30000", unit="MeV",
                                 energy=ENERGY)
        sampling.histogram[0, 1] += 3000
        drawn = figures(alias, sampling)
        self.assertEqual(list(drawn), [""])
        curve, deviations = drawn[""].axes
        self.assertEqual(deviations.get_xlabel(), "energy (MeV)")
        self.assertEqual((curve.get_xscale(), curve.get_yscale()), ("log", "log"))
        self.assertEqual(deviations.get_ylim(), (-4, 4))
        self.assertEqual(curve.patches[0].get_data().edges.tolist(), ENERGY.tolist())
        residual = sampling.residual()[0]
        shown = abs(residual) <= 4
        self.assertEqual(deviations.lines[1].get_ydata().tolist(), residual[shown].tolist())
        numpy.testing.assert_allclose(
            deviations.lines[1].get_xdata(), numpy.sqrt(ENERGY[1:] * ENERGY[:-1])[shown])
        self.assertEqual(deviations.lines[2].get_marker(), "^")
        self.assertEqual(deviations.lines[2].get_ydata()[0], 4)
        beyond, pooled = int((abs(residual) > 4).sum()), int(numpy.isnan(residual).sum())
        self.assertGreater(pooled, 1)
        for words in (f"triangles: {beyond} cell", f"{pooled} cells with fewer than 5 expected"):
            self.assertIn(words, deviations.get_title(loc="left"))

    def test_points(self):
        sampling = self.sampling(numpy.array([1.0, 2, 4, 3]), "alias.samples=1000", unit="cm",
                                 energy=numpy.array([1.0, 2, 4, 5]))
        curve, deviations = figures(alias, sampling)[""].axes
        self.assertEqual(curve.lines[0].get_xdata().tolist(), [1, 2, 4, 5])
        self.assertEqual(curve.get_yscale(), "linear")
        self.assertEqual(deviations.get_xlabel(), "energy (cm)")

    @unittest.mock.patch.object(alias, "FEW_COLUMNS", 0)
    def test_large_tables_are_drawn_coarser(self):
        sampling = self.sampling(1.0 + numpy.arange(1100 * 3).reshape(1100, 3),
                                 "alias.samples=30000")
        drawn = figures(alias, sampling)
        self.assertIn("drawn in blocks of 3 × 1 cells", texts(drawn["rows"].axes[0]))
        self.assertIn("axis0 1,098 .. 1,099", texts(drawn["rows"].axes[0]))
        self.assertEqual(drawn["maps"].axes[0].collections[0].get_array().size, 367 * 3)
        self.assertIn("probability per block", drawn["maps"].axes[3].get_xlabel())
        self.assertIn("blocks beyond", drawn["maps"].axes[5].get_xlabel())
        self.assertIn("probability per block", drawn["rows"].axes[0].get_ylabel())

    def test_more_dimensions(self):
        sampling = self.sampling(numpy.ones((2, 3, 4)), "alias.samples=30000")
        for figure in figures(alias, sampling).values():
            words = figure._suptitle.get_text() if figure._suptitle else texts(figure.axes[0])
            self.assertIn("30,000 samples of 2 × 3 × 4 cells; summed over axis2", words)

    def test_pictures_are_written(self):
        self.sampling(numpy.ones(1), "alias.samples=10")
        self.plots(["out.h5"], "out.png")
        self.plots(["out.h5", "-o", "a.pdf"], "a.pdf")
        self.run_ok("alias", "alias.samples=10000", "--output", "gauss.h5")
        self.plots(["gauss.h5"], "gauss_rows.png", "gauss_maps.png")
        subprocess.run([sys.executable, SCRIPTS / "make_neutron_table"], cwd=self.directory,
                       check=True, capture_output=True)
        self.run_ok(SCRIPTS.parent / "inputs" / "neutron.yaml", "alias.samples=100000")
        self.plots(["neutron_samples.h5", "-o", "n.pdf"], "n_rows.pdf", "n_maps.pdf")
        maps = figures(alias, self.read(alias, "neutron_samples.h5"))["maps"]
        self.assertEqual(maps.axes[0].get_ylabel(), "energy (MeV)")
