# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers for tests that kill or signal runs at random moments, and resume them on other numbers of ranks."""

import hashlib
import os
import pathlib
import random
import signal
import subprocess
import time

import rivulet_cli
from rivulet_cli import CHECKPOINT_WRITTEN  # noqa: F401, for the tests that import this module

CHECKPOINT = "run.ckpt"
OUTPUT = "out.h5"

# For every job, a deck that takes about a second, with a checkpoint every 0.05 s.
STEPS = f"checkpoint.file={CHECKPOINT} checkpoint.every=0.05 output.file={OUTPUT}"
DECKS = {
    "pi": "pi pi.points=1e9 streams.count=96",
    "pi in segments": "pi pi.points=6e8 streams.count=5 streams.generator=philox4x32",
    "alias": "alias alias.samples=2e8 streams.count=96 table.rows=100 table.columns=100",
    "fill to a file": "fill fill.numbers=1e8 fill.to=file streams.count=96",
    "fill in blocks": "fill fill.numbers=100000003 fill.to=file fill.type=uint32 streams.count=5 "
                      "fill.order=blocked fill.block=1000000",
    "kept samples": "alias alias.samples=2e7 streams.count=7 table.rows=100 table.columns=100 "
                    "alias.keep=coordinates alias.within=uniform",
    "correlate": "correlate correlate.numbers=1e8 streams.count=10",
    "correlate across": "correlate correlate.numbers=1e8 streams.count=10 correlate.across=next",
    "occlusion": "occlusion occlusion.width=320 occlusion.height=240 occlusion.passes=[4,16]",
    "create": "create create.exponent=521 create.count=40",
}


RANKS = (1, 2, 4) if rivulet_cli.MPIEXEC else (1,)


def deck_of(job):
    return f"{DECKS[job]} {STEPS}".split()


class Interrupted(rivulet_cli.Case):
    """A test of runs that are interrupted and resumed."""

    def require_refused(self, *arguments, says):
        """Requires that a run ends with one message, and changes no file."""
        def states():
            found = ((name, (self.directory / name).stat()) for name in self.files())
            return {name: (one.st_mtime_ns, one.st_size) for name, one in found}
        before = states()
        done = rivulet_cli.run(*arguments, cwd=self.directory)
        self.assertEqual(done.code, 1, done)
        self.assertEqual(len(done.messages), 1, done)
        self.assertIn(says, done.messages[0])
        self.assertEqual(before, states())


class Started:
    """A run in the background."""

    def __init__(self, arguments, cwd, ranks=1):
        self.ranks = ranks
        self.process = rivulet_cli.started(arguments, cwd, ranks)

    @staticmethod
    def is_program(process):
        """True if a process runs the program; False for a fork of mpiexec before its exec."""
        try:
            return os.path.samefile(f"/proc/{process}/exe", rivulet_cli.BINARY)
        except OSError:  # the process has ended
            return False

    def rank_processes(self):
        """Returns the ids of the ranks' processes, without mpiexec."""
        if self.ranks == 1:
            return [self.process.pid]
        children = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        try:
            return [int(one) for file in children for one in file.read_text().split()
                    if self.is_program(one)]
        except OSError:  # mpiexec has ended
            return []

    def send(self, signal_number, rank=None):
        """Waits until mpiexec has started all ranks, and sends a signal to one of them or to all."""
        while len(self.rank_processes()) < self.ranks and self.process.poll() is None:
            time.sleep(0.02)
        for one in self.rank_processes()[rank:None if rank is None else rank + 1]:
            try:
                os.kill(one, signal_number)
            except ProcessLookupError:
                pass

    def end(self, timeout=120):
        """Waits, and returns status, standard output and standard error. The status is None if only mpiexec failed:
        with Open MPI 4.1, mpiexec sometimes hangs in PMIx_server_finalize, or dies of SIGPIPE, if a signal ends ranks
        while they start."""
        try:
            out, err = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            launcher_hangs = self.ranks > 1 and not self.rank_processes()
            self.kill()
            if launcher_hangs:
                return None, "", ""
            raise
        if self.ranks > 1 and self.process.returncode == -signal.SIGPIPE:
            return None, out, err
        return self.process.returncode, out, err

    def kill(self):
        """Kills the run if it still runs: a failed test must leave no process."""
        if self.process.poll() is not None:
            return
        for one in (*self.rank_processes(), self.process.pid):
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.communicate()


def continue_or_begin(directory, deck):
    """Returns the command line of the next run, which resumes the checkpoint if there is one."""
    if (directory / CHECKPOINT).exists():
        return ["--resume", CHECKPOINT]
    return deck


def series(directory, job, rng, signal_number, most_seconds, kills):
    """Interrupts up to `kills` runs of a job, each within `most_seconds` and on another number of ranks. Each run
    resumes the checkpoint of the previous run, if there is one. Returns, for each run, its status, the seconds from
    the signal to its end, and a description with its standard error."""
    endings = []
    ranks = 1
    for _ in range(kills):
        if (directory / OUTPUT).exists():
            break
        run = Started(continue_or_begin(directory, deck_of(job)), directory, ranks)
        time.sleep(rng.uniform(0.05, most_seconds))
        sent = time.monotonic()
        run.send(signal_number)
        status, _, err = run.end()
        if status is not None:
            endings.append((status, time.monotonic() - sent, f"{job} on {run.ranks} ranks: {err}"))
        ranks = rng.choice([one for one in RANKS if one != ranks] or [ranks])
    return endings


def finish(directory, deck, ranks):
    """Completes the last run of a series if necessary, and returns its digest. A run that is killed after it renamed
    its results file leaves its checkpoint; the next run removes the checkpoint."""
    import h5py  # pylint: disable=import-outside-toplevel
    if not (directory / OUTPUT).exists() or (directory / CHECKPOINT).exists():
        done = rivulet_cli.run(*continue_or_begin(directory, deck), ranks=ranks, cwd=directory,
                               timeout=300)
        assert done.code == 0, done
    with h5py.File(directory / OUTPUT) as file:
        digest = file.attrs["digest"]
        return digest.decode() if isinstance(digest, bytes) else digest


def numbers_of(path):
    """Returns a digest of the individual numbers or samples in the results file."""
    import h5py  # pylint: disable=import-outside-toplevel
    sha = hashlib.sha256()
    with h5py.File(path) as file:
        for name in ("fill/numbers", "alias/indices", "alias/coordinate0", "alias/coordinate1"):
            if f"/results/{name}" in file:
                sha.update(memoryview(file[f"/results/{name}"][:]))
    return sha.hexdigest()


def seeded_random(text):
    """Returns a random generator seeded with a text, so that the moments of signals are repeatable."""
    return random.Random(text)
