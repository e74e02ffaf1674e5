# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nightly: SIGKILL and SIGTERM each interrupt runs of all resumable jobs at a hundred random moments. The runs are
resumed on other numbers of ranks, and their digests equal those of uninterrupted runs."""

import os
import shutil
import signal
import subprocess
import unittest

import interrupted
from rivulet_cli import BINARY, Case, environment

MOMENTS = 100
SECONDS_TO_ANSWER = 5


class Hundred(Case):
    def series(self, signal_number):
        """Interrupts runs of all jobs in turn, MOMENTS times in total. Returns their endings."""
        wholes = {}
        endings = []
        rng = interrupted.seeded_random(signal_number.name)
        while len(endings) < MOMENTS:
            for job, deck in interrupted.DECKS.items():
                if job not in wholes:
                    digest = self.run_ok(*deck.split(), "output.file=whole.h5", timeout=600).digest
                    wholes[job] = digest, interrupted.numbers_of(self.directory / "whole.h5")
                    (self.directory / "whole.h5").unlink()
                endings += interrupted.series(self.directory, job, rng, signal_number, 2, 5)
                ranks = rng.choice(interrupted.RANKS[:2])
                digest = interrupted.finish(self.directory, interrupted.deck_of(job), ranks)
                numbers = interrupted.numbers_of(self.directory / interrupted.OUTPUT)
                self.assertEqual((digest, numbers), wholes[job], job)
                self.assertEqual(self.files(), [interrupted.OUTPUT], job)
                (self.directory / interrupted.OUTPUT).unlink()
        return endings

    def test_kill(self):
        self.series(signal.SIGKILL)

    def test_sigterm(self):
        for status, seconds, err in self.series(signal.SIGTERM):
            # With the last three statuses, the run had nothing to save yet, or was complete.
            self.assertIn(status, (interrupted.CHECKPOINT_WRITTEN, 128 + signal.SIGTERM, -signal.SIGTERM, 0), err)
            self.assertLess(seconds, SECONDS_TO_ANSWER, err)


@unittest.skipUnless(shutil.which("strace"), "needs strace, which kills at a system call")
class EveryCall(Case):
    """A run that writes its results as they are drawn is killed at each of its writing calls in turn."""

    DECK = "fill fill.to=file fill.type=uint32 fill.numbers=2e7 streams.count=7 fill.order=blocked"

    def killed_at(self, call, count):
        """Kills a resumed run at call number `count`. Returns False if the run made fewer calls."""
        # With this interval the resumed run writes checkpoints too, even on a fast machine.
        deck = [*self.DECK.split(), *interrupted.STEPS.split(), "checkpoint.every=0.01"]
        self.stop_early(*deck, limit="0.001 s")
        strace = ["strace", "-f", "-o", os.devnull, "-e", f"trace={call}", "-e",
                  f"inject={call}:signal=SIGKILL:when={count}"]
        killed = subprocess.run([*strace, BINARY, "--resume", interrupted.CHECKPOINT],
                                cwd=self.directory, env=environment(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return killed.returncode != 0

    def test_each(self):
        whole = self.directory / "whole.h5"
        self.run_ok(*self.DECK.split(), f"output.file={whole}")
        numbers = interrupted.numbers_of(whole)
        whole.unlink()
        for call in ("pwrite64", "ftruncate", "fsync", "rename", "renameat2"):
            count = 1
            while self.killed_at(call, count):
                with self.subTest(call=call, count=count):
                    interrupted.finish(self.directory, [], 1)
                    output = self.directory / interrupted.OUTPUT
                    self.assertEqual(interrupted.numbers_of(output), numbers)
                    for name in self.files():  # a kill after the renaming leaves some of these
                        self.assertIn(name, (interrupted.OUTPUT, interrupted.CHECKPOINT,
                                             f".{interrupted.OUTPUT}.lock"))
                        (self.directory / name).unlink()
                count += 1
            self.assertGreater(count, 1, call)
            (self.directory / interrupted.OUTPUT).unlink()
