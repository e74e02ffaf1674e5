# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs build/rivulet and reads its report."""

import os
import re
import subprocess
import tempfile

from common.failure import ScriptError

PHASES = ("setup", "rng", "compute", "reduction", "transfer", "io", "total")


class Report:
    """What a run printed."""

    def __init__(self, text):
        self.text = text
        found = re.search(r"^Figure of Merit \(FOM\): (\S+) (\S+)$", text, re.M)
        self.merit = float(found.group(1))
        self.unit = found.group(2)
        self.digest = re.search(r"^Digest: ([0-9a-f]{64})$", text, re.M).group(1)
        # Of the slowest rank: the last of minimum, average and maximum.
        self.seconds = {phase: float(re.search(rf"^{phase} +\S+ +\S+ +(\S+)$", text, re.M).group(1))
                        for phase in PHASES}


def rivulet(binary, *arguments, threads=None):
    """The report of a run; its results file is not kept."""
    environment = dict(os.environ, OMP_PROC_BIND="false")
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
    with tempfile.TemporaryDirectory() as folder:
        command = [str(binary), *map(str, arguments), f"output.file={folder}/results.h5"]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        raise ScriptError(f"{' '.join(command)} failed.", f"It reported: {run.stderr.strip()}")
    return Report(run.stdout)
