# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests scripts/batch and scripts/scaling on a real Slurm with three nodes. Ranks on three nodes form one MPI job. A
job at its time limit is requeued and resumes from its checkpoint. A dependent job merges the parts of an array. The
report of a scaling study covers one, two and three nodes."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import hosts
import rivulet_cli
import slurm_cluster

ROOT = rivulet_cli.SOURCE_DIR.resolve()
BINARY = pathlib.Path(rivulet_cli.BINARY).resolve()
CPUS = 2
# Slurm may send its signal up to a minute early, and time limits are whole minutes.
MACHINE = """scheduler: slurm
nodes: 3
cores: 2
time: 00:02:00
margin: 100
mpi: pmix
options: [--overcommit]
"""
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")


def setUpModule():
    why = slurm_cluster.missing()
    if why:
        raise unittest.SkipTest(f"SCRIPTS FOR SLURM WERE NOT TRIED: {why}")
    hosts.prepare()


class Slurm(rivulet_cli.Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="slurm-")
        cls.addClassCleanup(folder.cleanup)
        nodes = hosts.Hosts(folder.name, 3)
        cls.addClassCleanup(nodes.stop)
        cls.cluster = slurm_cluster.Cluster(folder.name, nodes, CPUS)
        cls.addClassCleanup(cls.cluster.stop)
        cls.wait_for_nodes()

    @classmethod
    def wait_for_nodes(cls):
        for _ in range(60):  # until all nodes have registered with the controller
            try:
                if cls.cluster.run("sinfo", "--noheader", "--format=%T %D") == "idle 3":
                    return
            except subprocess.CalledProcessError:
                pass
            time.sleep(1)
        raise RuntimeError(f"Slurm did not start: {cls.cluster.run('sinfo')}")

    def submit(self, *arguments, program, more=""):
        self.write("m.yaml", MACHINE + more)
        self.script("batch", *arguments, "--machine", "m.yaml", "--program", program, "--output", "job.sh")
        self.stem = re.search('results="(.*?)(_[$]part)?[.]h5"', (self.directory / "job.sh").read_text())[1]
        return self.cluster.submit("job.sh", self.directory)

    def script(self, name, *arguments):
        self.cluster.run(sys.executable, ROOT / "scripts" / name, *arguments, cwd=self.directory)

    def said(self, job):
        return (self.directory / f"pi_{job}.log").read_text(encoding="utf-8")

    def require_completed(self, job, seconds):
        known = self.cluster.wait_for(job, ENDED, seconds)
        self.assertEqual(known["JobState"], "COMPLETED", self.said(job))
        return known

    def test_ranks_on_three_nodes(self):
        deck = ("pi", "pi.points=1e7", "streams.count=64")
        job = self.submit(*deck, program=BINARY, more="checkpoint: none\n")
        self.require_completed(job, 120)
        said = self.said(job)
        self.assertIn(f"3 ranks x {CPUS} threads", said)
        self.assertEqual(rivulet_cli.DIGEST_LINE.search(said)[1], self.run_ok(*deck).digest)

    def test_a_study(self):
        self.write("m.yaml", MACHINE + "checkpoint: none\n")
        self.script("scaling", "plan", "study", "pi", "pi.points=1e8", "streams.count=96", "--kind", "strong", "--most",
                    "3", "--repetitions", "1", "--machine", "m.yaml", "--program", BINARY)
        self.script("scaling", "submit", "study")
        for _ in range(240):
            if not self.cluster.run("squeue", "--noheader"):
                break
            time.sleep(0.5)
        self.script("scaling", "collect", "study")
        self.script("scaling", "report", "study")
        rows = json.loads((self.directory / "study" / "collected.json").read_text(encoding="utf-8"))
        self.assertEqual([(row["nodes"], row["ranks"]) for row in rows], [(1, 1), (2, 2), (3, 3)])
        self.assertIn("| 3 |", (self.directory / "study" / "report.md").read_text(encoding="utf-8"))

    def test_an_array_is_merged(self):
        """Each part of the array is interrupted and resumes."""
        deck = ("pi", "pi.points=3e10", "streams.count=64")
        job = self.submit(*deck, "--array", "2", "--checkpoint", "1 s", program=self.interrupted())
        merge = self.cluster.submit("job_merge.sh", self.directory, f"--dependency=afterok:{job}")
        self.assertEqual(self.cluster.state(merge)["JobState"], "PENDING")
        known = self.cluster.wait_for(merge, ENDED, 600)
        for part in range(2):
            said = (self.directory / f"pi_{job}_{part}.log").read_text(encoding="utf-8")
            self.assertIn("Continue with", said)
            self.assertEqual(said.count("Digest: "), 1, said)
        self.assertEqual(known["JobState"], "COMPLETED")
        self.assertTrue((self.directory / f"{self.stem}.h5").exists())
        said = (self.directory / f"pi_merge_{merge}.log").read_text(encoding="utf-8")
        self.assertEqual(rivulet_cli.DIGEST_LINE.search(said)[1],
                         self.run_ok(*deck, "output.file=", threads=CPUS, timeout=300).digest)

    def interrupted(self):
        """Returns the path of a wrapper script that sends SIGUSR1 to the program after its first checkpoint."""
        path = self.directory / self.write("rivulet", f"""#!/bin/bash
if [[ ${{@: -1}} == --validate || $1 == merge || $1 == --resume ]]; then exec {BINARY} "$@"; fi
for word in "$@"; do case $word in checkpoint.file=*) file=${{word#*=}} ;; esac; done
if [[ $SLURM_PROCID == 0 ]]; then (
  until [[ -e $file ]]; do sleep 0.1; done
  kill -USR1 $$
) & fi
exec {BINARY} "$@"
""")
        path.chmod(0o755)
        return str(path)

    def test_the_program_goes_on(self):
        """The work exceeds the time limit of one job. The resumed run has the digest of an uninterrupted run."""
        deck = ("pi", "pi.points=2e11", "streams.count=64")
        job = self.submit(*deck, program=BINARY)
        known = self.require_completed(job, 1800)
        self.assertGreater(int(known["Restarts"]), 0, "it was done too early")
        digest = rivulet_cli.DIGEST_LINE.findall(self.said(job))
        self.assertEqual(digest, [self.run_ok(*deck, threads=CPUS, timeout=1800).digest])
