# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The alias job draws the same samples on any layout, and reads tables from all kinds of datasets. Its statistics agree
with numpy's."""

import hashlib
import subprocess
import sys
import unittest

import h5py
import numpy

import rivulet_cli

QUICK = ["streams.generator=hybrid_tausworthe", "streams.count=37"]
GAUSSIAN = ["table.rows=40", "table.columns=70", "table.x0=30", "table.y0=20.25", "table.width=9",
            "table.alpha=1.5", "table.bits=32"]
ROWS = ["table.rows=250", "table.columns=1001", "table.x0=500", "table.y0=125", "table.width=90",
        "table.alpha=0.5", "table.bits=32"]  # 31 bundles of rows, so ranks share the statistics
POSSIBLE = (1e-4, 1 - 1e-4)

# (deck, digest). Serial and OpenMP builds with all compilers and processors must reproduce these digests.
GOLDEN = {
    "gaussian": ([*GAUSSIAN, "alias.samples=300007"],
                 "4d71351c2a6030340d8413eb41cdc27c20bf7593eb569a607c1dc53f20f24ebb"),
    "flat": ([*GAUSSIAN, "alias.samples=300007", "table.layout=flat"],
             "dfe5000c9f79e329ee9573781dffa248b7836632f2d5d850764854c2799469f8"),
    "twister": ([*GAUSSIAN, "alias.samples=100003", "streams.generator=dcmt521"],
                "f097e69cbcaba797d911a09a0681ad0d48ed751d2f299530ee0fa56fc3e5b2f0"),
    "ranmar": ([*GAUSSIAN, "alias.samples=100003", "streams.generator=ranmar48"],
               "4ec307d70913d895a9cb2252b1398205f52dd37fe0d6ab0605bbbd266ad641d0"),
    "zipf": (["table.weights=zipf", "table.cells=1000", "alias.samples=100003"],
             "091f2b2426fc4dc12dd8737d9340f57b61a41ce3553ea84518765aa09cb725e4"),
    "rows": ([*ROWS, "alias.samples=200003"],
             "01fdf6cc7ecf0cfa64d30f78a3263138f48689ae2f8147046e1f044e385e40b0"),
}


def moments(points, weights):
    """Returns means and covariances of a table's coordinates."""
    total = weights.sum()
    grid = numpy.meshgrid(*points, indexing="ij")
    means = [float((one * weights).sum() / total) for one in grid]
    covariances = [[float(((a - m) * (b - n) * weights).sum() / total)
                    for b, n in zip(grid, means)] for a, m in zip(grid, means)]
    return numpy.array(means), numpy.array(covariances)


def chi_square(counts, probabilities):
    """Returns (chi-square, degrees of freedom). Cells with an expectation below 5 are pooled into one."""
    expected = counts.sum() * probabilities
    large = expected >= 5
    small = ~large & (expected > 0)
    counts = [*counts[large], counts[small].sum()]
    expected = [*expected[large], expected[small].sum()]
    if expected[-1] < 5:  # the pooled cells join the most likely cell
        likeliest = int(numpy.argmax(expected))
        for one in (counts, expected):
            one[likeliest] += one[-1]
            one.pop()
    counts, expected = numpy.array(counts, dtype=float), numpy.array(expected)
    return float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1


class AliasCase(rivulet_cli.Case):
    def alias(self, *overrides, output="out.h5", **options):
        """Runs the alias job. Returns (run, {name: value}, attributes of /results/alias)."""
        done = self.run_ok("alias", *QUICK, *overrides, "--output", output, **options)
        digest, data, attributes = self.results("alias", output)
        self.assertEqual(digest, done.digest)
        return done, data, attributes


