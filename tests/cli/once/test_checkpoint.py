# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that are killed or interrupted, and then resumed, have the results of uninterrupted runs."""

import os
import shutil
import signal
import subprocess
import time
import unittest

import h5py

import interrupted
import rivulet_cli
from interrupted import CHECKPOINT, CHECKPOINT_WRITTEN, OUTPUT, Started
from rivulet_cli import Case, reseal, run

# This run takes hours, so it does not end by itself. It writes a checkpoint every 0.05 s.
ENDLESS = f"pi pi.points=1e15 streams.count=64 {interrupted.STEPS}".split()
SMALL = "pi pi.points=3e7 streams.count=64 checkpoint.every=0.01".split()


class Checkpointed(interrupted.Interrupted):
    """A test of runs that leave a checkpoint."""

    def start(self, arguments, ranks=1):
        started = Started(arguments, self.directory, ranks)
        self.addCleanup(started.kill)
        return started

    def wait_for_a_checkpoint(self):
        """Waits until the run has written a new checkpoint."""
        path = self.directory / CHECKPOINT
        began = time.time()
        while time.time() < began + 60:
            if path.exists() and path.stat().st_mtime > began:
                return
            time.sleep(0.02)
        self.fail("no checkpoint in a minute")

    def leave(self, *more, deck=None):
        """Starts a run and stops it with SIGTERM after its first checkpoint."""
        left = self.start([*(deck or ENDLESS), *more])
        self.wait_for_a_checkpoint()
        left.send(signal.SIGTERM)
        status, _, err = left.end()
        self.assertEqual(status, CHECKPOINT_WRITTEN, err)
        self.assertEqual(self.files(), [CHECKPOINT])
        return err


class Killed(Case):
    """Runs get SIGKILL at random moments; tests/cli/hundred_kills.py repeats this at a hundred moments."""

    def test_five_times_and_continued_on_other_ranks(self):
        rng = interrupted.seeded_random("five")
        deck = interrupted.deck_of("pi")
        whole = self.run_ok(*interrupted.DECKS["pi"].split(), "output.file=").digest
        interrupted.series(self.directory, "pi", rng, signal.SIGKILL, 1, 5)
        self.assertEqual(interrupted.finish(self.directory, deck, 1), whole)
        self.assertEqual(self.files(), [OUTPUT])


class Left(Checkpointed):
    def test_on_each_signal_and_continued(self):
        for which in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU):
            with self.subTest(which.name):
                left = self.start(ENDLESS if which == signal.SIGTERM else ["--resume", CHECKPOINT])
                self.wait_for_a_checkpoint()
                left.send(which)
                status, _, err = left.end()
                self.assertEqual(status, CHECKPOINT_WRITTEN, err)
                self.assertRegex(err, rf"^rivulet: stopped by {which.name} with .* % of the work done. "
                                      rf"Continue with `rivulet --resume {CHECKPOINT}`.\n$")
                self.assertEqual(self.files(), [CHECKPOINT])

    def test_when_one_of_two_ranks_is_told(self):
        for rank, arguments in enumerate((ENDLESS, ["--resume", CHECKPOINT])):
            left = self.start(arguments, ranks=2)
            self.wait_for_a_checkpoint()
            left.send(signal.SIGUSR1, rank)
            status, _, err = left.end()
            self.assertEqual(status, CHECKPOINT_WRITTEN, err)
            self.assertEqual(self.files(), [CHECKPOINT])

    @unittest.skipUnless(shutil.which("strace"), "needs strace, which sends a signal at a system call")
    def test_while_a_resumed_run_starts_again(self):
        """A resumed run restarts itself to shorten the waits of its threads. A signal may arrive while it looks up its
        own path, before it handles signals."""
        if "OpenMP" not in rivulet_cli.backends():
            self.skipTest("a build without OpenMP")
        self.leave()
        strace = ["strace", "-o", os.devnull, "-e", r"trace=/^readlink(at)?$", "-e",
                  r"inject=/^readlink(at)?$:signal=SIGTERM:when=1"]
        environment = rivulet_cli.environment(OMP_WAIT_POLICY=None, GOMP_SPINCOUNT=None)
        done = subprocess.run([*strace, rivulet_cli.BINARY, "--resume", CHECKPOINT, "--time-limit", "1 s"],
                              cwd=self.directory, env=environment, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (CHECKPOINT_WRITTEN, b""))
        self.assertEqual(self.files(), [CHECKPOINT])

    def test_when_time_is_up(self):
        end = {"SLURM_JOB_END_TIME": str(int(time.time()) + 62)}
        for name, arguments, variables, said in (
                ("limit", ["--time-limit", "2 s"], {}, "--time-limit"),
                ("slurm", [], end, "a minute before SLURM_JOB_END_TIME"),
                ("both", ["--time-limit", "1 s"], {"SLURM_JOB_END_TIME": "1700000000"}, "--time-limit")):
            with self.subTest(name):
                done = run(*ENDLESS, f"checkpoint.file={name}", *arguments, cwd=self.directory,
                           variables=variables)
                self.assertEqual(done.code, CHECKPOINT_WRITTEN, done)
                self.assertIn(f"stopped at the time limit ({said}) with", done.err)
                self.assertEqual("SLURM_JOB_END_TIME is past" in done.err, name == "both")

    def test_at_once_before_there_is_anything_to_save(self):
        left = self.start("pi pi.points=1e13 streams.count=64 output.file=out.h5".split())
        while len(self.files()) < 2:
            time.sleep(0.02)
        time.sleep(0.1)  # until the signal handler knows the lock and the temporary file
        left.send(signal.SIGTERM)
        self.assertEqual(left.end()[0], 128 + signal.SIGTERM)
        self.assertEqual(self.files(), [])


