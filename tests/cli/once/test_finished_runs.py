# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the end of a run: a kill before the checkpoint is removed, an output that may not be replaced, a file that
appears during the run, and a disk that loses a directory entry. Also tests signals at the start of a run."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py

import rivulet_cli
from interrupted import CHECKPOINT, CHECKPOINT_WRITTEN, OUTPUT, Started
from output_case import OutputCase
from test_checkpoint_outputs import PART, QUICKLY, SMALL, SOON, STEPS, Unfinished

PI = "pi pi.points=2e8 streams.count=64".split()
COMPLETE = "Rename the complete file, '"


class Done(Unfinished):
    """A kill between the renaming of the results and the removal of the checkpoint leaves both."""

    def finish_and_keep_a_copy(self, deck):
        self.leave(deck)
        shutil.copy(self.directory / CHECKPOINT, self.directory / "copy")
        self.run_ok("--resume", CHECKPOINT, QUICKLY)
        os.replace(self.directory / "copy", self.directory / CHECKPOINT)
        return (self.directory / OUTPUT).read_bytes()

    def test_a_resume_says_so(self):
        for deck in (SMALL, PI):
            content = self.finish_and_keep_a_copy(deck)
            for ranks in (1, 2) if rivulet_cli.MPIEXEC and deck == SMALL else (1,):
                shutil.copy(self.directory / CHECKPOINT, self.directory / "copy")
                done = rivulet_cli.run("--resume", CHECKPOINT, ranks=ranks, cwd=self.directory)
                self.assertEqual(done.code, 0, done)
                self.assertEqual(done.messages, [f"rivulet: the run of '{CHECKPOINT}' is done: its "
                                                 f"results are in '{OUTPUT}'."])
                self.assertEqual((self.directory / OUTPUT).read_bytes(), content)
                self.assertEqual(self.files(), ["copy", OUTPUT])
                os.replace(self.directory / "copy", self.directory / CHECKPOINT)
            (self.directory / CHECKPOINT).unlink()
            (self.directory / OUTPUT).unlink()

    def test_after_a_kill(self):
        """This test kills the run between renaming and removal; the other tests restore a copy of the checkpoint."""
        self.leave(SMALL)
        resume = ("--resume", CHECKPOINT, QUICKLY)
        killed = rivulet_cli.run(*resume, cwd=self.directory, variables=OutputCase.hostile(HOSTILE_KILLS="1"))
        self.assertNotIn(killed.code, (0, 1), killed)
        self.assertLessEqual({CHECKPOINT, OUTPUT}, set(self.files()))
        done = rivulet_cli.run(*resume, cwd=self.directory)
        self.assertEqual(done.code, 0, done)
        self.assertIn(f"the run of '{CHECKPOINT}' is done", done.err)
        self.assertEqual(self.files(), [OUTPUT])

    def test_only_of_its_own_results(self):
        content = self.finish_and_keep_a_copy(SMALL)
        self.require_refused("--resume", CHECKPOINT, "--output", "other.h5",
                             says=f"the run of checkpoint '{CHECKPOINT}' is done (its results are in '{OUTPUT}'). Rename or copy that file")
        path = self.directory / OUTPUT
        path.write_bytes(content[:100] + b"x" + content[101:])
        self.require_refused("--resume", CHECKPOINT, says="is damaged")
        path.unlink()
        self.run_ok(*SMALL, "--output", OUTPUT)
        self.require_refused("--resume", CHECKPOINT,
                             says="it exists, and may hold the results of the run to be resumed")
        self.assertIn(CHECKPOINT, self.files())