class Layouts(AliasCase):
    def test_golden(self):
        for name, (deck, digest) in GOLDEN.items():
            first = None
            for ranks, threads in rivulet_cli.layouts((1, 1), (1, 2), (2, 1), (4, 1)):
                if ranks == 2 and name not in ("gaussian", "rows"):
                    continue
                with self.subTest(deck=name, ranks=ranks, threads=threads):
                    done, data, attributes = self.alias(*deck, ranks=ranks, threads=threads)
                    self.assertEqual(done.digest, digest)
                    del attributes["table_seconds"]
                    first = first or (data, attributes)
                    self.assert_same(first, (data, attributes))

    def test_a_stream_to_a_team(self):
        """Teams draw the golden samples too."""
        for generator, levels, name in (("dcmt521", "conditional", "twister"),
                                        ("ranmar48", "conditional", "ranmar"),
                                        ("ranmar24", "flat", None), ("dcmt521", "flat", None)):
            deck = [*GAUSSIAN, "alias.samples=100003", f"streams.generator={generator}",
                    f"table.layout={levels}", "alias.keep=indices"]
            lane, lane_data, _ = self.alias(*deck)
            if name:
                self.assertEqual(lane.digest, GOLDEN[name][1])
            for ranks, threads, memory in rivulet_cli.layouts((1, 2, "auto"), (2, 1, "150 KiB")):
                with self.subTest(generator=generator, ranks=ranks, threads=threads):
                    team, data, _ = self.alias(*deck, "streams.mapping=team",
                                               f"alias.memory={memory}", ranks=ranks,
                                               threads=threads)
                    self.assertEqual(team.digest, lane.digest)
                    numpy.testing.assert_array_equal(data["indices"], lane_data["indices"])

    def assert_same(self, first, second):
        """Requires equal results bit for bit, including moments and chi-square."""
        for one, other in zip(first, second):
            self.assertEqual(set(one), set(other))
            for name, value in one.items():
                numpy.testing.assert_array_equal(value, other[name], err_msg=name)

    def test_kept_samples(self):
        axes = {"x": numpy.arange(40) ** 2.0, "y": numpy.linspace(-1, 1, 71) ** 3}
        weights = numpy.add.outer(numpy.arange(40), numpy.arange(70)) % 5
        deck = [*self.table(weights, **axes), "table.axes=x, y", "alias.samples=30011"]
        first = None
        for keep, layouts in (("indices", ((1, "auto"), (1, "40 KiB"), (4, "20 KiB"))),
                              ("coordinates", ((1, "40 KiB"), (2, "auto")))):
            for ranks, memory in rivulet_cli.layouts(*layouts):
                with self.subTest(keep=keep, ranks=ranks, memory=memory):
                    _, data, _ = self.alias(*deck, f"alias.keep={keep}", f"alias.memory={memory}",
                                            ranks=ranks)
                    counts = numpy.bincount(data["indices"], minlength=2800)
                    numpy.testing.assert_array_equal(counts, data["histogram"])
                    first = data["indices"] if first is None else first
                    numpy.testing.assert_array_equal(data["indices"], first)
                    if keep == "coordinates":
                        row, column = numpy.unravel_index(data["indices"], (40, 70))
                        numpy.testing.assert_array_equal(data["coordinate0"], axes["x"][row])
                        middle = (axes["y"][1:] + axes["y"][:-1]) / 2
                        numpy.testing.assert_array_equal(data["coordinate1"], middle[column])

    def test_anywhere_in_a_cell(self):
        edges = {"x": numpy.geomspace(1, 1e6, 5), "y": numpy.array([-1, 0, 1e-9, 5])}
        deck = [*self.table(numpy.arange(12).reshape(4, 3), **edges), "table.axes=x,y",
                "alias.samples=30011", "alias.keep=coordinates"]
        discrete, _, _ = self.alias(*deck)
        first = None
        for ranks, memory in rivulet_cli.layouts((1, "auto"), (4, "30 KiB")):
            done, data, _ = self.alias(*deck, "alias.within=uniform", f"alias.memory={memory}",
                                       ranks=ranks)
            self.assertEqual(done.digest, discrete.digest)  # the cells are the same
            first = first or data
            for axis, (index, name) in enumerate(
                    zip(numpy.unravel_index(data["indices"], (4, 3)), "xy")):
                values = data[f"coordinate{axis}"]
                numpy.testing.assert_array_equal(values, first[f"coordinate{axis}"])
                lower, upper = edges[name][index], edges[name][index + 1]
                self.assertTrue(((lower <= values) & (values < upper)).all())
                place = (values - lower) / (upper - lower)
                self.assertLess(abs(place.mean() - 0.5), 5 / (12 * 30011) ** 0.5)
                self.assertAlmostEqual(place.var(), 1 / 12, delta=0.003)
            self.assertLess(abs(numpy.corrcoef(data["coordinate0"] % 1, data["coordinate1"] % 1)
                                [0, 1]), 5 / 30011 ** 0.5)
        _, data, _ = self.alias("table.weights=zipf", "table.cells=9", "alias.samples=999",
                                "alias.keep=coordinates", "alias.within=uniform")
        numpy.testing.assert_array_equal(numpy.floor(data["coordinate0"] + 0.5), data["indices"])

    def test_iterations_and_the_stored_deck(self):
        done, data, _ = self.alias("alias.samples=5003", "alias.iterations=3",
                                   "alias.keep=indices", output="one.h5")
        self.require_repeated(done, "one.h5")
        with h5py.File(self.directory / "again.h5") as file:
            numpy.testing.assert_array_equal(file["results/alias/indices"][:], data["indices"])


