# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that are stopped or killed, or whose system calls fail, while they write a file."""

import os
import re
import signal
import time
import unittest

import rivulet_cli
from refusal import Refusal

SECONDS = 60
HOSTILE = os.environ.get("RIVULET_HOSTILE_CALLS", "")
LONG = ["pi", "pi.points=1e15", "streams.count=64"]  # takes days


class OutputCase(Refusal):
    def refuse(self, arguments, *phrases, ranks=(1,), **options):
        """Requires a refusal, by default on one rank, because most of these refusals come from the first rank alone."""
        super().refuse(arguments, *phrases, ranks=ranks, **options)

    def start(self, *arguments, ranks=1, **variables):
        """Starts a run in the background. It is killed at the end of the test."""
        run = rivulet_cli.started(arguments, self.directory, ranks, **variables)
        self.addCleanup(self.end, run)
        return run

    @staticmethod
    def end(run):
        run.kill()
        run.communicate(timeout=SECONDS)

    def writer(self, name):
        """Waits for the lock and the temporary file of an output. Returns the process that the lock names."""
        lock = self.directory / f".{name}.lock"
        for _ in range(200 * SECONDS):
            text = lock.read_text() if lock.exists() else ""
            found = re.search(r"(?m)^writer: process (\d+) on .+\ntemporary: (.+)\n", text)
            if found and (self.directory / found[2]).exists():
                number = int(found[1])
                self.addCleanup(self.kill, number)
                return number
            time.sleep(0.005)
        self.fail(f"nobody began to write {name}")

    @staticmethod
    def wait_for(number, states):
        """Waits up to a minute until a process is in one of these states (proc(5))."""
        for _ in range(200 * SECONDS):
            with open(f"/proc/{number}/stat", encoding="utf-8") as state:
                if state.read().rpartition(")")[2].split()[0] in states:
                    return
            time.sleep(0.005)

    @classmethod
    def kill(cls, number):
        """Kills a process and waits until it is gone or a zombie."""
        try:
            os.kill(number, signal.SIGKILL)
            cls.wait_for(number, "ZX")
        except (ProcessLookupError, FileNotFoundError):
            pass

    @staticmethod
    def hostile(**variables):
        """Returns the variables that preload the library of hostile_calls.cpp."""
        hostile = {"LD_PRELOAD": HOSTILE, **variables}
        if not HOSTILE or rivulet_cli.run("--version", variables=hostile).code != 0:
            raise unittest.SkipTest("no library can be put before the C library's")
        return hostile
