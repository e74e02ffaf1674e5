# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/plot makes of results files before it draws: numbers that are known otherwise."""

import math
import unittest

import h5py
import numpy

import alias_tables
from plot_case import PlotCase, figures
from plotting import alias, alias_sampling, axis, correlate, create, fill, pi


class Pi(PlotCase):
    def run_pi(self, points):
        return self.made(pi, f"pi.points={points}", "streams.count=64", name=points)

    def test_running_estimate_is_the_files(self):
        run = self.run_pi(1000003)
        points, estimates, errors = pi.running_estimate(run)
        with h5py.File(self.path("1000003.h5")) as file:
            result = file["results/pi"]
            self.assertEqual(points, result["running_points"][:].tolist())
            expected = 4 * result["running_hits"][:] / result["running_points"][:]
            self.assertEqual(estimates, expected.tolist())
            self.assertEqual(estimates[-1], result.attrs["pi"])
            self.assertAlmostEqual(errors[-1], result.attrs["standard_error"], places=15)
            self.assertEqual(run.streams, 64)
            self.assertEqual(run.kind, "packed, centred")

    def test_convergence_is_the_files(self):
        runs = [self.run_pi(points) for points in (1000003, 10007, 500)]
        points, distances = pi.convergence(runs)["packed, centred"]
        self.assertEqual(points, [500, 10007, 1000003])
        for n, distance in zip(points, distances):
            with h5py.File(self.path(f"{n}.h5")) as file:
                self.assertEqual(distance, abs(file["results/pi"].attrs["pi"] - math.pi))

    def test_a_deck_that_is_not_utf_8(self):
        """File names may have any bytes."""
        run = self.run_pi(500)
        with h5py.File(self.path("500.h5"), "r+") as file:
            deck = file["config/deck"][()]
            del file["config/deck"]
            file["config/deck"] = numpy.bytes_(deck + b"# mesure_\xe9.h5")
        self.assertEqual(self.read(pi, "500.h5").kind, run.kind)

    def test_expected_error(self):
        self.assertAlmostEqual(pi.expected_error(1e10), 1.6422e-5, delta=1e-9)

    def test_rounding_to_the_error(self):
        self.assertEqual(pi.round_to_error(3.1415740524, 1.6422e-5), "3.141574 ± 0.000016")
        self.assertEqual(pi.round_to_error(4.0, 0.0), "4.0")

    def test_title_says_on_which_side_of_pi(self):
        def title(hits):
            return pi.title_of(pi.Run("", 10**6, hits, [], [], "", 1, ""))

        self.assertEqual(title(785808), "π ≈ 3.1432 ± 0.0016   (1.0 standard errors high)")
        self.assertEqual(title(784988), "π ≈ 3.1400 ± 0.0016   (1.0 standard errors low)")
        self.assertEqual(title(10**6), "π ≈ 4.0")


class Axes(unittest.TestCase):
    def read(self, cells, name="energy", unit=None, **stored):
        with h5py.File("memory", "w", driver="core", backing_store=False) as file:
            for kind, values in stored.items():
                file[f"{kind}0"] = numpy.array(values, dtype="f8")
                if unit:
                    file[f"{kind}0"].attrs["unit"] = unit
            return axis.read_axis(file, 0, name, cells)

    def test_edges(self):
        found = self.read(3, unit="MeV", edges=[0, 1.2, 1.5, 3], points=[0.6, 1.35, 2.25])
        self.assertEqual(found.label, "energy (MeV)")
        self.assertEqual(found.cell(1), "energy 1.2 .. 1.5 MeV")
        self.assertEqual(found.cell(2), "energy 1.5 .. 3.0 MeV")
        self.assertEqual(found.edges.tolist(), [0, 1.2, 1.5, 3])
        self.assertEqual(found.places.tolist(), [0.6, 1.35, 2.25])
        self.assertFalse(found.is_log)

    def test_logarithmic_edges(self):
        edges = numpy.geomspace(1e-3, 20, 301)
        found = self.read(300, edges=edges)
        self.assertTrue(found.is_log)
        numpy.testing.assert_allclose(found.places, numpy.sqrt(edges[1:] * edges[:-1]))
        self.assertEqual(found.cell(0), "energy 0.00100 .. 0.00103")
        for other in (numpy.linspace(1, 20, 301), numpy.linspace(1e-3, 20, 301),
                      numpy.geomspace(1, 9, 301), numpy.append(0, numpy.geomspace(1e-3, 20, 300))):
            self.assertFalse(self.read(300, edges=other).is_log)

    def test_points(self):
        found = self.read(4, unit="cm", points=[1, 2, 4, 5])
        self.assertEqual(found.edges.tolist(), [0.5, 1.5, 3, 4.5, 5.5])
        self.assertEqual(found.cell(2), "energy = 4 cm")
        logarithmic = self.read(3, points=[1, 10, 100])
        self.assertTrue(logarithmic.is_log)
        numpy.testing.assert_allclose(logarithmic.edges, 10 ** numpy.array([-0.5, 0.5, 1.5, 2.5]))
        self.assertEqual(self.read(3, points=[5, 3, 1]).edges.tolist(), [6, 4, 2, 0])
        self.assertEqual(self.read(1, points=[7]).edges.tolist(), [6.5, 7.5])

    def test_cell_numbers(self):
        for found in (self.read(3, name="row"), self.read(3, name="row", points=[1, 5, 2])):
            self.assertEqual(found.label, "row (cell number)")
            self.assertEqual(found.edges.tolist(), [-0.5, 0.5, 1.5, 2.5])
            self.assertEqual(found.cell(2), "row 2")
        self.assertEqual(axis.cell_numbers("row", 5).coarser(2).cell(1), "row 2 .. 3")
        self.assertEqual(axis.cell_numbers("row", 5).coarser(2).cell(2), "row 4")

    def test_coarser(self):
        found = self.read(5, edges=[1, 10, 100, 1000, 1e4, 1e5]).coarser(2)
        self.assertEqual(found.edges.tolist(), [1, 100, 1e4, 1e5])
        numpy.testing.assert_allclose(found.places, [10, 1000, 10 ** 4.5])
        self.assertEqual(found.cell(1), "energy 100 .. 10000")

    def test_digits(self):
        for values, width, expected in (
                ([0.87, 0.8999], 0.03, ["0.87", "0.90"]), ([1.0, 2.0], 1, ["1", "2"]),
                ([-1.0, -0.96875], 0.03125, ["-1.00", "-0.97"]),
                ([20, 40], 20, ["20", "40"]), ([1e-11, 1.2e-11], 2e-12, ["1.0e-11", "1.2e-11"]),
                ([2e6, 3e6], 1e6, ["2.0e+06", "3.0e+06"]),
                ([0, 1e-9], 1e-9, ["0.0e+00", "1.0e-09"])):
            self.assertEqual(axis.rounded(values, width), expected)


