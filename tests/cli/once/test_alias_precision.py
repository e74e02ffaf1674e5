# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How near an alias table is to its weights: what the job says of it, and thresholds of 64 bits."""

import fractions
import re

import h5py
import numpy

import alias_tables
import refusal
import rivulet_cli

QUICK = ["streams.generator=hybrid_tausworthe", "streams.count=37", "alias.samples=30011"]
LEAST_CHANGE = 1e-6  # that is warned of


def masses(weights, bits):
    """The largest-remainder rule in fractions: units of each cell, len(weights) * 2^bits in all."""
    exact = [fractions.Fraction(float(weight)) for weight in weights]
    units = len(exact) << bits
    shares = [units * weight / sum(exact) for weight in exact]
    whole = [int(share) for share in shares]
    order = sorted(range(len(exact)), key=lambda i: (whole[i] - shares[i], i))
    for cell in order[:units - sum(whole)]:
        whole[cell] += 1
    return whole


def changes(weights, bits):
    """Relative changes of the cells of weight above 0."""
    exact = [fractions.Fraction(float(weight)) for weight in weights]
    units = len(exact) << bits
    return [abs(mass * sum(exact) / (units * weight) - 1)
            for mass, weight in zip(masses(weights, bits), exact) if weight > 0]


class Precision(alias_tables.TableFiles, rivulet_cli.Case):
    def alias(self, *overrides, **options):
        """(report, {name: value}, attributes of /results/alias)"""
        done = self.run_ok("alias", *QUICK, *overrides, "--output", "out.h5", **options)
        with h5py.File(self.directory / "out.h5") as file:
            group = file["results/alias"]
            return done, {name: one[()] for name, one in group.items()}, dict(group.attrs)

    @staticmethod
    def warnings(done):
        """Of the table, without those of few streams. Notes are warnings that no run of this length would show."""
        return [line for line in re.findall(r"(?m)^(?:warning|note): (.*)", done.out)
                if not re.match(r"\d+ streams? of ", line)]


class Reports(Precision):
    def test_what_32_bits_change(self):
        for weights, phrases in (
                ([1, 1e-9], ["cell 1 is drawn with probability 1.0477379e-09 instead of 1e-09, a "
                             "relative change of 0.048 (thresholds have 32 bits; table.bits=64 is "
                             "more accurate)"]),
                ([1, 1e-10, 5e-11], ["cell 2 is drawn with probability 7.7610215e-11 instead of "
                                     "5e-11, a relative change of 0.55 (thresholds have 32 bits; "
                                     "table.bits=64 is more accurate)"]),
                ([1, 1e-12, 0, 3e-12], ["cells of positive weight that are never drawn: 2; cell 3 "
                                        "is the likeliest, and its probability should be 3e-12 "
                                        "(thresholds have 32 bits; table.bits=64 is more accurate)"])):
            with self.subTest(weights=weights):
                done, data, attributes = self.alias(*self.table(numpy.array(weights)),
                                                    "table.bits=32")
                self.assertEqual(self.warnings(done), phrases)
                self.assertEqual(list(attributes["warnings"]), phrases)
                largest = max(changes(weights, 32))
                self.assertAlmostEqual(attributes["largest_change"], float(largest), places=8)
                self.assertEqual(done.result("largest relative change of a cell"),
                                 f"{attributes['largest_change']:.4g}")
                self.assertEqual(attributes["bits"], 32)
                self.assertEqual(attributes["lost_cells"], weights.count(3e-12) * 2)
                numpy.testing.assert_allclose(data["asked"], numpy.array(weights) / sum(weights),
                                              rtol=1e-15)

    def test_a_table_that_32_bits_suffice_for(self):
        deck = ["table.weights=zipf", "table.cells=1000"]
        done, data, attributes = self.alias(*deck)
        self.assertEqual(self.warnings(done), [])
        self.assertNotIn("warnings", attributes)
        self.assertEqual((attributes["bits"], attributes["words_per_sample"]), (32, 2))
        self.assertTrue(0 < attributes["largest_change"] < LEAST_CHANGE)
        narrow, same, _ = self.alias(*deck, "table.bits=32")
        self.assertEqual(done.digest, narrow.digest)
        numpy.testing.assert_array_equal(data["table"], same["table"])
        wide, other, attributes = self.alias(*deck, "table.bits=64")
        self.assertNotEqual(wide.digest, narrow.digest)
        self.assertEqual((attributes["bits"], attributes["words_per_sample"]), (64, 3))
        numpy.testing.assert_array_equal(data["asked"], other["asked"])

    def test_what_even_64_bits_change(self):
        weights = [1, 1e-9, 1e-18, 1e-25]
        done, _, attributes = self.alias(*self.table(numpy.array(weights)))
        first, second = self.warnings(done)
        self.assertEqual(first, "cells of positive weight that are never drawn: 1; cell 3 is the "
                         "likeliest, and its probability should be 1e-25 (thresholds have 64 "
                         "bits; joining unlikely cells would help)")
        self.assertRegex(second, r"^cell 2 is drawn with probability \S+ instead of 1e-18, a "
                         r"relative change of 0\.00\d+ \(thresholds have 64 bits")
        self.assertEqual((attributes["bits"], attributes["largest_change"]), (64, 1))

    def test_what_no_run_of_this_length_shows(self):
        deck = ["alias", "streams.count=64", "output.file="]
        done = self.run_ok(*deck, "alias.samples=1e6")
        self.assertNotIn("warning", done.out + done.err)
        self.assertEqual(len(re.findall("(?m)^note: cell", done.out)), 2)
        self.assertLess(float(done.result("samples expected in these cells")), 1e-3)
        for samples, word in (("1e5", "note"), ("1e7", "warning")):  # of 1.05e-9 instead of 1e-9
            done = self.run_ok(*deck, *self.table(numpy.array([1, 1e-9])), "table.bits=32", f"alias.samples={samples}")
            self.assertIn(f"\n{word}: cell 1 is drawn with probability", done.out)

    def test_large_tables_keep_32_bits(self):
        cells = 4194305
        deck = ["table.weights=power", "table.exponent=2", f"table.cells={cells}"]
        done, _, attributes = self.alias(*deck)
        self.assertEqual(attributes["bits"], 32)
        self.assertGreater(attributes["largest_change"], LEAST_CHANGE)
        self.assertIn("(thresholds have 32 bits; joining unlikely cells would help)",
                      self.warnings(done)[0])