class Named(OutputCase):
    """If the output exists at the end of a run, or cannot be replaced, the results keep their temporary name."""

    def test_what_appears_meanwhile_stays(self):
        for variables in ({}, self.hostile(HOSTILE_OLD_RENAME="1")):
            run = self.start(*PI, "--output", OUTPUT, **variables)
            number = self.writer(OUTPUT)
            os.kill(number, signal.SIGSTOP)
            self.write(OUTPUT, "precious")
            os.kill(number, signal.SIGCONT)
            _, err = run.communicate(timeout=120)
            self.assertEqual(run.returncode, 1, err)
            self.assertIn(f"cannot write '{OUTPUT}' (another program made this file during the run)", err)
            self.assertEqual((self.directory / OUTPUT).read_text(), "precious")
            part = re.search(rf"{COMPLETE}({PART.pattern})'\.", err)[1]
            self.assertEqual(self.files(), sorted([OUTPUT, part]))
            with h5py.File(self.directory / part) as file:
                self.assertIn("digest", file.attrs)
            (self.directory / OUTPUT).unlink()
            (self.directory / part).unlink()

    @unittest.skipUnless(os.geteuid() == 0, "only root can make another user's file")
    def test_what_cannot_be_replaced_stays(self):
        """In a sticky folder such as /tmp only the renaming fails; the results keep their temporary name."""
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.chmod(folder, 0o1777)
            shutil.copy(rivulet_cli.BINARY, f"{folder}/rivulet")
            before = self.run_ok("pi", "pi.points=1000", "--output", f"{folder}/{OUTPUT}")
            done = subprocess.run([f"{folder}/rivulet", "pi", "pi.points=2000", "--output", OUTPUT],
                                  cwd=folder, user=65534,
                                  env={**os.environ, "HOME": folder,
                                       "OMPI_MCA_orte_tmpdir_base": folder,
                                       "PRTE_MCA_prte_tmpdir_base": folder},
                                  text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1, done)
            found = re.search(rf"cannot write '{OUTPUT}' \(Operation not permitted\)\. {COMPLETE}({PART.pattern})'\.",
                              done.stderr)
            self.assertTrue(found, done.stderr)
            with h5py.File(f"{folder}/{OUTPUT}") as old, h5py.File(f"{folder}/{found[1]}") as new:
                self.assertEqual(old.attrs["digest"], before.digest)
                self.assertEqual(new["results/pi"].attrs["points"], 2000)


class Disk(Unfinished):
    """The folder's entries may not be on the disk, because its fsync() fails."""

    def test_a_checkpoint_is_the_runs_all_the_same(self):
        loses = OutputCase.hostile(HOSTILE_LOSES=self.directory.name)
        for deck in (SMALL, PI):
            more = ["fill.numbers=5e8"] if deck == SMALL else ["pi.points=1e15"]
            left = self.stop_early(*deck, *more, *STEPS, limit="2 s", variables=loses)
            self.assertIn("rivulet: warning: the checkpoint may not survive a crash of the machine", left.err)
            self.assertNotIn("another run has since written", left.err)
            self.stop_early("--resume", CHECKPOINT, limit=SOON)
            self.remove_files()


class Early(Unfinished):
    def caught(self, process):
        """Waits until the process handles SIGTERM."""
        while True:
            with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
                caught = int(re.search(r"SigCgt:\s*([0-9a-f]+)", status.read())[1], 16)
            if caught >> (signal.SIGTERM - 1) & 1:
                return
            time.sleep(0.0002)

    def test_a_signal_at_the_begin_of_a_resumed_run(self):
        self.leave(SMALL)
        before = (self.directory / CHECKPOINT).read_bytes()
        started = Started(["--resume", CHECKPOINT], self.directory, 1)
        self.caught(started.process)
        started.process.send_signal(signal.SIGTERM)
        status, _, err = started.end()
        self.assertEqual(status, CHECKPOINT_WRITTEN, err)
        self.assertEqual((self.directory / CHECKPOINT).read_bytes(), before)
        started = Started(["--resume", "none.ckpt"], self.directory, 1)  # there is no such checkpoint
        self.caught(started.process)
        started.process.send_signal(signal.SIGTERM)
        self.assertIn(started.end()[0], (1, 128 + signal.SIGTERM))
