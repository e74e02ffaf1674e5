# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that write their results as they draw them are interrupted or killed, and resumed. The resumed runs continue the
unfinished file, and refuse any other file of the same name."""

import os
import pathlib
import re
import shutil
import signal
import time

import h5py
import numpy

from interrupted import CHECKPOINT, CHECKPOINT_WRITTEN, OUTPUT, Interrupted, Started
from output_case import OutputCase
from rivulet_cli import run

WHOLE = "whole.h5"
FILL = "fill fill.to=file fill.type=uint32 streams.count=40"
DECKS = {
    "fill": (f"{FILL} fill.numbers=1.4e7", ["fill/numbers"]),
    "fill in blocks": (f"{FILL} fill.numbers=14000001 fill.order=blocked fill.block=40000",
                       ["fill/numbers"]),
    "alias": ("alias alias.samples=7e6 streams.count=7 table.rows=30 table.columns=30 "
              "alias.keep=coordinates alias.within=uniform",
              ["alias/indices", "alias/coordinate0", "alias/coordinate1"]),
    "correlate": ("correlate correlate.numbers=1.2e7 streams.count=10",
                  ["correlate/product_upper", "correlate/product_lower", "correlate/ends",
                   "correlate/correlation"]),
}
SMALL = f"{FILL} fill.numbers=6e6".split()
STEPS = f"checkpoint.file={CHECKPOINT} checkpoint.every=0.01 output.file={OUTPUT}".split()
SOON = "0.001 s"  # a time limit that stops a run after its first piece
QUICKLY = "checkpoint.every=1h"
PART = re.compile(r"out\.h5\.[0-9a-f]{16}\.part")
UNFINISHED = re.compile(r"out\.h5\.[0-9a-f]{16}\.unfinished")


class Unfinished(Interrupted):
    def part(self):
        (name,) = [one for one in self.files() if UNFINISHED.fullmatch(one)]
        return self.directory / name

    def leave(self, deck, *more, ranks=1):
        return self.stop_early(*deck, *STEPS, *more, limit=SOON, ranks=ranks)

    def expect_same(self, names, *others):
        with h5py.File(self.directory / WHOLE) as one, h5py.File(self.directory / OUTPUT) as other:
            self.assertEqual(one.attrs["digest"], other.attrs["digest"])
            self.assertEqual(sorted(one), sorted(other))
            for name in names:
                at = f"/results/{name}"
                self.assertTrue(numpy.array_equal(one[at][:], other[at][:]), name)
        self.assertEqual(self.files(), sorted([WHOLE, OUTPUT, *others]))

    def started(self, deck, ranks=1):
        """Starts a run, and returns it once it has a checkpoint or has ended."""
        started = Started([*deck, *STEPS], self.directory, ranks)
        while not (self.directory / CHECKPOINT).exists() and started.process.poll() is None:
            time.sleep(0.002)
        return started

    def stopped(self, deck, signal_number, ranks):
        """Sends a signal to a run once it has a checkpoint. Returns status and messages."""
        started = self.started(deck, ranks)
        started.send(signal_number)
        status, _, err = started.end()
        return status, err

    def interrupted_anywhere(self, job, signal_number, ranks, resume_ranks):
        """Runs a deck without interruption, and again with a signal after the first checkpoint."""
        deck, names = DECKS[job]
        deck = deck.split()
        self.run_ok(*deck, f"output.file={WHOLE}")
        status, err = self.stopped(deck, signal_number, ranks)
        for _ in range(9):
            if status != 0:
                break
            (self.directory / OUTPUT).unlink()  # the run was faster than the signal
            status, err = self.stopped(deck, signal_number, ranks)
        self.assertNotEqual(status, 0, "ten runs ended before their signals")
        if signal_number == signal.SIGTERM:
            self.assertEqual(status, CHECKPOINT_WRITTEN, err)
            written = job != "correlate"
            self.assertEqual(f"; the results so far are in '{self.part().name}'." in err if written
                             else "so far" not in err, True, err)
            self.assertEqual(len(self.files()), 3 if written else 2)
        self.run_ok("--resume", CHECKPOINT, QUICKLY, ranks=resume_ranks)
        self.expect_same(names)


class Continued(Unfinished):
    def test_fill(self):
        self.interrupted_anywhere("fill", signal.SIGTERM, 1, 2)

    def test_fill_killed(self):
        self.interrupted_anywhere("fill in blocks", signal.SIGKILL, 2, 1)

    def test_alias_killed(self):
        self.interrupted_anywhere("alias", signal.SIGKILL, 1, 2)

    def test_correlate(self):
        self.interrupted_anywhere("correlate", signal.SIGTERM, 1, 2)

    def test_with_what_a_kill_among_the_last_writes_leaves(self):
        self.run_ok(*SMALL, f"output.file={WHOLE}")
        self.leave(SMALL)
        with h5py.File(self.part(), "r") as file:
            first = file["/results/fill/numbers"].id.get_chunk_info(0).byte_offset
            begin = file.userblock_size
        with open(self.part(), "r+b") as file:
            mark = file.read(begin + first).index(b"rivulet: unfinished")
            file.seek(begin)
            file.write(b"\xa5" * (mark - 8 - begin))
            file.seek(0, os.SEEK_END)
            file.write(b"\xa5" * 5000)
        self.run_ok("--resume", CHECKPOINT, QUICKLY)
        self.expect_same(["fill/numbers"])

    def test_under_another_name_beside_files_of_like_ones(self):
        self.run_ok(*SMALL, f"output.file={WHOLE}")
        likes = ["out.h5.part", "out.h5.0123456789abcdef.part", "other.h5.part"]
        for like in likes:
            self.write(like, "a user's")
        left = self.leave(SMALL)
        part = re.search(r"in '(.*)'", left.messages[0]).group(1)
        # Another run may take the output's name in the meantime.
        self.run_ok("fill", "fill.to=file", "fill.numbers=100", f"output.file={OUTPUT}")
        self.assertIn(part, self.files())
        self.run_ok("--resume", CHECKPOINT, QUICKLY, "--output", "other.h5")
        for like in likes:
            self.assertEqual((self.directory / like).read_text(), "a user's")
        os.replace(self.directory / "other.h5", self.directory / OUTPUT)
        self.expect_same(["fill/numbers"], *likes)

    def test_numbers_that_are_lost_on_their_way_to_the_disk(self):
        for more in ({}, {"HOSTILE_WAITS": "1"}):
            lost = run(*SMALL, *STEPS, "--time-limit", SOON, cwd=self.directory,
                       variables=OutputCase.hostile(HOSTILE_LOSES=".part", **more))
            self.assertEqual(lost.code, 1, lost)
            self.assertIn(f"cannot write '{OUTPUT}'", lost.err)
            self.assertNotIn("warning", lost.err)
            self.assertEqual(self.files(), [])

    def test_a_checkpoint_that_is_another_runs_meanwhile(self):
        for _ in range(10):
            started = self.started([*FILL.split(), "fill.numbers=8e7"])
            started.send(signal.SIGSTOP)
            other = shutil.copy(self.directory / CHECKPOINT, self.directory / "other")
            content = (self.directory / other).read_bytes()
            os.replace(other, self.directory / CHECKPOINT)
            started.send(signal.SIGCONT)
            code, _, err = started.end()
            self.assertEqual(code, 0, err)
            self.assertEqual((self.directory / CHECKPOINT).read_bytes(), content)
            (self.directory / CHECKPOINT).unlink()
            if err:  # on a slow disk there may be no time for another checkpoint
                break
            (self.directory / OUTPUT).unlink()
        self.assertIn("another run has since written a checkpoint of this name", err)

    def test_going_on_with_another_checkpoint_leaves_none(self):
        self.run_ok(*SMALL, f"output.file={WHOLE}")
        self.leave(SMALL)
        self.run_ok("--resume", CHECKPOINT, "checkpoint.file=b.ckpt")
        self.expect_same(["fill/numbers"])

    def test_after_a_kill_that_another_run_has_followed(self):
        started = self.started([*FILL.split(), "fill.numbers=8e7"])
        started.send(signal.SIGSTOP)  # the first run must not end before the second one has tried
        second = run("--resume", CHECKPOINT, "--output", "b.h5", cwd=self.directory)
        self.assertIn("cannot write 'out.h5' (another run is writing it: process", second.err)
        started.send(signal.SIGKILL)
        started.end()
        part = self.part()
        self.run_ok("fill", "fill.to=file", "fill.numbers=100", f"output.file={OUTPUT}")
        self.assertTrue({OUTPUT, part.name, CHECKPOINT} <= set(self.files()), self.files())
        # The kill may have left a partial checkpoint, which the next run removes.
        lock = self.directory / f".{CHECKPOINT}.lock"
        lock.touch()
        self.run_ok("--resume", CHECKPOINT, QUICKLY, "--output", "b.h5")
        self.assertEqual(self.files(), ["b.h5", OUTPUT])


class Refused(Unfinished):
    def test_what_is_not_the_unfinished_file(self):
        self.leave(SMALL)
        part = self.part()
        whole = part.rename(self.directory / "moved")
        holds = (f"cannot continue '{part.name}' (the file of numbers that the run has "
                 "written ")
        self.require_refused("--resume", CHECKPOINT, says=holds + "is gone). Put it back where it was, or remove")
        part.symlink_to(whole)
        self.require_refused("--resume", CHECKPOINT, says=holds + "is not a regular file)")
        part.unlink()
        os.mkfifo(part)
        self.require_refused("--resume", CHECKPOINT, says=holds + "is not a regular file)")
        part.unlink()
        part.write_bytes(whole.read_bytes()[:-1])
        self.require_refused("--resume", CHECKPOINT, says=holds + "was cut short, from ")
        part.unlink()
        self.run_ok(*SMALL, f"output.file={part.name}")  # another file of Rivulet, of the same size
        self.require_refused("--resume", CHECKPOINT, says=holds + "was replaced by another file)")
        if os.path.isdir("/dev/shm") and os.stat("/dev/shm").st_dev != os.stat(whole).st_dev:
            to = pathlib.Path("/dev/shm") / f"rivulet-test-{os.getpid()}.h5"
            self.require_refused("--resume", CHECKPOINT, "--output", to,
                                 says="is on another file system and cannot be renamed to it). Choose a path")
            self.assertFalse(to.exists())
        whole.replace(part)
        self.run_ok("--resume", CHECKPOINT, QUICKLY)
        self.assertEqual(self.files(), [OUTPUT])

    def test_to_keep_a_checkpoint_without_its_file(self):
        done = run(*SMALL, *STEPS, "checkpoint.keep=true", cwd=self.directory)
        self.assertEqual(done.code, 1, done)
        self.assertIn("checkpoint.keep=true for a run that writes its numbers as it draws them",
                      done.err)
        self.assertEqual(self.files(), [])