class Alias(PlotCase, alias_tables.TableFiles):
    def sampling(self, weights, *more):
        return self.made(alias, "streams.count=7", *self.table(weights), *more)

    def test_what_is_read(self):
        weights = numpy.arange(24.0).reshape(4, 3, 2)
        sampling = self.sampling(weights, "alias.samples=10000")
        numpy.testing.assert_allclose(sampling.table, weights.sum(axis=2) / weights.sum(),
                                      rtol=1e-14)
        self.assertEqual(sampling.histogram.sum(), 10000)
        self.assertEqual(sampling.summed, ("axis2",))
        flat = self.sampling(weights.ravel(), "alias.samples=10000")
        self.assertTrue(flat.is_flat)
        self.assertEqual(flat.table.shape, (1, 24))
        self.assertEqual(flat.axes[1].label, "cell number")

    def test_the_chi_square_of_what_is_drawn_is_the_jobs(self):
        """Pooled cells are those of the job; of the others, residuals squared, without the factor
        1 - p of a single cell's variance, add up to its chi-square but for the pooled cells."""
        weights = numpy.geomspace(1, 1e-6, 60).reshape(6, 10)
        weights[2, 3] = 0
        sampling = self.sampling(weights, "alias.samples=100003")
        with h5py.File(self.path("out.h5")) as file:
            job = dict(file["results/alias"].attrs)
        self.assertEqual(sampling.is_pooled.sum(), job["pooled_cells"] + 1)
        self.assertGreater(job["pooled_cells"], 5)
        residual = sampling.residual()
        numpy.testing.assert_array_equal(numpy.isnan(residual), sampling.is_pooled)
        kept = ~sampling.is_pooled
        total = (residual[kept] ** 2 * (1 - sampling.table[kept])).sum()
        expected = sampling.samples * sampling.table
        pooled = expected[~kept].sum()
        self.assertGreater(pooled, alias_sampling.LEAST_EXPECTATION)
        total += (sampling.histogram[~kept].sum() - pooled) ** 2 / pooled
        self.assertAlmostEqual(total, job["chi_square"], delta=1e-9 * total)

    def test_samples_where_none_may_fall(self):
        sampling = self.sampling(numpy.array([[0, 1.0], [2, 3]]), "alias.samples=1000")
        self.assertTrue(numpy.isnan(sampling.residual()[0, 0]))
        sampling.histogram[0, 0] = 1
        self.assertEqual(sampling.residual()[0, 0], math.inf)

    def test_a_single_cell(self):
        sampling = self.sampling(numpy.array([3.0]), "alias.samples=1000")
        self.assertEqual(sampling.residual().tolist(), [[0]])

    def test_coarser(self):
        weights = 1.0 + numpy.arange(2 * 1201).reshape(2, 1201)
        sampling = self.sampling(weights, "alias.samples=100000")
        coarse = alias_sampling.coarser(sampling)
        self.assertEqual(coarse.runs, (1, 3))
        self.assertEqual(coarse.table.shape, (2, 401))
        self.assertAlmostEqual(coarse.table.sum(), 1)
        self.assertEqual(coarse.histogram.sum(), sampling.samples)
        self.assertEqual(coarse.histogram[1, 0], sampling.histogram[1, :3].sum())
        self.assertEqual(len(coarse.axes[1].edges), 402)
        self.assertEqual(coarse.axes[1].edges[-1], 1200.5)