class Statistics(AliasCase):
    def check(self, done, data, attributes):
        """Compares the results file with the same statistics computed by numpy."""
        shape = tuple(attributes["shape"].tolist())
        counts, table, asked = data["histogram"], data["table"], data["asked"]
        self.assertEqual(int(counts.sum()), attributes["samples"])
        self.assertEqual(hashlib.sha256(counts.astype("<u8").tobytes()).hexdigest(), done.digest)
        self.assertAlmostEqual(float(table.sum()), 1, places=12)
        self.assertAlmostEqual(float(asked.sum()), 1, places=12)
        positive = asked > 0
        self.assertEqual(int((table[positive] == 0).sum()), attributes["lost_cells"])
        self.assertTrue((table[~positive] == 0).all())
        change = numpy.abs(table[positive] / asked[positive] - 1).max()
        self.assertAlmostEqual(attributes["largest_change"], change, delta=1e-15)
        self.assertEqual(int((table == 0).sum()), attributes["zero_cells"])
        self.assertEqual(int(counts[table == 0].sum()), 0)
        self.assertEqual(attributes["zero_cell_samples"], 0)
        chi, freedom = chi_square(counts, asked)
        self.assertEqual(attributes["degrees_of_freedom"], freedom)
        self.assertAlmostEqual(attributes["chi_square"] / chi, 1, places=9)
        self.assertTrue(POSSIBLE[0] < attributes["p_value"] < POSSIBLE[1], attributes["p_value"])
        self.assertEqual(float(done.result("p-value")), attributes["p_value"])
        points = [data.get(f"points{axis}", numpy.arange(n)) for axis, n in enumerate(shape)]
        samples = float(attributes["samples"])
        for end, weights, scale in (("", counts, samples / (samples - 1)), ("_table", asked, 1)):
            means, covariances = moments(points, weights.reshape(shape).astype(float))
            numpy.testing.assert_allclose(data["mean" + end], means, rtol=1e-9)
            covariance = data["covariance" + end].reshape(covariances.shape)
            numpy.testing.assert_allclose(covariance, covariances * scale, rtol=1e-8, atol=1e-12)
            spread = numpy.sqrt(numpy.outer(covariance.diagonal(), covariance.diagonal()))
            numpy.testing.assert_allclose(data["correlation" + end].reshape(spread.shape),
                                          covariance / spread, rtol=1e-8, atol=1e-12)
        for name in ("mean", "covariance", "correlation"):
            off = numpy.abs(data[name] - data[name + "_table"])
            self.assertTrue((off <= 5 * data[name + "_error"] + 1e-12).all(), name)

    def test_ten_tables(self):
        generator = numpy.random.default_rng(1)
        rough = generator.random((6, 7, 8)) ** 4 * (generator.random((6, 7, 8)) < 0.7)
        decks = [["table.weights=exponential"], ["table.weights=power", "table.exponent=2.5"],
                 ["table.weights=zipf"], [], GAUSSIAN, [*GAUSSIAN, "table.layout=flat"],
                 [*GAUSSIAN, "table.alpha=-1.9"], [*GAUSSIAN, "table.bits=64"],
                 self.table(rough, "rough.h5"), self.table(rough.ravel(), "line.h5"),
                 self.table(rough.reshape(3, 2, 7, 2, 4), "five.h5")]
        for number, deck in enumerate(decks):
            source = ("hybrid_tausworthe", "dcmt521", "lfsr113")[number % 3]
            with self.subTest(deck=deck, generator=source):
                done, data, attributes = self.alias(
                    *deck, "alias.samples=200003", f"streams.generator={source}",
                    f"streams.seed={number}")
                self.check(done, data, attributes)

    def test_one_cell(self):
        done, data, attributes = self.alias("table.weights=zipf", "table.cells=1",
                                            "alias.samples=100")
        self.assertEqual(data["histogram"].tolist(), [100])
        self.assertEqual((attributes["p_value"], attributes["degrees_of_freedom"]), (1, 0))
        self.assertEqual(done.result("variance axis0"), "0")


