# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests runs on two ranks, in which a system call fails on one rank. Each run ends within SECONDS with a message and
status
1, or succeeds if the call did not matter. No run leaves a half-written file."""

import re
import subprocess

import output_case
import rivulet_cli

SECONDS = 20
CALLS = ("pwrite", "open", "ftruncate", "fsync", "rename", "malloc")
SMALL = "checkpoint.file=run.ckpt checkpoint.every=0.001 checkpoint.keep=true"
DECKS = {
    "pi": "pi pi.points=1e6 streams.count=64",
    "pi, checkpoints": f"pi pi.points=3e8 streams.count=64 {SMALL}",
    "alias": "alias alias.samples=1e5 streams.count=64",
    "kept samples": "alias alias.samples=1e5 streams.count=64 alias.keep=indices",
    "fill": "fill fill.numbers=1e6 fill.to=file streams.count=64",
    "fill, checkpoints": "fill fill.numbers=2e7 fill.to=file streams.count=64 checkpoint.file=run.ckpt "
                         "checkpoint.every=0.001",
    "correlate": "correlate correlate.numbers=1e5 streams.count=8 correlate.lags=100",
    "occlusion": "occlusion occlusion.width=64 occlusion.height=48 occlusion.passes=[4]",
    "create": "create create.exponent=521 create.count=4",
    "battery": "battery battery.tests=small.1 streams.count=64",
}
# Places where runs used to hang: deck, call, number of the call, rank.
FIXED = (("pi", "pwrite", 16, 1), ("fill", "pwrite", 20, 0), ("alias", "fsync", 1, 1), ("create", "ftruncate", 2, 0),
         ("kept samples", "malloc", 90, 0), ("correlate", "pwrite", 24, 1))


class FailingRank(output_case.OutputCase):
    def run_failing(self, deck, **variables):
        """Returns the status and the standard error of a run; the status is None if the run hangs."""
        command = [rivulet_cli.BINARY, *DECKS[deck].split(), "--output", "out.h5", "--quiet"]
        run = subprocess.Popen(rivulet_cli.on_ranks(command, 2), cwd=self.directory, text=True, errors="replace",
                               env=rivulet_cli.environment(OMP_NUM_THREADS="1", **self.hostile(**variables)),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            err = run.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            run.terminate()
            try:
                run.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
            return None, ""
        return run.returncode, err

    def call_count(self, deck, call, rank):
        """Returns how often a run makes this system call on that rank."""
        count = self.directory / "count"
        self.run_failing(deck, HOSTILE_FAILS=f"{call} 0", HOSTILE_RANK=str(rank), HOSTILE_COUNT=str(count))
        found = int(count.read_text())
        self.remove_files()
        return found

    def fault(self, deck, call, call_number, rank):
        """Returns the fault of a run whose call fails, or "" if the run ends as required."""
        status, err = self.run_failing(deck, HOSTILE_FAILS=f"{call} {call_number}", HOSTILE_RANK=str(rank))
        left = self.files()
        # A complete file that could not be renamed may stay if the message names it.
        complete = [name for name in left if re.fullmatch(r"out\.h5|run\.ckpt", name) or name in err]
        self.remove_files()
        if status is None:
            return "hangs"
        if status == 0:
            return "" if left == complete and "out.h5" in complete else f"left {left}"
        if status != 1:
            return f"status {status}: {err}"
        if not re.search(r"(?m)^rivulet: .+ \(.+\)\. ", err):
            return f"no message: {err}"
        return f"left {left}" if "checkpoint" not in deck and complete != left else ""
