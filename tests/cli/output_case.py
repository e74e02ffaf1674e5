# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs that are stopped, killed, or in the hands of a hostile system while they write a file."""

import os
import re
import signal
import time
import unittest

import rivulet_cli
from refusal import Refusal

SECONDS = 60
HOSTILE = os.environ.get("RIVULET_HOSTILE_CALLS", "")
LONG = ["pi", "pi.points=1e15", "streams.count=64"]  # of days


class OutputCase(Refusal):
    def refuse(self, arguments, *phrases, ranks=(1,), **options):
        """On one rank, as most of what is refused here is seen by the first alone."""
        super().refuse(arguments, *phrases, ranks=ranks, **options)

    def start(self, *arguments, ranks=1, **variables):
        """A run that goes on by itself; it is killed when the test ends."""
        run = rivulet_cli.started(arguments, self.directory, ranks, **variables)
        self.addCleanup(self.end, run)
        return run

    @staticmethod
    def end(run):
        run.kill()
        run.communicate(timeout=SECONDS)

    def writer(self, name):
        """The process that writes a file, as its lock says, once the temporary file is there too."""
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
        """Until a process is in one of these states (proc(5)); or for a minute."""
        for _ in range(200 * SECONDS):
            with open(f"/proc/{number}/stat", encoding="utf-8") as state:
                if state.read().rpartition(")")[2].split()[0] in states:
                    return
            time.sleep(0.005)

    @classmethod
    def kill(cls, number):
        """For good: it is gone, though perhaps not yet waited for."""
        try:
            os.kill(number, signal.SIGKILL)
            cls.wait_for(number, "ZX")
        except (ProcessLookupError, FileNotFoundError):
            pass

    @staticmethod
    def hostile(**variables):
        """What makes the system hostile, see hostile_calls.cpp."""
        hostile = {"LD_PRELOAD": HOSTILE, **variables}
        if not HOSTILE or rivulet_cli.run("--version", variables=hostile).code != 0:
            raise unittest.SkipTest("no library can be put before the C library's")
        return hostile
