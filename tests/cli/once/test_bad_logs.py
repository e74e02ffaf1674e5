# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A standard error that cannot be written: what a run does, and how it ends, are what they would have
been."""

import contextlib
import os
import subprocess

import rivulet_cli
from interrupted import CHECKPOINT, LEFT, OUTPUT

ENDLESS = f"pi pi.points=1e15 streams.count=64 checkpoint.file={CHECKPOINT} --output {OUTPUT}".split()


@contextlib.contextmanager
def full():
    with open("/dev/full", "wb") as log:
        yield log


@contextlib.contextmanager
def without_reader():
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@contextlib.contextmanager
def not_blocking():
    """A pipe that is full, and that nobody reads."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    yield writer
    os.close(reader)
    os.close(writer)


@contextlib.contextmanager
def closed():
    yield None


LOGS = (full, without_reader, not_blocking, closed)


class Logs(rivulet_cli.Case):
    def run_with(self, log, *arguments, shell="", stdout=subprocess.PIPE, status=0):
        """The run's standard output, with one of LOGS as its standard error."""
        with log() as error:
            closing = "exec 2>&-; " if error is None else ""
            done = subprocess.run(
                ["/bin/sh", "-c", f'{closing}{shell}exec "$@"', "sh", rivulet_cli.BINARY, *arguments],
                cwd=self.directory, stdin=subprocess.DEVNULL, stdout=stdout, stderr=error, timeout=60, check=False,
                env={**os.environ, **rivulet_cli.ENVIRONMENT, **rivulet_cli.WITHOUT_SHARED_MEMORY,
                     "OMP_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, status, done)
        return done.stdout

    def test_statuses_of_refusals(self):
        for log in LOGS:
            with self.subTest(log.__name__):
                self.assertEqual(self.run_with(log, "nosuch", status=1), b"")
                self.assertEqual(self.run_with(log, "pi", "pi.points=0", status=1), b"")
        self.run_with(full, "nosuch", shell="exec >&2; ", status=1)

    def test_a_log_as_long_as_a_file_may_be(self):
        self.run_with(closed, "nosuch", shell="ulimit -f 0; exec 2> log; ", status=1)
        self.assertEqual((self.directory / "log").read_bytes(), b"")

    def test_runs_that_are_left(self):
        for log in LOGS:
            with self.subTest(log.__name__):
                self.run_with(log, *ENDLESS, "--time-limit", "0.1 s", status=LEFT)
                self.assertEqual(self.files(), [CHECKPOINT])
                self.run_with(log, "--resume", CHECKPOINT, "--time-limit", "0.1 s", status=LEFT)
                (self.directory / CHECKPOINT).unlink()

    def test_warnings_of_checkpoints_that_are_not_written(self):
        deck = "pi pi.points=3e8 streams.count=64 output.file=".split()
        right = self.run_ok(*deck).digest
        for log in LOGS:
            with self.subTest(log.__name__):
                out = self.run_with(log, *deck, f"checkpoint.file={CHECKPOINT}", "checkpoint.every=0.01",
                                    shell="ulimit -f 4; ")
                self.assertIn(f"Digest: {right}", out.decode())

    def test_warnings_of_streams(self):
        """Kokkos' own are on standard error, too, where standard output is for the numbers."""
        deck = ["stream", "fill", "streams.generator=hybrid_tausworthe_listing", "streams.seeding=published",
                "streams.count=16", "--count", "100"]
        noise = "KOKKOS_DISABLE_WARNINGS=0; unset OMP_PROC_BIND; "
        right = self.run_with(lambda: open(self.directory / "log", "wb"), *deck, shell=noise)
        log = (self.directory / "log").read_text(encoding="utf-8")
        self.assertIn("rivulet: warning: ", log)
        for log in LOGS:
            with self.subTest(log.__name__):
                self.assertEqual(self.run_with(log, *deck, shell=noise), right)
