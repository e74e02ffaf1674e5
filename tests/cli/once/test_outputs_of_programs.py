# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests a full or closed standard output, a standard error that cannot be written (which changes neither a run nor its
status), answers without MPI, and scripts that write files."""

import contextlib
import os
import subprocess
import sys

import rivulet_cli
from interrupted import CHECKPOINT, CHECKPOINT_WRITTEN, OUTPUT
from output_case import LONG, OutputCase
from refusal import QUICK

ROOT = rivulet_cli.SOURCE_DIR.resolve()
ANSWERS = (["--help"], ["--version"], ["--list"], ["--dump-default", "pi"], ["--describe-results", "pi"], ["pi", "--validate"])


class StandardStreams(OutputCase):
    def run_in_shell(self, words, redirection):
        command = f'exec "$0" "$@" {redirection}'
        done = subprocess.run(
            ["/bin/sh", "-c", command, rivulet_cli.BINARY, *words], cwd=self.directory, text=True,
            env=rivulet_cli.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return rivulet_cli.Run(done, words, 0)

    def test_full(self):
        for words in (*ANSWERS, ["pi", *QUICK, "output.file="], ["stream", "fill", "--count", "9"], ["stream", "fill"]):
            with self.subTest(words=words):
                done = self.run_in_shell(words, "> /dev/full")
                self.require_refusal(done, ["cannot write to standard output",
                                            "No space left on device"])

    def test_full_on_ranks(self):
        if not rivulet_cli.MPIEXEC:
            self.skipTest("built without MPI")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [rivulet_cli.MPIEXEC, "-n", "2", "/bin/sh", "-c", 'exec "$0" "$@" > /dev/full',
                 rivulet_cli.BINARY, "pi", *QUICK, "--output", "x.h5"], cwd=self.directory,
                env=rivulet_cli.environment(), stdin=subprocess.DEVNULL,
                stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("cannot write to standard output"), 1, done.stderr)
        self.assertEqual(self.files(), [], "before the work")

    def test_closed(self):
        for words in (["--version"], ["pi", *QUICK], ["stream", "fill"]):
            done = self.run_in_shell(words, ">&-")
            self.require_refusal(done, ["cannot write to standard output", "Bad file descriptor"])
        self.assertEqual(self.files(), [])
        expected = self.run_ok("pi", *QUICK, "--output", "x.h5")
        whole = (self.directory / "x.h5").stat().st_size
        for redirection in ("<&-", "2>&-", "<&- 2>&-"):
            done = self.run_in_shell(["pi", *QUICK, "--output", "x.h5"], redirection)
            self.assertEqual((done.code, done.digest), (0, expected.digest), done)
            self.assertEqual((self.directory / "x.h5").stat().st_size, whole)


    def test_something_stands_for_closed_ones(self):
        """/dev/null replaces closed streams. Otherwise a library's socket or the results file could get the descriptor
        of standard error, and then receive its messages."""
        run = subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$0" "$@" <&- 2>&-', rivulet_cli.BINARY, *LONG, "--output", "x.h5"],
            cwd=self.directory, env=rivulet_cli.environment(OMP_NUM_THREADS="1"),
            stdout=subprocess.PIPE)
        self.addCleanup(self.end, run)
        number = self.writer("x.h5")
        for stream in (0, 2):
            self.assertEqual(os.readlink(f"/proc/{number}/fd/{stream}"), "/dev/null")


class WithoutMpi(OutputCase):
    BROKEN = {"OMPI_MCA_pml": "none_such"}

    def test_answers(self):
        if not rivulet_cli.MPIEXEC or rivulet_cli.run("pi", *QUICK, "output.file=",
                                                      variables=self.BROKEN).code == 0:
            self.skipTest("MPI starts all the same")
        for words in ANSWERS:
            self.assertEqual(self.run_ok(*words, variables=self.BROKEN).out,
                             self.run_ok(*words).out)
        self.refuse(["--no-such-option"], "unknown option", output=None, variables=self.BROKEN)


class Scripts(OutputCase):
    def script(self, *words, **variables):
        done = subprocess.run(words, cwd=self.directory, env={**os.environ, **variables}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_run_on_no_ranks(self):
        for ranks in ("0", "-1", "two", "1.5", "01x"):
            code, out, err = self.script(ROOT / "scripts/run", RIVULET_RANKS=ranks)
            self.assertEqual((code, out), (1, ""), ranks)
            self.assertRegex(err, r"^scripts/run: RIVULET_RANKS=\S* \(.+\)\. \S.+\.\n$")

    def test_run_with_other_options_builds_nothing(self):
        for words, option in ((["--cuda"], "--cuda"), (["pi", "--gpus=1"], "--gpus")):
            code, out, err = self.script(ROOT / "scripts/run", *words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn(f"scripts/run: unknown option '{option}' (", err)
            self.assertIn("docs/install.md#gpus", err)

    def test_the_neutron_table_replaces_nothing_but_itself(self):
        table = [sys.executable, ROOT / "scripts/make_neutron_table"]
        self.assertEqual(self.script(*table, "n.h5")[0], 0)
        self.assertEqual(self.script(*table, "n.h5")[0], 0)
        self.write("precious", "a user's")
        self.write("empty", "")
        os.mkfifo(self.directory / "pipe")
        (self.directory / "folder").mkdir()
        (self.directory / "link.h5").symlink_to("precious")
        self.run_ok("pi", *QUICK, "--output", "pi.h5")
        before = {name: (self.directory / name).read_bytes() for name in ("precious", "pi.h5")}
        for name in ("precious", "pi.h5", "pipe", "folder", "link.h5", "no/where.h5"):
            code, _, err = self.script(*table, name)
            self.assertEqual(code, 1, name)
            self.assertRegex(err, r"^make_neutron_table: cannot write '.+' \(.+\)\. \S.+\.\n$")
        for name, bytes_ in before.items():
            self.assertEqual((self.directory / name).read_bytes(), bytes_)
        self.assertEqual(self.files(), ["empty", "link.h5", "n.h5", "pi.h5", "pipe", "precious"])


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
    """Yields the writing end of a full non-blocking pipe without a reading process."""
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
        """Runs with one of LOGS as standard error, and returns the standard output."""
        with log() as error:
            closing = "exec 2>&-; " if error is None else ""
            done = subprocess.run(
                ["/bin/sh", "-c", f'{closing}{shell}exec "$@"', "sh", rivulet_cli.BINARY, *arguments],
                cwd=self.directory, stdin=subprocess.DEVNULL, stdout=stdout, stderr=error, timeout=60, check=False,
                env=rivulet_cli.environment(**rivulet_cli.WITHOUT_SHARED_MEMORY, OMP_NUM_THREADS="1"))
        self.assertEqual(done.returncode, status, done)
        return done.stdout

    def test_statuses_of_refusals(self):
        for log in LOGS:
            with self.subTest(log.__name__):
                self.assertEqual(self.run_with(log, "nosuch", status=1), b"")
                self.assertEqual(self.run_with(log, "pi", "pi.points=0", status=1), b"")
        self.run_with(full, "nosuch", shell="exec >&2; ", status=1)

    def test_runs_that_are_left(self):
        for log in LOGS:
            with self.subTest(log.__name__):
                self.run_with(log, *ENDLESS, "--time-limit", "0.1 s", status=CHECKPOINT_WRITTEN)
                self.assertEqual(self.files(), [CHECKPOINT])
                self.run_with(log, "--resume", CHECKPOINT, "--time-limit", "0.1 s", status=CHECKPOINT_WRITTEN)
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
        """Kokkos' warnings go to standard error too, because standard output is for the numbers."""
        deck = ["stream", "fill", "streams.generator=hybrid_tausworthe_listing", "streams.seeding=published",
                "streams.count=16", "--count", "100"]
        noise = f"export KOKKOS_DISABLE_WARNINGS=0 OMP_NUM_THREADS={2 * os.cpu_count()}; "
        right = self.run_with(lambda: open(self.directory / "log", "wb"), *deck, shell=noise)
        log = (self.directory / "log").read_text(encoding="utf-8")
        self.assertIn("rivulet: warning: ", log)
        for log in LOGS:
            with self.subTest(log.__name__):
                self.assertEqual(self.run_with(log, *deck, shell=noise), right)
