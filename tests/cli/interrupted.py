# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that are killed or sent signals at random moments, and continued on other ranks."""

import hashlib
import os
import pathlib
import random
import signal
import subprocess
import time

import rivulet_cli

LEFT = 75  # status of a run that can be continued
CHECKPOINT = "run.ckpt"
OUTPUT = "out.h5"

# Of every job a deck whose numbers take a second or so, in pieces that end every now and then.
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


# The numbers of ranks that runs are started on.
RANKS = (1, 2, 4) if rivulet_cli.MPIEXEC else (1,)


def deck_of(job):
    return f"{DECKS[job]} {STEPS}".split()


class Interrupted(rivulet_cli.Case):
    """A test of runs that are left and continued."""

    def refused(self, *arguments, says):
        """A run that ends with one message, and leaves all files as they are."""
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
        """Whether a process runs the program, and is no copy of mpiexec that is to become it."""
        try:
            return os.path.samefile(f"/proc/{process}/exe", rivulet_cli.BINARY)
        except OSError:  # it has ended
            return False

    def rank_processes(self):
        """Ids of the program's own processes, without mpiexec's."""
        if self.ranks == 1:
            return [self.process.pid]
        children = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        try:
            return [int(one) for file in children for one in file.read_text().split()
                    if self.is_program(one)]
        except OSError:  # it has ended
            return []

    def send(self, which, rank=None):
        """To one of the ranks, or to all, once mpiexec has started them."""
        while len(self.rank_processes()) < self.ranks and self.process.poll() is None:
            time.sleep(0.02)
        for one in self.rank_processes()[rank:None if rank is None else rank + 1]:
            try:
                os.kill(one, which)
            except ProcessLookupError:
                pass

    def end(self, timeout=120):
        """Status, standard output and standard error. The status is None where mpiexec alone
        failed: that of Open MPI 4.1 hangs in PMIx_server_finalize after some of a hundred runs
        whose ranks a signal ended as they started, or dies of SIGPIPE."""
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
        """Leaves nothing running where a test has failed."""
        if self.process.poll() is not None:
            return
        for one in (*self.rank_processes(), self.process.pid):
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.communicate()


def continue_or_begin(directory, deck):
    """The command line of the next of a series of runs."""
    if (directory / CHECKPOINT).exists():
        return ["--resume", CHECKPOINT]
    return deck


def series(directory, job, chance, how, most_seconds, kills):
    """Runs of a job, `kills` of them at most, each interrupted within `most_seconds` and on another
    number of ranks; each continues the one before if that left a
    checkpoint. What each ended with: (status, seconds to answer, what it was and its errors)."""
    endings = []
    ranks = 1
    for _ in range(kills):
        if (directory / OUTPUT).exists():
            break
        run = Started(continue_or_begin(directory, deck_of(job)), directory, ranks)
        time.sleep(chance.uniform(0.05, most_seconds))
        sent = time.monotonic()
        run.send(how)
        status, _, err = run.end()
        if status is not None:
            endings.append((status, time.monotonic() - sent, f"{job} on {run.ranks} ranks: {err}"))
        ranks = chance.choice([one for one in RANKS if one != ranks] or [ranks])
    return endings


def finish(directory, deck, ranks):
    """The last run of a series, to its end, unless the one before got there; its digest. A run that is killed once its
    results have their name leaves its checkpoint, which the next one removes."""
    import h5py  # pylint: disable=import-outside-toplevel
    if not (directory / OUTPUT).exists() or (directory / CHECKPOINT).exists():
        done = rivulet_cli.run(*continue_or_begin(directory, deck), ranks=ranks, cwd=directory,
                               timeout=300)
        assert done.code == 0, done
    with h5py.File(directory / OUTPUT) as file:
        digest = file.attrs["digest"]
        return digest.decode() if isinstance(digest, bytes) else digest


def numbers_of(path):
    """A digest of what the results file holds of single numbers or samples."""
    import h5py  # pylint: disable=import-outside-toplevel
    sha = hashlib.sha256()
    with h5py.File(path) as file:
        for name in ("fill/numbers", "alias/indices", "alias/coordinate0", "alias/coordinate1"):
            if f"/results/{name}" in file:
                sha.update(memoryview(file[f"/results/{name}"][:]))
    return sha.hexdigest()


def random_of(text):
    """The same moments each time."""
    return random.Random(text)
