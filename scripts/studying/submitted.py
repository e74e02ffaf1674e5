# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Submits the jobs of a study, or runs them one after the other."""

import shutil
import subprocess
import sys

from batching.schedulers import SCHEDULERS
from common.failure import ScriptError, printed


def submit(folder, study, dry_run=False, say=printed):
    waiting = [run for run in study["runs"] if not (folder / run["results"]).exists()]
    command = SCHEDULERS[study["scheduler"]].submit if study["scheduler"] in SCHEDULERS else ("bash",)
    if shutil.which(command[0]) is None and not dry_run:
        raise ScriptError(f"there is no {command[0]} here", f"the study is for {study['scheduler']}",
                         "Submit it where the cluster's jobs are submitted.")
    for run in waiting:
        say(" ".join([*command, run["script"]]))
        if not dry_run:
            start(folder, command, run["script"])


def start(folder, command, script):
    """LSF reads scripts from its standard input."""
    from_input = command[0] == "bsub"
    with open(folder / script, encoding="utf-8") as text:
        done = subprocess.run([*command, *([] if from_input else [script])], cwd=folder, text=True,
                              stdin=text if from_input else subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    (folder / script).with_suffix(".log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise ScriptError(f"{' '.join(command)} {script} ended with status {done.returncode}", last,
                         "Mend that, and submit again after the other jobs have ended: runs with results are left out.")
    for line in done.stderr.splitlines():
        if "warning:" in line:  # such as ranks that share a GPU
            print(f"  {line}", file=sys.stderr)
    if command[0] != "bash" and done.stdout.strip():
        print(f"  {done.stdout.strip()}", file=sys.stderr)
