# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests a hostile system: each system call of a small run fails once; signals arrive at random moments; several runs
write the same file. Random layouts must all give the same digest."""

import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import h5py

import hostile
import rivulet_cli

STRACE = shutil.which("strace")
RUN = ["pi", "pi.points=20000", "streams.count=8", "--output", "out.h5"]
# System calls on files. Calls for memory and threads are made by libraries, which end the program if they fail.
CALLS = {"openat": "EACCES", "read": "EIO", "pread64": "EIO", "write": "ENOSPC", "pwrite64": "EIO", "fsync": "EIO",
         "rename": "EACCES", "renameat2": "EACCES", "ftruncate": "EIO", "fallocate": "ENOSPC", "lseek": "EIO", "close": "EIO",
         "unlink": "EACCES", "fcntl": "ENOLCK", "flock": "ENOLCK"}


def environment(session="0"):
    """Returns the environment of a run. Simultaneous runs need different sessions, whose MPI files are separate."""
    folder = os.path.join(os.environ.get("OMPI_MCA_orte_tmpdir_base", "/tmp"), f"hostile{session}")
    return rivulet_cli.environment(OMP_NUM_THREADS="1", OMPI_MCA_orte_tmpdir_base=folder,
                                   PRTE_MCA_prte_tmpdir_base=folder)


def digest_of(path):
    with h5py.File(path, "r") as file:
        return str(file.attrs["digest"])


class System(hostile.Hostile):
    def binary(self):
        return os.path.abspath(rivulet_cli.BINARY)

    def expected_digest(self):
        done = self.run_ok(*RUN)
        (self.directory / "out.h5").unlink()
        return done.digest

    def require_complete_or_absent(self, digest, code):
        path = self.directory / "out.h5"
        if code == 0 or path.exists():
            self.assertEqual(digest_of(path), digest)

    @unittest.skipUnless(STRACE, "strace is not installed")
    def test_each_system_call_fails_once(self):
        digest = self.expected_digest()
        tried = failed = 0
        found = {}
        end = time.monotonic() + 5 * hostile.SECONDS
        for call, code in CALLS.items():
            for place in self.places(call):
                if time.monotonic() > end:
                    break
                self.remove_files()
                try:
                    done = subprocess.run(
                        [STRACE, "-qq", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                         f"inject={call}:error={code}:when={place}", self.binary(), *RUN],
                        cwd=self.directory, env=environment(), capture_output=True, text=True, errors="replace",
                        stdin=subprocess.DEVNULL, timeout=60, check=False)
                except subprocess.TimeoutExpired:
                    found[f"{call} {place}"] = "hangs"
                    continue
                tried += 1
                failed += done.returncode != 0
                with self.subTest(call=call, place=place):
                    self.require_complete_or_absent(digest, done.returncode)
                if done.returncode < 0 or done.returncode > 128:
                    found[f"{call} {place}"] = done.returncode
        print(f"system calls: {tried} tried, {failed} runs failed, of which by a signal or never: {found}")

    def places(self, call):
        """Returns which of a thread's calls, counted from 1, use the run's own files."""
        trace = self.directory.parent / f"{self.directory.name}.trace"
        self.addCleanup(trace.unlink, missing_ok=True)
        subprocess.run([STRACE, "-qq", "-f", "-y", "-o", trace, "-e", f"trace={call}", self.binary(), *RUN],
                       cwd=self.directory, env=environment(), capture_output=True, stdin=subprocess.DEVNULL,
                       check=False)
        counts, places = {}, set()  # strace counts the calls of each thread
        for line in trace.read_text(errors="replace").splitlines():
            thread, _, rest = line.partition(" ")
            if not rest.strip().startswith(f"{call}("):
                continue
            counts[thread] = counts.get(thread, 0) + 1
            if "out.h5" in rest:
                places.add(counts[thread])
        return sorted(places)

    def test_signals(self):
        digest = self.expected_digest()
        endings = {}
        for number, source in hostile.rounds():
            path = self.directory / "out.h5"
            path.unlink(missing_ok=True)
            which = source.choice([signal.SIGTERM, signal.SIGINT, signal.SIGKILL, signal.SIGHUP, signal.SIGUSR1])
            process = subprocess.Popen([self.binary(), *RUN], cwd=self.directory, env=environment(),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(source.uniform(0, 0.5))
            process.send_signal(which)
            code = process.wait(timeout=60)
            endings[code] = endings.get(code, 0) + 1
            with self.subTest(number=number, signal=which):
                self.require_complete_or_absent(digest, code)
        self.run_ok(*RUN)  # succeeds despite the remains of the killed runs
        self.require_complete_or_absent(digest, 0)
        print(f"signals: {number + 1} runs, by exit: {endings}")

    def test_writers_of_one_file(self):
        """Several runs write the same file. At least one succeeds, and the file is that of a successful run."""
        won = lost = 0
        for number, source in hostile.rounds():
            seeds = source.sample(range(1000), 3)
            commands = [[self.binary(), *RUN, f"streams.seed={seed}"] for seed in seeds]
            processes = [subprocess.Popen(command, cwd=self.directory, env=environment(seed), text=True,
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE)
                         for seed, command in zip(range(3), commands)]
            ended = [(process.communicate(timeout=120), process.returncode) for process in processes]
            digests = [re.findall(r"Digest: (\w+)", out)[0] for (out, _), code in ended if code == 0]
            won += len(digests)
            lost += len(ended) - len(digests)
            with self.subTest(number=number):
                self.assertTrue(digests, ended)
                self.assertIn(digest_of(self.directory / "out.h5"), digests)
                for (_, err), code in ended:
                    self.assertIn(code, (0, 1), err)
            self.remove_files()
        print(f"writers: {won} ended well, {lost} were refused")

    def test_layouts(self):
        decks = [["pi", "pi.points=30011", "streams.count=7"],
                 ["fill", "fill.numbers=5003", "fill.to=memory", "streams.count=5"],
                 ["alias", "alias.samples=3001", "streams.count=6"],
                 ["correlate", "correlate.numbers=4000", "streams.count=4", "correlate.lags=5"]]
        expected = {}
        for number, source in hostile.rounds():
            deck = source.choice(decks)
            ranks = source.randint(1, 4) if rivulet_cli.MPIEXEC else 1
            threads = source.randint(1, 3)
            extra = source.choice([[], ["streams.segments=1"], ["streams.segments=3"]])
            with self.subTest(number=number, deck=deck, ranks=ranks, threads=threads, extra=extra):
                done = self.run_here(*deck, *extra, "output.file=", ranks=ranks, threads=threads)
                self.assertEqual(done.code, 0, done)
                self.assertEqual(done.digest, expected.setdefault(deck[0], done.digest), done)
        print(f"layouts: {number + 1} runs")