class Correlate(PlotCase):
    def test_lags_outside_are_the_jobs(self):
        for across, lags in (("none", 200), ("next", 201)):
            with self.subTest(across=across):
                found = self.made(correlate, "correlate.numbers=50000", "correlate.lags=200",
                                  f"correlate.across={across}", "streams.count=8", name="c")
                with h5py.File(self.path("c.h5")) as file:
                    outside = int(file["results/correlate"].attrs["outside"])
                self.assertEqual(found.outside, (outside, lags))

    def test_a_legend_of_several_hides_no_points(self):
        found = [self.made(correlate, "correlate.numbers=50000", "correlate.lags=20", "streams.count=8",
                           f"streams.generator={generator}", name=generator)
                 for generator in ("dcmt521", "mt19937")]
        figure = figures(correlate, *found)[""]
        legend = figure.axes[0].get_legend().get_window_extent()
        self.assertFalse(legend.overlaps(figure.axes[0].get_window_extent()))
        self.assertFalse(legend.overlaps(figure.axes[0].xaxis.label.get_window_extent()))
        self.assertFalse(any(line.get_clip_on() for line in figure.axes[0].lines[:2]))  # markers at the floor are whole

    def test_thinning_keeps_what_stands_out(self):
        values = numpy.full(5001, 1e-3)
        values[0], values[1234], values[5000] = 1, -0.5, 0.25
        lag, sizes, run = correlate.thinned(numpy.arange(5001), values)
        self.assertEqual((len(lag), run), (correlate.MOST_POINTS, 5))
        self.assertEqual((lag[0], sizes[0]), (0, 1))
        self.assertEqual(sorted(sizes)[-3:], [0.25, 0.5, 1])
        self.assertLessEqual(abs(int(lag[sizes.tolist().index(0.5)]) - 1234), 6)


class Fill(PlotCase):
    def fill(self, *deck):
        found = self.made(fill, "fill.to=file", *deck)
        with h5py.File(self.path("out.h5")) as file:
            return found, file["results/fill/numbers"][:]

    def test_numbers_are_found_in_any_order(self):
        """Number i of stream s is the same in every order, so the pairs are."""
        deck = ["fill.numbers=1003", "streams.count=10", "fill.type=uint32"]
        interleaved, numbers = self.fill(*deck)
        self.assertEqual(interleaved.pairs.shape, (100, 10))
        numpy.testing.assert_array_equal(interleaved.pairs * 2.0 ** 32,
                                         numbers[:1000].reshape(100, 10))
        for block in ("auto", "40", "200", "1000", "2000"):
            with self.subTest(block=block):
                other, _ = self.fill(*deck, "fill.order=blocked", f"fill.block={block}")
                rows, columns = other.pairs.shape
                numpy.testing.assert_array_equal(other.pairs, interleaved.pairs[:rows, :columns])
                self.assertGreater(rows * columns, 1)

    def test_extents(self):
        for counts, expected in (([100] * 4096, (64, 64)), ([3] * 4096, (3, 1365)),
                                 ([10 ** 6], (4096, 1)), ([1, 1, 0, 0], (1, 2)), ([1], (1, 1)),
                                 ([9, 9, 8], (8, 3)), ([10 ** 6] * 2, (2048, 2))):
            self.assertEqual(fill.first_numbers(numpy.array(counts)), expected)

    def test_types(self):
        for kind, factor in (("uint32", 2.0 ** 32), ("uint64", 2.0 ** 64), ("float", 1),
                             ("double", 1)):
            with self.subTest(type=kind):
                found, numbers = self.fill("fill.numbers=100", "streams.count=4",
                                           f"fill.type={kind}")
                numpy.testing.assert_array_equal(found.sample, numbers / factor)
                self.assertTrue(((found.sample >= 0) & (found.sample <= 1)).all())

    def test_of_large_files_a_sample_is_read(self):
        most = fill.MOST_STRETCHES * fill.STRETCH
        with h5py.File("memory", "w", driver="core", backing_store=False) as file:
            file["numbers"] = numpy.arange(2 * most + 5, dtype="u4")
            found = fill.sample_of(file["numbers"])
            self.assertEqual(len(found), most)
            self.assertEqual((found[0], found[-1]), (0, 2 * most + 4))
            self.assertEqual(len(numpy.unique(found)), most)
            self.assertEqual(len(fill.sample_of(file["numbers"][:5])), 5)


class Create(PlotCase):
    def test_defects_are_the_jobs(self):
        done = self.run_ok("create", "create.count=3", "--output", "sets.h5")
        sets = self.read(create, "sets.h5")
        self.assertEqual(sets.bounds.tolist(), [521 // v for v in range(1, 33)])
        self.assertEqual(sets.total_defects.min(), int(done.result("least total defect")))
        self.assertEqual(sets.total_defects.max(), int(done.result("greatest total defect")))
        self.assertTrue((sets.defects >= 0).all())
