# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nightly: runs of every job that can be continued are killed, or sent SIGTERM, at a hundred random
moments each, and continued on other ranks: their digests are those of runs without a break."""

import signal
import unittest

import interrupted
from rivulet_cli import Case

MOMENTS = 100
SECONDS_TO_ANSWER = 5


class Hundred(Case):
    def series(self, how):
        """Endings of as many interruptions as there are moments, over all jobs in turn."""
        wholes = {}
        endings = []
        chance = interrupted.random_of(how.name)
        while len(endings) < MOMENTS:
            for job, deck in interrupted.DECKS.items():
                if job not in wholes:
                    wholes[job] = self.run_ok(*deck.split(), "output.file=whole.h5",
                                              timeout=600).digest
                    (self.directory / "whole.h5").unlink()
                steps = interrupted.deck_of(job)
                endings += interrupted.series(self.directory, steps, chance, how, 2, 5)
                self.assertEqual(interrupted.finish(self.directory, steps, chance.choice((1, 2))),
                                 wholes[job], job)
                self.assertEqual(self.files(), [interrupted.OUTPUT], job)
                (self.directory / interrupted.OUTPUT).unlink()
        return endings

    def test_kill(self):
        self.series(signal.SIGKILL)

    def test_sigterm(self):
        for status, seconds, err in self.series(signal.SIGTERM):
            # Where nothing could be saved yet, or all was done.
            self.assertIn(status, (interrupted.LEFT, 128 + signal.SIGTERM, -signal.SIGTERM, 0), err)
            self.assertLess(seconds, SECONDS_TO_ANSWER, err)


if __name__ == "__main__":
    unittest.main()
