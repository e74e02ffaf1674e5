# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulated hosts: namespaces of this machine, joined by a bridge. Each has its own name, network, /tmp and /dev/shm;
all other folders are shared."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import rivulet_cli

OWN_FOLDERS = ("/tmp", "/dev/shm")  # each host has its own
NAMESPACES = ("--net", "--mount", "--uts", "--ipc")
# The host exists until its standard input is closed, at the latest when the test process ends.
HOST = f"""for folder in {' '.join(OWN_FOLDERS)}; do mount -t tmpfs none $folder || exit; done
hostname "$1" && mount --bind "$2/names" /etc/hosts && ip link set lo up && echo && exec cat"""
AGENT = """#!/bin/sh
name=$1
shift
exec nsenter --target="$(cat "{folder}/$name.pid")" {namespaces} -- sh -c "$*"
"""


def missing():
    """Returns why hosts cannot be made on this machine, or "" if they can be."""
    for program in ("ip", "unshare", "nsenter"):
        if shutil.which(program) is None:
            return f"there is no {program} (Debian's iproute2 and util-linux have it)"
    tried = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", *NAMESPACES, "ip", "link", "add", "switch",
                            "type", "bridge"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        return f"this user cannot make namespaces: {tried.stderr.strip()}"
    for path in (rivulet_cli.BINARY, rivulet_cli.SOURCE_DIR):
        if any(pathlib.Path(path).resolve().is_relative_to(folder) for folder in OWN_FOLDERS):
            return f"{path} is in a folder of which each host has its own"
    return "" if rivulet_cli.MPIEXEC else "the program was built without MPI"


def prepare():
    """For setUpModule(): skips the tests, or runs them as PID 1 of a PID namespace, so that all processes of the tests
    end together with it. Temporary folders are in the build folder, which all hosts share."""
    why = missing()
    if why:
        raise unittest.SkipTest(f"no hosts can be made: {why}")
    if os.getpid() != 1:
        os.execvp("unshare", ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv])
    tempfile.tempdir = os.environ.get("RIVULET_BUILD_DIR", "build")


class Hosts:
    """The hosts host1 .. hostN."""

    def __init__(self, folder, count):
        self.folder = pathlib.Path(folder).resolve()
        self.names = [f"host{i}" for i in range(1, count + 1)]
        self.processes = {}
        text = "127.0.0.1 localhost\n"
        text += "".join(f"{self.address(name)} {name}\n" for name in self.names)
        (self.folder / "names").write_text(text, encoding="utf-8")
        agent = self.folder / "agent"
        agent.write_text(AGENT.format(folder=self.folder, namespaces=" ".join(NAMESPACES)), encoding="utf-8")
        agent.chmod(0o755)
        self.environment = {
            "OMPI_MCA_plm_rsh_agent": str(agent),
            "PRTE_MCA_plm_ssh_agent": str(agent),
            "OMPI_MCA_btl": "self,tcp",
            "OMPI_MCA_btl_tcp_if_include": "eth0",
            "OMPI_MCA_oob_tcp_if_include": "eth0",
            "PRTE_MCA_oob_tcp_if_include": "eth0",
        }
        self.start("switch")
        self.inside("switch", "ip", "link", "add", "bridge", "type", "bridge")
        self.inside("switch", "ip", "link", "set", "bridge", "up")
        for name in self.names:
            self.start(name)
            self.inside("switch", "ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns",
                        str(self.processes[name].pid))
            self.inside("switch", "ip", "link", "set", name, "master", "bridge", "up")
            self.inside(name, "ip", "address", "add", f"{self.address(name)}/24", "dev", "eth0")
            self.inside(name, "ip", "link", "set", "eth0", "up")

    @staticmethod
    def address(name):
        return f"10.77.0.{name.removeprefix('host')}"

    def start(self, name):
        process = subprocess.Popen(["unshare", *NAMESPACES, "sh", "-c", HOST, "sh", name, self.folder],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.readline()
        self.processes[name] = process
        (self.folder / f"{name}.pid").write_text(str(process.pid), encoding="utf-8")

    def on(self, name, cwd, *command):
        """Returns the command line that runs a command on a host."""
        return ["nsenter", f"--target={self.processes[name].pid}", *NAMESPACES, "--", "sh", "-c",
                'cd "$0" && exec "$@"', str(cwd), *map(str, command)]

    def inside(self, name, *command):
        subprocess.run(self.on(name, "/", *command), check=True, stdin=subprocess.DEVNULL)

    def cut(self, name):
        """Disconnects a host from the network."""
        self.inside("switch", "ip", "link", "set", name, "down")

    def kill(self, name):
        """Kills all processes of a host at once, as a power failure would."""
        host = os.readlink(f"/proc/{self.processes[name].pid}/ns/uts")
        while found := [one for one in pathlib.Path("/proc").glob("[0-9]*") if self.runs_on(host, one)]:
            for one in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(one.name), signal.SIGKILL)
            time.sleep(0.01)
        self.processes.pop(name).wait()

    @staticmethod
    def runs_on(host, process):
        try:
            return os.readlink(process / "ns/uts") == host
        except OSError:  # the process has ended
            return False

    def stop(self):
        for name in list(self.processes):
            self.kill(name)
