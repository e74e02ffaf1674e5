# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The alias job refuses bad decks and tables: all ranks together print one message, and leave no file."""

import re
import shlex
import subprocess
import sys

import h5py
import numpy

import refusal
import rivulet_cli

ONE_RANK = {"ranks": [1]}  # for cases that share their code path with one that is tested on four ranks
QUICK = ["streams.generator=hybrid_tausworthe", "streams.count=16", "alias.samples=1000"]


class BadAlias(refusal.Refusal):
    def refuse_alias(self, deck, *phrases, **options):
        self.refuse(["alias", *QUICK, *deck], *phrases, **options)

    def refuse_alias_each(self, rows):
        self.refuse_each(((["alias", *QUICK, *deck], *phrases) for deck, *phrases in rows), **ONE_RANK)


class Weights(BadAlias):
    def test_weights_that_are_none(self):
        weights = numpy.ones((12, 11))
        weights[7, 3] = numpy.inf
        weights[9, 0] = -5  # only the first bad weight is reported
        self.refuse_alias(self.table(weights), f"weight {7 * 11 + 3} ", "infinite")
        self.refuse_alias(self.table(numpy.array([3, 4, -2], dtype="i2")), "weight 2 ", "negative",
                          **ONE_RANK)

    def test_nothing_to_draw(self):
        self.refuse_alias(self.table(numpy.zeros(5)), "all weights of the table are 0")
        self.refuse_alias(["table.weights=exponential", "table.rate=-100"], "weight 8 ", "infinite",
                          **ONE_RANK)

    def test_empty_tables(self):
        self.refuse_alias(self.table(numpy.zeros(0)), "the table is empty")


class Files(BadAlias):
    def test_what_is_missing(self):
        self.refuse_alias(["table.weights=file", "table.file=no.h5"], "cannot read 'no.h5'",
                          "no such file", "Check table.file.")
        self.refuse_alias(["table.weights=file"], "table.weights=file without table.file",
                          **ONE_RANK)
        deck = self.table(numpy.ones(3), other=numpy.ones(3))
        self.refuse_alias([*deck, "table.dataset=w"], "cannot read 'w' of 'table.h5'",
                          "it holds other, weights")
        self.refuse_alias([*deck, "table.axes=x"], "cannot read 'x' of 'table.h5'", **ONE_RANK)

    def test_missing_tables_that_a_script_makes(self):
        self.refuse([rivulet_cli.SOURCE_DIR.resolve() / "inputs/neutron.yaml", *QUICK],
                    "cannot read 'neutron.h5' (there is no such file). Check table.file, or run "
                    "`scripts/make_neutron_table` ",
                    **ONE_RANK)

    def test_elements_that_were_never_written(self):
        """netCDF's libraries leave this fill value in elements that were not written."""
        weights = numpy.ones((3, 4), "f4")
        weights[2, 1] = 9.969209968386869e36
        self.refuse_alias(self.table(weights), "cannot read 'weights' of 'table.h5'",
                          "they have the fill value 9.96921e+36", "0 for a cell that is never drawn", **ONE_RANK)
        deck = self.table(numpy.array([1, 65535, 2], "u2"))
        with h5py.File(self.directory / "table.h5", "a") as file:
            file["weights"].attrs["_FillValue"] = numpy.array([65535], "u2")
        self.refuse_alias(deck, "they have the fill value 65535", **ONE_RANK)
        with h5py.File(self.directory / "table.h5", "a") as file:
            file["weights"].attrs["_FillValue"] = numpy.array([3], "u2")
        self.run_ok("alias", *QUICK, *deck, "output.file=")

    def test_a_filter_that_hdf5_lacks(self):
        deck = self.table(numpy.ones(300))
        with h5py.File(self.directory / "table.h5", "w") as file:  # the filter lzf exists only in h5py
            file.create_dataset("weights", data=numpy.ones(300), compression="lzf")
        self.refuse_alias(deck, "cannot read 'weights' of 'table.h5'", "HDF5 lacks its filter 32000 'lzf'",
                          "HDF5_PLUGIN_PATH", **ONE_RANK)

    def test_csv_tables(self):
        """The message shows the command that converts a CSV table to HDF5."""
        self.write("my table's.CSV", "1,2,0.5\n3,4,5\n")
        deck = ["alias", *QUICK, "table.weights=file"]
        self.refuse([*deck, "table.file=my table's.CSV"],
                    "cannot read 'my table's.CSV' (CSV tables are no longer read). Convert it to HDF5 and "
                    "name the new file, for example with `python3 -c 'import sys, h5py, numpy; ")
        said = rivulet_cli.run(*deck, "table.file=my table's.CSV", cwd=self.directory)
        program, option, *lines = shlex.split(re.search("`(.*)`", said.messages[0])[1])
        self.assertEqual((program, option), ("python3", "-c"))
        subprocess.run([sys.executable, "-c", *lines], cwd=self.directory, check=True)
        made = self.run_ok(*deck, "table.file=my table's.h5", "output.file=")
        self.assertEqual(made.digest, self.run_ok(
            "alias", *QUICK, *self.table(numpy.array([[1, 2, 0.5], [3, 4, 5]])), "output.file=").digest)

    def test_axes_that_do_not_match(self):
        weights = numpy.ones((4, 3))
        deck = self.table(weights, four=numpy.arange(4.0), three=numpy.arange(3.0),
                          edges=numpy.array([0, 1, 1, 2]), plane=weights,
                          lost=numpy.array([0, numpy.nan, 1]))
        self.refuse_alias_each(
            ([*deck, f"table.axes={axes}"], phrase) for axes, phrase in (
                ("four", "table.axes names 1 axes"), ("four,three,three", "table.axes names 3 axes"),
                ("three,four", "axis 'three' has 3 values"), ("four,plane", "it has 2 dimensions"),
                ("four,", "cannot read ''"), ("four,lost", "value 1 of axis 'lost' is nan"),
                ("four,edges", "edge 2 of axis 'edges' is not above")))
        self.refuse_alias([*deck, "table.axes=three,three"], "axis 'three' has 3 values",
                          "the table has 4 cells")
        self.refuse_alias([*deck, "table.axes=four,three", "alias.within=uniform",
                           "alias.keep=coordinates"], "points of axis 'four'", "5 edges")


