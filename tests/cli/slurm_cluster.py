# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A private Slurm in a folder: each simulated host (hosts.py) is a node, and the first also runs the controller."""

import os
import pathlib
import shutil
import subprocess
import time

# Folders where Debian and Slurm's own build install the daemons.
SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
# Slurm runs without cgroups and accounting, because there is only one user. If munge is installed, Slurm authenticates
# with it. A requeued job waits until its old credentials have expired, which takes 10 s here and 120 s by default.
CONFIGURATION = """ClusterName=test
SlurmctldHost={controller}
SlurmUser=root
SlurmdUser=root
{authentication}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS=/tmp
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
WITHOUT_MUNGE = """AuthType=auth/none
AuthInfo=cred_expire=10
CredType=cred/none"""


def missing():
    """Returns the reason why no cluster can run on this machine, or an empty string if a cluster can run."""
    for program in ("slurmctld", "slurmd", "sbatch", "srun", "scontrol", "scancel"):
        if shutil.which(program, path=SEARCH_PATH) is None:
            return f"there is no {program} (Debian's slurm-wlm has it)"
    return ""


class Cluster:
    def __init__(self, folder, hosts, cpus):
        self.folder = pathlib.Path(folder)
        self.hosts = hosts
        self.controller = hosts.names[0]
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = {}
        self.folder.chmod(0o755)  # all users must reach munge's socket
        has_munge = shutil.which("munged", path=SEARCH_PATH) is not None
        authentication = (WITH_MUNGE if has_munge else WITHOUT_MUNGE).format(folder=self.folder)
        text = CONFIGURATION.format(controller=self.controller, folder=self.folder, authentication=authentication)
        (self.folder / "state").mkdir()
        for name in hosts.names:
            text += f"NodeName={name} CPUs={cpus} RealMemory=1000\n"
            (self.folder / f"spool.{name}").mkdir()
        (self.folder / "slurm.conf").write_text(text, encoding="utf-8")
        if has_munge:
            self.start_munge()
        self.start(self.controller, "slurmctld", "-D")
        for name in hosts.names:
            self.start(name, "slurmd", "-D")

    def start_munge(self):
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(64))
        self.start(self.controller, "munged", "--foreground", *(f"--{one}-file={self.folder}/munge.{one}"
                                               for one in ("key", "pid", "log", "seed")),
                   f"--socket={self.folder}/munge.socket")
        for _ in range(100):
            if (self.folder / "munge.socket").exists():
                return
            time.sleep(0.1)
        raise RuntimeError(f"munge did not start: {(self.folder / 'munged.log').read_text()}")

    def start(self, host, program, *arguments):
        name = f"{program}.{host}"
        command = self.hosts.on(host, self.folder, shutil.which(program, path=SEARCH_PATH), *arguments)
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                                                  stderr=log)

    def stop(self):
        for daemon in reversed(self.daemons.values()):
            daemon.terminate()
        for daemon in self.daemons.values():
            daemon.wait(timeout=60)

    def run(self, *command, cwd=None):
        """Runs a command on the controller's host, and returns its output."""
        return subprocess.run(self.hosts.on(self.controller, cwd or self.folder, *command), env=self.environment,
                              capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    def submit(self, script, cwd, *options):
        """Submits a script, and returns the job's id."""
        return self.run("sbatch", "--parsable", *options, script, cwd=cwd)

    def state(self, job):
        shown = self.run("scontrol", "--oneliner", "show", "job", job)
        return dict(word.split("=", 1) for word in shown.split() if "=" in word)

    def wait_for(self, job, states, seconds):
        """Waits until a job is in one of the states, and returns its record. Raises TimeoutError after `seconds`."""
        end = time.monotonic() + seconds
        while (known := self.state(job))["JobState"] not in states:
            if time.monotonic() > end:
                raise TimeoutError(f"job {job} is {known['JobState']} ({known['Reason']}) after {seconds} s")
            time.sleep(0.5)
        return known