class Wide(Precision):
    # Cells of 1 to 2^-60, by rows and in one row, in an order that no rule follows.
    WEIGHTS = 2.0 ** -((numpy.arange(480) * 7919) % 61).reshape(32, 15)

    def test_tables_are_exact(self):
        for weights in ([1, 1e-9], [1, 1e-10, 5e-11], [3, 0, 1e-14, 7, 1e-13],
                        self.WEIGHTS.ravel()):
            with self.subTest(cells=len(weights)):
                done, data, attributes = self.alias(*self.table(numpy.array(weights)))
                self.assertEqual(attributes["bits"], 64)
                expected = [fractions.Fraction(mass, len(weights) << 64)
                            for mass in masses(weights, 64)]
                # Parts of buckets begin at multiples of 2^-96.
                numpy.testing.assert_allclose(data["table"], [float(one) for one in expected],
                                              rtol=1e-15, atol=len(weights) * 2.0 ** -96)
                largest = float(max(changes(weights, 64)))
                self.assertAlmostEqual(attributes["largest_change"], largest, delta=1e-9)
                self.assertEqual(len(self.warnings(done)), int(largest > LEAST_CHANGE))
                self.assertEqual(int(data["histogram"][numpy.array(weights) == 0].sum()), 0)

    def test_the_same_on_any_layout(self):
        deck = [*self.table(self.WEIGHTS), "alias.keep=indices"]
        for layout, words in (("conditional", 6), ("flat", 3)):
            for generator in ("dcmt521", "ranmar48", "lfsr113"):
                own = [*deck, f"table.layout={layout}", f"streams.generator={generator}"]
                first, data, attributes = self.alias(*own)
                self.assertEqual((attributes["bits"], attributes["words_per_sample"]), (64, words))
                numpy.testing.assert_array_equal(
                    numpy.bincount(data["indices"], minlength=480), data["histogram"])
                mappings = ("lane",) if generator == "lfsr113" else ("lane", "team")
                for ranks, threads, mapping, memory in rivulet_cli.layouts(
                        (1, 2, mappings[-1], "auto"), (2, 1, mappings[0], "150 KiB"),
                        (4, 1, mappings[-1], "100 KiB")):
                    with self.subTest(layout=layout, generator=generator, ranks=ranks):
                        done, other, _ = self.alias(*own, f"streams.mapping={mapping}",
                                                    f"alias.memory={memory}", ranks=ranks,
                                                    threads=threads)
                        self.assertEqual(done.digest, first.digest)
                        for name in data:
                            numpy.testing.assert_array_equal(other[name], data[name], err_msg=name)

    def test_samples_fit_what_was_asked(self):
        for number, deck in enumerate((
                [], ["table.layout=flat"], ["table.weights=exponential", "table.rate=0.4"],
                self.table(self.WEIGHTS), self.table(self.WEIGHTS.reshape(8, 4, 5, 3)))):
            with self.subTest(deck=deck):
                _, data, attributes = self.alias(*deck, "alias.samples=1000003",
                                                 f"streams.seed={number}")
                self.assertEqual(attributes["bits"], 64)
                self.assertTrue(1e-4 < attributes["p_value"] < 1 - 1e-4)
                for name in ("mean", "covariance"):
                    off = numpy.abs(data[name] - data[name + "_table"])
                    self.assertTrue((off <= 5 * data[name + "_error"] + 1e-12).all(), name)


class Refused(refusal.Refusal):
    def test_bits(self):
        for value in ("48", "wide", "64.0"):
            self.refuse(["alias", *QUICK, f"table.bits={value}"], f"table.bits={value}",
                        f"'{value}' is not one of: auto, 32, 64", ranks=[1])
        self.refuse(["alias", *QUICK, "table.bits=64", "table.rows=2049", "table.columns=2048"],
                    "table.bits=64 with a table of 4196352 cells",
                    "such thresholds are for tables of up to 4194304 cells",
                    "Set table.bits=auto, which reports what 32 bits change, or join neighbouring "
                    "cells.")

    def test_memory(self):
        """Buckets of 64 bits take more."""
        deck = ["alias", *QUICK, "table.weights=zipf", "table.cells=100000"]
        self.refuse([*deck, "table.memory=5 MiB"], "each rank needs 88 B per cell", ranks=[1])
        self.run_ok(*deck, "table.memory=5 MiB", "table.bits=32", "output.file=")
