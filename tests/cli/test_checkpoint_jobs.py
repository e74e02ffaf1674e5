# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every job that can be continued is left by its time limit, and so after a piece, and goes on where it
was; what a checkpoint says of the run before it."""

import re
import unittest

import h5py
import numpy

import rivulet_cli
from interrupted import CHECKPOINT, LEFT, OUTPUT
from sealed import reseal
from test_checkpoint import Checkpointed

# Of more than two of the pieces that runs begin with, which are of 2^25 numbers, a set a thread, or a
# measurement.
PI = "pi pi.points=7.5e7 streams.count=64"
DECKS = {
    "alias": "alias alias.samples=4e7 streams.count=64 table.rows=10 table.columns=10",
    "occlusion": "occlusion occlusion.width=128 occlusion.height=96 occlusion.passes=[4,32]",
    "create": "create create.exponent=521 create.count=4",
    "sweep": "sweep sweep.numbers=20000 sweep.instances=[1,10] sweep.fetch=[10000] sweep.per_team=[1]",
}


class LeftEarly(Checkpointed):
    def leave_early(self, *arguments):
        """Too little time for another piece; percent of the work that are done."""
        done = rivulet_cli.run(*arguments, "--time-limit", "0.1 s", cwd=self.directory)
        self.assertEqual(done.code, LEFT, done)
        return float(re.search(r"left on time is up with (\S+) % of the work", done.err)[1])

    def begin(self, deck):
        return self.leave_early(*deck.split(), f"checkpoint.file={CHECKPOINT}", f"output.file={OUTPUT}")

    def change(self, change):
        """Something in the checkpoint, which is then as whole as before."""
        path = self.directory / CHECKPOINT
        with h5py.File(path, "r+") as file:
            change(file["state"])
        reseal(path, "checkpoint")


class EveryJob(LeftEarly):
    def test_is_left_and_continued(self):
        for job, deck in DECKS.items():
            with self.subTest(job=job):
                for name in self.files():
                    (self.directory / name).unlink()
                whole = self.run_ok(*deck.split(), "--output", "whole.h5").digest
                (self.directory / "whole.h5").unlink()
                begun = self.begin(deck)
                self.assertLess(0, begun)
                if job in ("create", "sweep"):  # whose results are alike if they begin anew
                    self.assertLess(begun, self.leave_early("--resume", CHECKPOINT))
                ranks = 2 if rivulet_cli.MPIEXEC and job != "sweep" else 1
                self.assertEqual(self.run_ok("--resume", CHECKPOINT, ranks=ranks).digest, whole)
                self.assertEqual(self.files(), [OUTPUT])


class Before(LeftEarly):
    """What a run says of the one that it continues."""

    def test_iterations_and_seconds_count(self):
        deck = PI + " pi.iterations=2"
        whole = self.run_ok(*deck.split(), "output.file=").digest
        begun = self.begin(deck)
        self.assertAlmostEqual(self.leave_early("--resume", CHECKPOINT) / begun, 2, delta=0.1)
        self.leave_early("--resume", CHECKPOINT)  # in the second iteration

        def change(state):
            self.assertEqual(state.attrs["iteration"], 1)
            state.attrs["seconds"] += 1000.0
        self.change(change)
        self.refused("--resume", CHECKPOINT, "pi.points=2e8", says="an iteration was counted already")
        done = self.run_ok("--resume", CHECKPOINT)
        self.assertEqual(done.digest, whole)
        with h5py.File(self.directory / OUTPUT) as file:
            self.assertLess(file["timing"].attrs["figure_of_merit"], 2e8 / 1000)

    def test_what_does_not_fit_the_deck_is_refused(self):
        self.begin(PI)

        def change(state):
            del state["hits"]
            state["hits"] = numpy.zeros(63, "u8")
        self.change(change)
        self.refused("--resume", CHECKPOINT, says="does not fit its deck ('hits' has 63 elements, not 64)")


if __name__ == "__main__":
    unittest.main()