class Tables(AliasCase):
    WEIGHTS = numpy.array([[3, 0, 1, 7], [0, 100, 2, 2], [5, 5, 0, 27]])

    def digest(self, *deck):
        return self.run_ok("alias", *QUICK, "table.weights=file", *deck, "alias.samples=1000",
                           "output.file=").digest

    def test_any_type_and_place(self):
        expected = self.digest(*self.table(self.WEIGHTS.astype("f8")))
        with h5py.File(self.directory / "types.h5", "w") as file:
            file.create_dataset("of/type/f2", data=self.WEIGHTS.astype("f2"))
            file.create_dataset("packed", data=self.WEIGHTS, chunks=(2, 2), compression="gzip")
            file["again"] = h5py.SoftLink("/packed")
        for name in ("of/type/f2", "/packed", "again"):  # the unit test WeightsFiles covers more types
            with self.subTest(dataset=name):
                self.assertEqual(self.digest("table.file=types.h5", f"table.dataset={name}"),
                                 expected)

    @unittest.skipUnless(rivulet_cli.MPIEXEC, "built without MPI")
    def test_rows_that_come_in_pieces(self):
        """The table has more than the 2^22 cells that root sends at a time."""
        weights = numpy.arange(2200 * 2000, dtype="u4").reshape(2200, 2000) % 1000
        deck = [*QUICK, *self.table(weights), "alias.samples=1000003", "output.file="]
        whole = self.run_ok("alias", *deck)
        shared = self.run_ok("alias", *deck, ranks=2)
        self.assertEqual(shared.digest, whole.digest)
        for name in ("p-value", "mean axis0", "mean axis1", "covariance axis0 axis1"):
            self.assertEqual(shared.result(name), whole.result(name))
        rows = weights.sum(axis=1, dtype="f8")
        self.assertAlmostEqual(float(whole.result("mean axis0 of the table")),
                               (rows * numpy.arange(2200)).sum() / rows.sum(), places=8)


class Shipped(AliasCase):
    def test_published_gaussian(self):
        inputs = rivulet_cli.SOURCE_DIR.resolve() / "inputs"
        done = self.run_ok(inputs / "published/alias_gaussian.yaml")
        self.assertEqual(done.result("samples"), "1000000")
        self.assertTrue(POSSIBLE[0] < float(done.result("p-value")) < POSSIBLE[1])
        self.assertEqual(done.digest,
                         "dcad2fdc03ffa8cb2330cde99d3207b3d3b96370320906f4e63e538461017e0e")
        with h5py.File(self.directory / "alias_gaussian.h5") as file:
            x = numpy.arange(10) - 5.0
            weights = numpy.exp(-(x ** 2 + x[:, None] ** 2 + 2 * x * x[:, None]))
            numpy.testing.assert_allclose(file["results/alias/table"][:],
                                          weights.ravel() / weights.sum(), atol=1e-10)
            self.assertEqual(file["results/alias"].attrs["words_per_sample"], 4)

    def test_neutron_table(self):
        root = rivulet_cli.SOURCE_DIR.resolve()
        subprocess.run([sys.executable, str(root / "scripts/make_neutron_table")],
                       cwd=self.directory, check=True, capture_output=True)
        done = self.run_ok(root / "inputs/neutron.yaml", "alias.samples=200000", threads=2)
        self.assertTrue(POSSIBLE[0] < float(done.result("p-value")) < POSSIBLE[1])
        # A Watt spectrum with parameters a and b has the mean a * (3/2 + a * b / 4).
        mean = 0.988 * (1.5 + 0.988 * 2.249 / 4)
        self.assertAlmostEqual(float(done.result("mean energy of the table")), mean, delta=0.003)
        self.assertGreater(float(done.result("correlation energy cosine")), 0.3)