class Decks(BadAlias):
    def test_what_cannot_be_together(self):
        self.refuse_alias_each((
            (["alias.samples=15"], "alias.samples=15 on 16 streams"),
            (["alias.within=uniform"], "alias.within=uniform with alias.keep=none"),
            (["table.file=a.h5"], "table.file without table.weights=file"),
            (["table.axes=a,b"], "table.axes without table.weights=file"),
            (["alias.samples=0"], "alias.samples"), (["alias.samples=1e19"], "alias.samples")))
        self.refuse_alias(["alias.keep=indices", "output.file="], "without output.file",
                          output=None, **ONE_RANK)

    def test_more_cells_than_memory(self):
        """Every rank stores the whole table."""
        big = ["table.rows=1000", "table.columns=1000"]
        self.refuse_alias([*big, "table.memory=10 MiB"],
                          "no memory for a table of 1000000 cells (each rank needs 80 B per cell, 76.3 MiB, and "
                          "table.memory is 10 MiB). Raise table.memory, or join neighbouring cells.")
        self.refuse_alias([*big, "table.memory=10 MiB", "table.bits=32", "table.layout=flat"], "48 B per cell", **ONE_RANK)
        self.refuse_alias(["table.rows=70000", "table.columns=70000"], "is too large", **ONE_RANK)

    def test_too_little_memory_for_samples(self):
        deck = ["alias", *QUICK, "streams.count=500", "alias.keep=indices"]
        least = self.minimum_memory(deck, "alias.memory")
        self.run_ok(*deck, f"alias.memory={least}", "--output", "ok.h5")

    def test_a_full_disk(self):
        self.refuse_alias(["alias.keep=indices", "alias.samples=1e7"], "cannot write 'out.h5",
                          "File too large", file_limit=20 << 20)
