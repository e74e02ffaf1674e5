# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nightly tests run on three simulated hosts (hosts.py) with Open MPI over TCP. Results equal those of one host.
Folders that the hosts do not share are refused. A dead host ends the run, and the other two resume its checkpoint."""

import os
import re
import subprocess
import tempfile
import time

import h5py

import failing_rank
import hosts
import interrupted
import rivulet_cli
from output_case import LONG
from refusal import Refusal

# Decks with more than one piece of work, so each run can be interrupted.
JOBS = {
    "pi": "pi pi.points=1e8 streams.count=96",
    "fill": "fill fill.to=file fill.type=uint32 fill.numbers=1.4e7 streams.count=96",
    "alias": "alias alias.samples=1.4e7 streams.count=96 alias.keep=indices table.rows=30 table.columns=30",
    "correlate": "correlate correlate.numbers=5e7 streams.count=10",
}
# Open MPI 4.1 puts this file beside a file that several hosts write, and does not remove it after a kill.
OPEN_MPIS = re.compile(r"out\.h5\.[0-9a-f]{16}\.part-\d+-\d+\.lock")
PART = r"q\.h5\.[0-9a-f]{16}\.part"
SECONDS = 10  # limit for the refusal of a folder that a host does not see
SECONDS_TO_END = 20  # limit for the end after the death of a host; the keepalives need 5 s, Open MPI some more
KEEPALIVE = {f"OMPI_MCA_oob_tcp_keepalive_{name}": value
             for name, value in (("time", "2"), ("intvl", "1"), ("probes", "3"))}
setUpModule = hosts.prepare


class ThreeHosts(Refusal):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="hosts-")
        self.addCleanup(folder.cleanup)
        self.hosts = hosts.Hosts(folder.name, 3)
        self.addCleanup(self.hosts.stop)

    def start_on(self, names, *arguments):
        """Starts a run with one rank on each of these hosts, from host1 if it is among them."""
        first = "host1" if "host1" in names else names[0]
        command = self.hosts.on(first, self.directory, rivulet_cli.MPIEXEC, "--host", ",".join(names), "-n",
                                len(names), rivulet_cli.BINARY, *arguments)
        run = subprocess.Popen(command, text=True, errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               env=rivulet_cli.environment(**self.hosts.environment, **KEEPALIVE, OMP_NUM_THREADS="1"))
        run.begun = time.monotonic()
        return run

    @staticmethod
    def ended(run, timeout=60):
        out, err = run.communicate(timeout=timeout)
        process = subprocess.CompletedProcess(run.args, run.returncode, out, err)
        return rivulet_cli.Run(process, run.args, time.monotonic() - run.begun)

    def run_on(self, names, *arguments, status=0):
        done = self.ended(self.start_on(names, *arguments), 300)
        self.assertEqual(done.code, status, done)
        return done

    def wait_for(self, run, pattern):
        """Waits until a file's name matches the pattern, and returns it."""
        for _ in range(6000):
            found = [name for name in self.files() if re.fullmatch(pattern, name)]
            if found:
                return found[0]
            self.assertIsNone(run.poll(), "it ended before")
            time.sleep(0.01)
        self.fail(f"no file {pattern}")

    def shell(self, name, text):
        return subprocess.run(self.hosts.on(name, self.directory, "sh", "-c", text), check=True, capture_output=True,
                              text=True).stdout

    def require_equal(self, done, alone):
        """Requires the digest and the numbers of a run on one host. Removes the output, which must be the only file."""
        for name in filter(OPEN_MPIS.fullmatch, self.files()):
            (self.directory / name).unlink()
        self.assertEqual(self.files(), [interrupted.OUTPUT], done)
        output = self.directory / interrupted.OUTPUT
        self.assertEqual((done.digest, interrupted.numbers_of(output)), alone)
        output.unlink()

    def alone(self, *words):
        output = self.directory / interrupted.OUTPUT
        digest = self.run_ok(*words, "--output", output, timeout=300).digest
        numbers = interrupted.numbers_of(output)
        output.unlink()
        return digest, numbers

    def test_results_are_those_of_one_host(self):
        """Tests uninterrupted runs, and runs that are interrupted on three hosts and resumed on two."""
        steps = interrupted.STEPS.split()
        for job, deck in JOBS.items():
            with self.subTest(job):
                alone = self.alone(*deck.split())
                done = self.run_on(self.hosts.names, *deck.split(), "--output", interrupted.OUTPUT)
                with h5py.File(self.directory / interrupted.OUTPUT) as file:
                    for name, line in zip(self.hosts.names, rivulet_cli.lines_of(file["config/hosts"]), strict=True):
                        self.assertIn(name, line)
                self.require_equal(done, alone)
                self.run_on(self.hosts.names, *deck.split(), *steps, "--time-limit", "0.001 s",
                            status=interrupted.CHECKPOINT_WRITTEN)
                done = self.run_on(["host3", "host2"], "--resume", interrupted.CHECKPOINT)
                self.require_equal(done, alone)

    def test_a_folder_that_each_host_has(self):
        words = failing_rank.DECKS["pi"].split()
        start = self.run_on(self.hosts.names, *words, "output.file=").seconds
        for option, name in (("output.file=", "/tmp/q.h5"), ("checkpoint.file=", "/tmp/q.ckpt")):
            done = self.run_on(self.hosts.names, *words, option + name, status=1)
            self.require_refusal(done, [f"rank 1 on host2: cannot write '{name}' (this rank does not see '{name}.",
                                        "but this rank does not see it", "Choose a path that all ranks share"])
            self.assertLess(done.seconds, start + SECONDS, done)
            for host in self.hosts.names:
                self.assertNotIn("q.", self.shell(host, "ls -A /tmp"))

    def test_a_folder_that_a_host_loses_before_the_first_checkpoint(self):
        (self.directory / "shared").mkdir()
        run = self.start_on(self.hosts.names, *LONG, "--output", "q.h5", "checkpoint.file=shared/q.ckpt",
                            "--time-limit", "10 s")
        self.wait_for(run, PART)
        self.shell("host3", "mount -t tmpfs none shared")
        done = self.ended(run)
        self.assertEqual(done.code, 1, done)
        self.assertIn("no checkpoint was written: rank 2 on host3: cannot write 'shared/q.ckpt' (this rank does not "
                      "see ", done.err)
        self.assertIn("stopped at the time limit (--time-limit) without a checkpoint", done.err)
        self.assertLess(done.seconds, 10 + SECONDS, done)
        self.assertEqual(self.files(), [])

    def require_end_after(self, run, stop_host, name):
        """Stops a host with stop_host(name), and requires that the run and all its ranks end soon."""
        died = time.monotonic()
        stop_host(name)
        done = self.ended(run)
        self.assertNotEqual(done.code, 0, done)
        self.assertLess(time.monotonic() - died, SECONDS_TO_END, done)
        while any(interrupted.Started.is_program(one) for one in os.listdir("/proc") if one.isdigit()):
            self.assertLess(time.monotonic() - died, SECONDS_TO_END, "ranks go on")
            time.sleep(0.05)

    def test_a_host_without_power_ends_the_run(self):
        """The remaining two hosts resume the run's checkpoint."""
        deck = "fill fill.to=file fill.type=uint32 fill.numbers=1e8 streams.count=96".split()
        alone = self.alone(*deck)
        run = self.start_on(self.hosts.names, *deck, *interrupted.STEPS.split())
        self.wait_for(run, interrupted.CHECKPOINT)
        self.require_end_after(run, self.hosts.kill, "host3")
        self.assertNotIn(interrupted.OUTPUT, self.files())
        done = self.run_on(["host2", "host1"], "--resume", interrupted.CHECKPOINT)
        self.require_equal(done, alone)

    def test_a_host_without_network_ends_the_run(self):
        """TCP keepalives tell Open MPI about the lost network."""
        run = self.start_on(self.hosts.names, *LONG, "--output", "q.h5")
        self.wait_for(run, PART)
        self.require_end_after(run, self.hosts.cut, "host2")
        self.assertEqual(self.files(), [])

    def test_what_a_killed_run_leaves_on_another_host(self):
        """If locks are local to a host, a run cannot know whether a run on another host is still writing."""
        words = failing_rank.DECKS["pi"].split()
        run = subprocess.Popen(self.hosts.on("host3", self.directory, rivulet_cli.BINARY, *LONG, "--output", "q.h5"),
                               env=rivulet_cli.environment(), stdout=subprocess.DEVNULL)
        part = self.wait_for(run, PART)
        self.hosts.kill("host3")
        run.wait()
        self.assertEqual(self.files(), [".q.h5.lock", part])
        done = self.run_on(["host1", "host2"], *words, "--output", "q.h5")
        self.assertRegex(done.err, f"warning: '{part}' is a temporary file of process [0-9]+ on host3, since 2.*. Remove it if that process has")
        self.assertEqual(self.files(), ["q.h5", part])
