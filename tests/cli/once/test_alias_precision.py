# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the alias job's report of a table's precision, and 64-bit thresholds."""

import re

import numpy

import refusal
import rivulet_cli
from test_alias import QUICK, AliasCase

LEAST_CHANGE = 1e-6  # the smallest change of a probability that causes a warning


class Precision(AliasCase):
    def alias(self, *overrides, **options):
        return super().alias("alias.samples=30011", *overrides, **options)

    @staticmethod
    def warnings(done):
        """Returns the warnings about the table, without those about few streams. A note is a warning about cells that a
        run of this length never draws."""
        return [line for line in re.findall(r"(?m)^(?:warning|note): (.*)", done.out)
                if not re.match(r"\d+ streams? of ", line)]


class Reports(Precision):
    def test_what_no_run_of_this_length_shows(self):
        deck = ["alias", "streams.count=64", "output.file="]
        done = self.run_ok(*deck, "alias.samples=1e6")
        self.assertNotIn("warning", done.out + done.err)
        self.assertEqual(len(re.findall("(?m)^note: cell", done.out)), 2)
        self.assertLess(float(done.result("samples expected in these cells")), 1e-3)
        for samples, word in (("1e5", "note"), ("1e7", "warning")):  # the probability is 1.05e-9 instead of 1e-9
            done = self.run_ok(*deck, *self.table(numpy.array([1, 1e-9])), "table.bits=32", f"alias.samples={samples}")
            self.assertIn(f"\n{word}: cell 1 is drawn with probability", done.out)
        # The prefix sum at cell 1 just reaches half a unit, and rounding gives the cell a whole unit. The report uses
        # the rounded probability, so it warns.
        weights = numpy.array([1 - 2.0**-50, 2.0**-50, 6 * 2.0**32 - 1])
        done = self.run_ok(*deck, *self.table(weights), "table.bits=32", "alias.samples=2e7")
        self.assertIn("\nwarning: cell 1 is drawn with probability 7.76102", done.out)

    def test_large_tables_keep_32_bits(self):
        cells = 4194305
        deck = ["table.weights=power", "table.exponent=2", f"table.cells={cells}"]
        done, _, attributes = self.alias(*deck)
        self.assertEqual(attributes["bits"], 32)
        self.assertGreater(attributes["largest_change"], LEAST_CHANGE)
        self.assertIn("(thresholds have 32 bits). Join unlikely cells.",
                      self.warnings(done)[0])


class Wide(Precision):
    # Weights from 1 to 2^-60 in irregular order, sampled by rows and as one row.
    WEIGHTS = 2.0 ** -((numpy.arange(480) * 7919) % 61).reshape(32, 15)

    def test_the_same_on_any_layout(self):
        deck = [*self.table(self.WEIGHTS), "alias.keep=indices"]
        for layout, words in (("conditional", 6), ("flat", 3)):
            for generator in ("dcmt521", "lfsr113"):
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


class Refused(refusal.Refusal):
    def test_bits(self):
        for value in ("48", "wide", "64.0"):
            self.refuse(["alias", *QUICK, f"table.bits={value}"], f"table.bits={value}",
                        f"'{value}' is not one of: auto, 32, 64", ranks=[1])
        self.refuse(["alias", *QUICK, "table.bits=64", "table.rows=2049", "table.columns=2048"],
                    "table.bits=64 with a table of 4196352 cells",
                    "64-bit thresholds are for tables of up to 4194304 cells",
                    "Set table.bits=auto, which reports what 32 bits change, or join neighbouring "
                    "cells.")

    def test_memory(self):
        """Tables with 64-bit thresholds take more memory."""
        deck = ["alias", *QUICK, "alias.samples=30011", "table.weights=zipf", "table.cells=100000"]
        self.refuse([*deck, "table.memory=5 MiB"], "each rank needs 80 B per cell", ranks=[1])
        self.run_ok(*deck, "table.memory=5 MiB", "table.bits=32", "output.file=")
