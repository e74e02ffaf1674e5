# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/plot draws alias and correlate results: files made here, of which everything is known."""

import subprocess
import sys
import unittest

import h5py
import numpy

import rivulet_cli
from test_plot import HAS_MATPLOTLIB, SCRIPT

from plotting import alias, correlate, results


def write_alias(path, table, histogram):
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "rivulet results"
        group = file.create_group("results/alias")
        group.attrs["samples"] = numpy.uint64(histogram.sum())
        group.attrs["shape"] = numpy.array(table.shape, dtype="u8")
        group["table"] = table.ravel()
        group["histogram"] = histogram.ravel().astype("u8")


def write_correlate(path, generator, correlation, band):
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "rivulet results"
        file.create_group("streams").attrs["generator"] = generator
        group = file.create_group("results/correlate")
        group.attrs["lags"] = numpy.uint64(len(correlation) - 1)
        group.attrs["numbers"] = numpy.uint64(1000000)
        group.attrs["band"] = band
        group["lag"] = numpy.arange(len(correlation), dtype="u8")
        group["correlation"] = correlation


class Pictures(rivulet_cli.Case):
    def plot(self, *arguments):
        done = subprocess.run([sys.executable, str(SCRIPT.resolve()), *arguments],
                              cwd=self.directory, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def read(self, job, name):
        return results.read_file(self.directory / name, [job])[1]


class Alias(Pictures):
    def write(self, name, shape):
        cells = int(numpy.prod(shape))
        weights = numpy.arange(cells, dtype=float).reshape(shape)  # cell 0 is never drawn
        table = weights / weights.sum()
        histogram = (10 * weights).astype("u8")
        write_alias(self.directory / name, table, histogram)
        return table, histogram

    def test_what_is_read(self):
        table, histogram = self.write("flat.h5", (7,))
        sampling = self.read(alias, "flat.h5")
        self.assertTrue(sampling.is_flat)
        self.assertEqual(sampling.table.tolist(), [table.tolist()])
        self.assertEqual(sampling.histogram.tolist(), [histogram.tolist()])
        table, histogram = self.write("cube.h5", (4, 3, 2))
        sampling = self.read(alias, "cube.h5")
        numpy.testing.assert_array_equal(sampling.table, table.sum(axis=2))
        numpy.testing.assert_array_equal(sampling.histogram, histogram.sum(axis=2))

    def test_residual(self):
        self.write("two.h5", (3, 4))
        sampling = self.read(alias, "two.h5")
        residual = sampling.residual()
        self.assertTrue(numpy.isnan(residual[0, 0]))
        numpy.testing.assert_allclose(residual.ravel()[1:], 0, atol=1e-9)
        sampling.histogram[2, 3] += 5
        p = sampling.table[2, 3]
        self.assertAlmostEqual(sampling.residual()[2, 3],
                               5 / (sampling.samples * p * (1 - p)) ** 0.5)

    def test_coarser(self):
        self.write("long.h5", (2, 1201))
        sampling = self.read(alias, "long.h5")
        coarse = alias.coarser(sampling)
        self.assertEqual(coarse.runs, (1, 3))
        self.assertEqual(coarse.table.shape, (2, 401))
        self.assertAlmostEqual(coarse.table.sum(), 1)
        self.assertEqual(coarse.histogram.sum(), sampling.samples)
        self.assertEqual(coarse.histogram[1, 0], sampling.histogram[1, :3].sum())

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_what_is_drawn(self):
        table, histogram = self.write("two.h5", (3, 4))
        sampling = self.read(alias, "two.h5")
        axes = alias.draw_rows(sampling).axes[0]
        lines, points = axes.lines[0::2], axes.lines[1::2]
        self.assertEqual(len(lines), 3)
        for row in range(3):
            numpy.testing.assert_allclose(lines[row].get_ydata(),
                                          histogram[row] / histogram.sum())
            numpy.testing.assert_array_equal(points[row].get_ydata(), table[row])
        images = [axes.images[0].get_array() for axes in alias.draw_maps(sampling).axes[:3]]
        numpy.testing.assert_array_equal(images[0], table)
        numpy.testing.assert_allclose(images[1], histogram / histogram.sum())
        self.assertTrue(images[2].mask[0, 0])

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_pictures_are_written(self):
        for shape, names in [((100,), ["a.png"]), ((1,), ["a.png"]),
                             ((10, 10), ["a_rows.png", "a_maps.png"]),
                             ((700, 3, 2), ["a_rows.png", "a_maps.png"])]:
            with self.subTest(shape=shape):
                if shape == (1,):
                    write_alias(self.directory / "a.h5", numpy.ones(1), numpy.array([5]))
                else:
                    self.write("a.h5", shape)
                self.assertEqual(self.plot("a.h5"), names)


class Correlate(Pictures):
    def test_lags_outside_the_band(self):
        write_correlate(self.directory / "a.h5", "dcmt521", [1, 0.1, -0.3, 0.2, 0.25], 0.2)
        self.assertEqual(self.read(correlate, "a.h5").outside, (2, 4))

    def test_thinning_keeps_what_stands_out(self):
        values = numpy.full(5001, 1e-3)
        values[0], values[1234], values[5000] = 1, -0.5, 0.25
        lag, sizes, run = correlate.thinned(numpy.arange(5001), values)
        self.assertEqual((len(lag), run), (correlate.MOST_POINTS, 5))
        self.assertEqual((lag[0], sizes[0]), (0, 1))
        self.assertEqual(sorted(sizes)[-3:], [0.25, 0.5, 1])
        self.assertLessEqual(abs(int(lag[sizes.tolist().index(0.5)]) - 1234), 6)

    @unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed")
    def test_what_is_drawn(self):
        values = [1, -0.002, 0.001, 0]
        for name in ("a", "b"):
            write_correlate(self.directory / f"{name}.h5", "dcmt521", values, 0.0026)
        both = [self.read(correlate, "a.h5"), self.read(correlate, "b.h5")]
        self.assertEqual(correlate.names_of(both), ["dcmt521 (a)", "dcmt521 (b)"])
        axes = correlate.draw_correlation(both).axes[0]
        for line in axes.lines:
            self.assertEqual(line.get_ydata()[:3].tolist(), [1, 0.002, 0.001])
            self.assertGreater(line.get_ydata()[3], 0)  # at the foot of the axis
        self.assertEqual(self.plot("a.h5", "b.h5"), ["correlation.png"])
        self.assertEqual(self.plot("a.h5"), ["a.png"])


if __name__ == "__main__":
    unittest.main()
