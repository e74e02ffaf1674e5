# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every resumable job stops at its time limit after one piece, and resumes there. A resumed run keeps the iterations
and seconds of the run before it."""

import re

import h5py
import numpy

import rivulet_cli
from interrupted import CHECKPOINT, OUTPUT
from test_checkpoint import Checkpointed

# Decks with more work than two first pieces. A first piece has 2^25 numbers or, for create, one set per thread.
PI = "pi pi.points=7.5e7 streams.count=64"
DECKS = {
    "alias": "alias alias.samples=4e7 streams.count=64 table.rows=10 table.columns=10",
    "occlusion": "occlusion occlusion.width=128 occlusion.height=96 occlusion.passes=[4,32]",
    "create": "create create.exponent=521 create.count=4",
}


class LeftEarly(Checkpointed):
    def leave_early(self, *arguments):
        """Runs with a time limit too short for a second piece. Returns the percentage of the work that is done."""
        done = self.stop_early(*arguments)
        return float(re.search(r"stopped at the time limit \(--time-limit\) with (\S+) % of the work", done.err)[1])

    def begin(self, deck):
        return self.leave_early(*deck.split(), f"checkpoint.file={CHECKPOINT}", f"output.file={OUTPUT}")

    def change(self, change):
        """Changes the state in the checkpoint, and renews the seal."""
        path = self.directory / CHECKPOINT
        with h5py.File(path, "r+") as file:
            change(file["state"])
        rivulet_cli.reseal(path, "checkpoint")


class EveryJob(LeftEarly):
    def test_is_left_and_continued(self):
        for job, deck in DECKS.items():
            with self.subTest(job=job):
                self.remove_files()
                whole = self.run_ok(*deck.split(), "--output", "whole.h5").digest
                (self.directory / "whole.h5").unlink()
                begun = self.begin(deck)
                self.assertLess(0, begun)
                if job == "create":  # its digest would be the same after a fresh start
                    self.assertLess(begun, self.leave_early("--resume", CHECKPOINT))
                ranks = 2 if rivulet_cli.MPIEXEC else 1
                self.assertEqual(self.run_ok("--resume", CHECKPOINT, ranks=ranks).digest, whole)
                self.assertEqual(self.files(), [OUTPUT])


class Before(LeftEarly):
    """Checks what a resumed run takes from its checkpoint."""

    def test_iterations_and_seconds_count(self):
        deck = PI + " pi.iterations=2"
        whole = self.run_ok(*deck.split(), "output.file=").digest
        begun = self.begin(deck)
        self.assertAlmostEqual(self.leave_early("--resume", CHECKPOINT) / begun, 2, delta=0.1)
        self.leave_early("--resume", CHECKPOINT)  # stops in the second iteration

        def change(state):
            self.assertEqual(state.attrs["iteration"], 1)
            state.attrs["seconds"] += 1000.0
        self.change(change)
        self.require_refused("--resume", CHECKPOINT, "pi.points=2e8", says="an iteration has already been counted")
        self.leave_early("--resume", CHECKPOINT)
        self.change(lambda state: self.assertGreater(state.attrs["seconds"], 1000))
        done = self.run_ok("--resume", CHECKPOINT)
        self.assertEqual(done.digest, whole)
        with h5py.File(self.directory / OUTPUT) as file:
            self.assertLess(file["timing"].attrs["figure_of_merit"], 2e8 / 1000)

    def test_what_does_not_fit_the_deck_is_refused(self):
        """Gives each key of the state a value that belongs to another deck or format."""
        fill = "fill fill.to=file fill.type=uint32 fill.numbers=5e6 streams.count=64"
        correlate = "correlate correlate.numbers=4e6 correlate.lags=50 streams.count=64"
        for deck, changes in {
                PI: {"hits": (63, "'hits' has 63 elements, not 64"), "iteration": (1, "it is of iteration 2 of 1"),
                     "format": (1, "has another format (this Rivulet reads format 3)")},
                fill: {"output_head_bytes": (10**9, "elements, not 125000000")},
                correlate: {"at": (62501, "it is at position 62501 of 62500"),
                            "product_upper": (10**6, "'product_upper' has 1000000 elements, not 51"),
                            "product_lower": (50, "'product_lower' has 50 elements, not 51"),
                            "ends": (51, "'ends' has 51 elements, not 50")},
                DECKS["alias"]: {"at": (2**40, "it is at position 1099511627776 of 625000")}}.items():
            self.begin(deck)
            whole = (self.directory / CHECKPOINT).read_bytes()
            for key, (value, says) in changes.items():
                with self.subTest(deck=deck, key=key):
                    (self.directory / CHECKPOINT).write_bytes(whole)
                    self.change(lambda state, key=key, value=value: self.put(state, key, value))
                    self.require_refused("--resume", CHECKPOINT, says=says)
            self.remove_files()

    def test_where_a_fill_is_that_does_not_fit(self):
        """The run detects the mismatch after it has opened the unfinished file; the file stays intact."""
        fill = "fill fill.to=file fill.type=uint32 fill.numbers=5e6 streams.count=64"
        whole = self.run_ok(*fill.split(), "output.file=whole.h5").digest
        self.begin(fill)
        checkpoint = (self.directory / CHECKPOINT).read_bytes()
        self.change(lambda state: self.put(state, "at", 2**63))
        done = rivulet_cli.run("--resume", CHECKPOINT, cwd=self.directory)
        self.assertEqual((done.code, len(done.messages)), (1, 1), done)
        self.assertIn("it is at position 9223372036854775808 of 78125", done.messages[0])
        (self.directory / CHECKPOINT).write_bytes(checkpoint)
        self.assertEqual(self.run_ok("--resume", CHECKPOINT).digest, whole)

    @staticmethod
    def put(state, key, value):
        """Sets an attribute, or replaces a dataset by one of `value` elements."""
        if key in state.attrs:
            state.attrs[key] = numpy.uint64(value)
        else:
            kind = state[key].dtype
            del state[key]
            state[key] = numpy.zeros(value, kind)