class Continued(Checkpointed):
    def test_with_other_segments_and_mappings(self):
        deck = "pi pi.points=2e8 streams.count=3 streams.generator=ranmar48".split()
        whole = self.run_ok(*deck, "output.file=").digest
        for more in ([*deck, *interrupted.STEPS.split()],
                     ["--resume", CHECKPOINT, "streams.mapping=team", "streams.segments=2"]):
            # The limit is too short for a second piece, so each run stops after its first.
            self.stop_early(*more)
        done = self.run_ok("--resume", CHECKPOINT, "streams.mapping=lane", "streams.segments=5")
        self.assertEqual(done.digest, whole)
        self.assertEqual(self.files(), [OUTPUT])

    def test_running_estimates_are_those_of_one_run(self):
        once, pieces = "once.h5", "pieces.h5"
        self.run_ok(*SMALL[:3], f"output.file={once}")
        self.run_ok(*SMALL, f"checkpoint.file={CHECKPOINT}", f"output.file={pieces}")
        with h5py.File(self.directory / once) as one, h5py.File(self.directory / pieces) as other:
            for name in ("hits", "running_hits", "running_points"):
                at = f"/results/pi/{name}"
                self.assertEqual(list(one[at]), list(other[at]), name)

    def test_with_more_points(self):
        whole = self.run_ok(*SMALL, "pi.points=5e7", "output.file=").digest
        kept = [f"checkpoint.file={CHECKPOINT}", "checkpoint.keep=true"]
        first = self.run_ok(*SMALL, *kept, f"output.file={OUTPUT}")
        self.assertEqual(self.files(), [OUTPUT, CHECKPOINT])
        grown = self.run_ok("--resume", CHECKPOINT, "pi.points=5e7", "--output", "grown.h5")
        self.assertEqual(grown.digest, whole)
        self.assertNotEqual(first.digest, whole)
        self.require_refused("--resume", CHECKPOINT, "pi.points=1e7", "--output", "less.h5",
                             says="points may grow, not shrink")


class Refused(Checkpointed):
    def test_what_is_no_whole_checkpoint(self):
        self.leave()
        path = self.directory / CHECKPOINT
        whole = path.read_bytes()
        for content in (b"", whole[:-1], whole[:700] + bytes([whole[700] ^ 16]) + whole[701:]):
            path.write_bytes(content)
            self.require_refused("--resume", CHECKPOINT, says=CHECKPOINT)

    def test_another_version_or_deck(self):
        self.leave()
        self.require_refused("--resume", CHECKPOINT, "pi.batches=7", says="this key is fixed when a run starts")
        self.require_refused("pi", "--resume", CHECKPOINT, says="a checkpoint holds the deck of its run")
        path = self.directory / CHECKPOINT
        with h5py.File(path, "r+") as file:
            file.attrs["version"] = "0.0.1"
        reseal(path, "checkpoint")
        self.require_refused("--resume", CHECKPOINT, says="from another version of Rivulet")

    def test_what_exists(self):
        self.leave()
        self.require_refused(*ENDLESS, says=f"checkpoint '{CHECKPOINT}' exists")
        for nowhere in (["--output", ""], ["output.file="]):
            self.require_refused("--resume", CHECKPOINT, *nowhere, says="--resume with an empty output.file")
        (self.directory / OUTPUT).write_bytes(b"")
        self.require_refused("--resume", CHECKPOINT, says=f"cannot write '{OUTPUT}'")

    def test_work_that_cannot_be_continued(self):
        self.require_refused("fill", f"checkpoint.file={CHECKPOINT}", says="for a run that cannot be resumed")
        self.require_refused("pi", "streams.generator=sfc64", f"checkpoint.file={CHECKPOINT}",
                             says="sfc64 cannot jump")
        self.require_refused("pi", "--time-limit", "1 h", says="names no checkpoint.file")
        self.require_refused("pi", "--time-limit", "soon", says="invalid --time-limit")
        self.require_refused("pi", f"checkpoint.file={CHECKPOINT}", "checkpoint.signals=SIGKILL",
                             says="unknown signal 'SIGKILL'")


class FullDisk(Checkpointed):
    def test_the_run_goes_on_and_the_one_before_stays(self):
        self.leave("streams.count=64", "output.file=")
        path = self.directory / CHECKPOINT
        before = path.read_bytes()
        done = run("--resume", CHECKPOINT, "--time-limit", "2 s",
                   cwd=self.directory, file_limit=2048)
        self.assertEqual(done.code, CHECKPOINT_WRITTEN, done)
        self.assertIn("rivulet: warning: no checkpoint was written: cannot write", done.err)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(self.files(), [CHECKPOINT])
        deck = [*SMALL, "pi.points=1e9", "output.file=", f"checkpoint.file={CHECKPOINT}2"]
        done = run(*deck, cwd=self.directory, file_limit=2048)
        self.assertEqual(done.code, 0, done)
        self.assertIn("no checkpoint was written", done.err)
        self.assertEqual(self.files(), [CHECKPOINT])
