# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts of scripts/batch on a real Slurm with two nodes: ranks find each other, a job whose time ends is queued
again and resumes from its checkpoint, and the parts of an array are merged after the last of them."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import rivulet_cli

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
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")

# Where Debian, and Slurm's own build, put the daemons.
PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
# No cgroups or accounting: everything is one user's, whom munge knows, where it is installed. Jobs run again
# 10 s after they were queued again, by when their credentials are no longer valid (120 s unless told).
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
{authentication}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2
ReturnToService=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
WITH_MUNGE = """AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
CredType=cred/munge"""
WITHOUT = """AuthType=auth/none
AuthInfo=cred_expire=10
CredType=cred/none"""


def missing():
    """Why there can be no cluster here, or nothing."""
    for program in ("slurmctld", "slurmd", "sbatch", "srun", "scontrol", "scancel"):
        if shutil.which(program, path=PLACES) is None:
            return f"there is no {program} (Debian's slurm-wlm has it)"
    return "slurmd must be started by root" if os.geteuid() != 0 else ""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A controller and several nodes, all on this host and alone in a folder."""

    def __init__(self, folder, nodes, cpus):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = {}
        host = socket.gethostname().partition(".")[0]
        self.folder.chmod(0o755)  # munge's socket is for everybody
        has_munge = shutil.which("munged", path=PLACES) is not None
        authentication = (WITH_MUNGE if has_munge else WITHOUT).format(folder=self.folder)
        text = CONFIGURATION.format(host=host, port=free_port(), folder=self.folder, authentication=authentication)
        (self.folder / "state").mkdir()
        names = [f"n{i}" for i in range(1, nodes + 1)]
        for name in names:
            text += (f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} "
                     f"CPUs={cpus} RealMemory=1000\n")
            (self.folder / f"spool.{name}").mkdir()
            (self.folder / f"tmp.{name}").mkdir()
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        if has_munge:
            self.start_munge()
        self.start("slurmctld", "-D")
        for name in names:
            self.start_node(name)

    def start_node(self, name):
        self.start("slurmd", "-D", "-N", name)

    def start_munge(self):
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(64))
        self.start("munged", "--foreground", *(f"--{one}-file={self.folder}/munge.{one}"
                                               for one in ("key", "pid", "log", "seed")),
                   f"--socket={self.folder}/munge.socket")
        for _ in range(100):
            if (self.folder / "munge.socket").exists():
                return
            time.sleep(0.1)
        raise RuntimeError(f"munge did not start: {(self.folder / 'munged.log').read_text()}")

    def start(self, program, *arguments):
        name = "_".join([program, *(arguments[2:] if program == "slurmd" else ())])
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self.daemons[name] = subprocess.Popen(
                [shutil.which(program, path=PLACES), *arguments], env=self.environment,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self):
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
        for daemon in self.daemons.values():
            daemon.wait(timeout=60)

    def run(self, *command, cwd=None):
        return subprocess.run(command, cwd=cwd, env=self.environment, capture_output=True, text=True,
                              check=True, timeout=60).stdout.strip()

    def submit(self, script, cwd, *options):
        """The job's number."""
        return self.run("sbatch", "--parsable", *options, script, cwd=cwd)

    def state(self, job):
        shown = self.run("scontrol", "--oneliner", "show", "job", job)
        return dict(word.split("=", 1) for word in shown.split() if "=" in word)

    def wait_for(self, job, states, seconds):
        """The job when it is in one of the states; what it was last, where that takes too long."""
        end = time.monotonic() + seconds
        while (known := self.state(job))["JobState"] not in states:
            if time.monotonic() > end:
                raise TimeoutError(f"job {job} is {known['JobState']} ({known['Reason']}) after {seconds} s")
            time.sleep(0.5)
        return known


def setUpModule():
    why = missing()
    if why:
        raise unittest.SkipTest(f"SCRIPTS FOR SLURM WERE NOT TRIED: {why}")
    if not rivulet_cli.MPIEXEC:
        raise unittest.SkipTest("built without MPI")


class Slurm(rivulet_cli.Case):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="slurm-")
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(folder.name, 2, CPUS)
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
        deck = ("pi", "pi.points=2e11", "streams.count=64")
        job = self.submit(*deck, program=BINARY)
        known = self.require_completed(job, 1800)
        self.assertGreater(int(known["Restarts"]), 0, "it was done too early")
        digest = rivulet_cli.DIGEST_LINE.findall(self.said(job))
        self.assertEqual(digest, [self.run_ok(*deck, threads=CPUS, timeout=1800).digest])
