# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts of scripts/batch on a real Slurm with two nodes: ranks find each other, a job that is told
to end, or whose node dies, is queued again and goes on from its checkpoint, one that is cancelled goes on when its
script is submitted again, and the parts of an array are merged after the last of them."""

import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import rivulet_cli
import slurm_cluster

ROOT = rivulet_cli.SOURCE_DIR.resolve()
BINARY = pathlib.Path(rivulet_cli.BINARY).resolve()
CPUS = 2
# Slurm tells a job up to a minute early that its time is nearly over, and limits are whole minutes.
MACHINE = """scheduler: slurm
nodes: 2
cores: 2
time: 00:02:00
margin: 100
mpi: pmix
options: [--overcommit]
setup: ['export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo'] # /dev/shm is one of both nodes
"""
# As Rivulet does: a checkpoint at SIGUSR1 and SIGTERM, status 75 on all ranks, and going on from it.
STAND_IN = """#!/bin/bash
if [[ ${@: -1} == --validate ]]; then exit; fi
echo "rank $SLURM_PROCID on $SLURMD_NODENAME: $*"
for word in "$@"; do
  case $word in checkpoint.file=*) file=${word#*=} ;; *.checkpoint) file=$word ;; *.h5) result=$word ;; esac
done
write() {
  if [[ $SLURM_PROCID == 0 ]]; then echo stopped > "$file"; fi
  exit 75
}
if [[ $1 == --resume ]]; then touch "$result"; exit 0; fi
trap write USR1 TERM
while true; do sleep 0.2; done
"""
RUN_AGAIN_SECONDS = 240  # two minutes until it is told, and what queueing again takes
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")


def setUpModule():
    why = slurm_cluster.missing()
    if why:
        raise unittest.SkipTest(f"SCRIPTS FOR SLURM WERE NOT TRIED: {why}")
    if not rivulet_cli.MPIEXEC:
        raise unittest.SkipTest("built without MPI")


class Slurm(rivulet_cli.Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="slurm-")
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = slurm_cluster.Cluster(folder.name, 2, CPUS)
        cls.addClassCleanup(cls.cluster.stop)
        cls.wait_for_nodes()

    @classmethod
    def wait_for_nodes(cls):
        for _ in range(60):  # until both nodes have told the controller that they are there
            try:
                if cls.cluster.run("sinfo", "--noheader", "--format=%T %D") == "idle 2":
                    return
            except subprocess.CalledProcessError:
                pass
            time.sleep(1)
        raise RuntimeError(f"Slurm did not start: {cls.cluster.run('sinfo')}")

    def submit(self, *arguments, program, more=""):
        self.write("m.yaml", MACHINE + more)
        subprocess.run([sys.executable, ROOT / "scripts" / "batch", *arguments, "--machine", "m.yaml",
                        "--program", program, "--output", "job.sh"], cwd=self.directory, check=True)
        self.stem = re.search('results="(.*?)(_[$]part)?[.]h5"', (self.directory / "job.sh").read_text())[1]
        return self.cluster.submit("job.sh", self.directory)

    def stand_in(self):
        path = self.directory / self.write("rivulet", STAND_IN)
        path.chmod(0o755)
        return str(path)

    def said(self, job):
        return (self.directory / f"pi_{job}.log").read_text(encoding="utf-8")

    def require_completed(self, job, seconds):
        known = self.cluster.wait_for(job, ENDED, seconds)
        self.assertEqual(known["JobState"], "COMPLETED", self.said(job))
        return known

    def test_ranks_on_two_nodes(self):
        deck = ("pi", "pi.points=1e7", "streams.count=64")
        job = self.submit(*deck, program=BINARY, more="checkpoint: none\n")
        self.require_completed(job, 120)
        said = self.said(job)
        self.assertIn(f"2 ranks x {CPUS} threads", said)
        self.assertEqual(rivulet_cli.DIGEST_LINE.search(said)[1], self.run_ok(*deck).digest)

    def test_goes_on_after_its_time(self):
        job = self.submit("pi", program=self.stand_in())
        known = self.require_completed(job, RUN_AGAIN_SECONDS)
        self.assertEqual(known["Restarts"], "1")
        said = self.said(job)
        for rank in (0, 1):
            self.assertIn(f"rank {rank} on n{rank + 1}: pi checkpoint.every=", said)
            self.assertIn(f"rank {rank} on n{rank + 1}: --resume {self.stem}.checkpoint --output", said)
        self.assertTrue((self.directory / f"{self.stem}.h5").exists())

    def wait_for_checkpoint(self, job):
        checkpoint = self.directory / f"{self.stem}.checkpoint"
        for _ in range(600):
            if checkpoint.exists():
                return checkpoint
            time.sleep(0.1)
        self.fail(f"there is no checkpoint: {self.said(job)}")

    def test_a_job_goes_on_after_its_node_died(self):
        """On the other node of one host, whose file system has locks, with the digest of a run without an end between."""
        deck = ("pi", "pi.points=1e11", "streams.count=64")
        job = self.submit(*deck, "--nodes", "1", "--checkpoint", "1 s", program=BINARY)
        checkpoint = self.wait_for_checkpoint(job)
        dead = self.cluster.state(job)["NodeList"]
        self.addCleanup(self.wait_for_nodes)
        self.addCleanup(self.cluster.start_node, dead)
        self.cluster.kill_node(dead, job)
        self.assertTrue((self.directory / f".{self.stem}.h5.rivulet-lock").exists())
        self.assertNotIn("Digest: ", self.said(job))
        known = self.require_completed(job, 300)
        self.assertGreaterEqual(int(known["Restarts"]), 1)
        self.assertNotEqual(known["NodeList"], dead)
        self.assertFalse(checkpoint.exists())
        self.assertEqual(rivulet_cli.DIGEST_LINE.findall(self.said(job)),
                         [self.run_ok(*deck, "output.file=", threads=CPUS, timeout=300).digest])

    def cancel(self, job):
        """As soon as there is a checkpoint; the job stays cancelled."""
        self.wait_for_checkpoint(job)
        self.cluster.run("scancel", job)
        known = self.cluster.wait_for(job, ENDED, 60)
        self.assertEqual((known["JobState"], known["Restarts"]), ("CANCELLED", "0"))
        time.sleep(3)
        self.assertEqual(self.cluster.state(job)["JobState"], "CANCELLED")

    def test_a_cancelled_job_goes_on_when_it_is_submitted_again(self):
        """With the digest of a run without an end in between; a third job finds the results."""
        deck = ("pi", "pi.points=3e10", "streams.count=64")
        job = self.submit(*deck, "--checkpoint", "1 s", program=BINARY)
        self.cancel(job)
        checkpoint = self.directory / f"{self.stem}.checkpoint"
        self.assertTrue(checkpoint.exists(), self.said(job))
        self.assertIn("Continue with", self.said(job))
        second = self.cluster.submit("job.sh", self.directory)
        self.require_completed(second, 300)
        self.assertFalse(checkpoint.exists())
        self.assertEqual(rivulet_cli.DIGEST_LINE.search(self.said(second))[1],
                         self.run_ok(*deck, "output.file=", threads=CPUS, timeout=300).digest)
        third = self.cluster.submit("job.sh", self.directory)
        self.require_completed(third, 60)
        self.assertIn("nothing is left to do", self.said(third))

    def test_an_array_is_merged(self):
        """Each of its parts is told to end, and goes on."""
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
        """The program, which gets a signal after its first checkpoint."""
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
        """More work than fits a job; its digest is that of a run without an end in between."""
        if "--resume" not in rivulet_cli.run("--help").out:
            self.skipTest("this program writes no checkpoints")
        deck = ("pi", "pi.points=2e11", "streams.count=64")
        job = self.submit(*deck, program=BINARY)
        known = self.require_completed(job, 1800)
        self.assertGreater(int(known["Restarts"]), 0, "it was done too early")
        digest = rivulet_cli.DIGEST_LINE.findall(self.said(job))
        self.assertEqual(digest, [self.run_ok(*deck, threads=CPUS, timeout=1800).digest])
