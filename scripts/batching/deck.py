# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the program says of a deck before a script is written for it."""

import shutil
import subprocess

from common.failure import ScriptError
from common.program import PROGRAM

SECONDS = 60  # for what takes a tenth of one


def found_program(named):
    """The program of that name, or the one that belongs to the scripts; None where there is neither."""
    return shutil.which(named) or shutil.which(PROGRAM)


def resolved(program, words):
    """The whole deck, as text; ScriptError with the program's message where it refuses the deck. None where the
    program does not run here, as one for the nodes' GPUs may not."""
    try:
        done = subprocess.run([program, *words, "--validate"], text=True, capture_output=True, check=False,
                              errors="replace", timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode == 0:
        return done.stdout
    said = [line.removeprefix("rivulet: ") for line in done.stderr.splitlines()
            if line.startswith("rivulet: ") and not line.startswith("rivulet: warning: ")]
    if said:
        here = " For this job give --checkpoint none." if said[0].startswith("checkpoint.file with work") else ""
        raise ScriptError("\n".join(said) + here)
    return None


def streams_of(text):
    """How many streams a whole deck has that parts can share."""
    import yaml

    deck = yaml.safe_load(text)
    if "streams" not in deck:
        raise ScriptError(f"--array of the job {deck['job']}", "it has no streams that parts could share",
                          "Leave --array away.")
    streams, job = deck["streams"], deck[deck["job"]]
    if streams["of"] != "auto" or streams["first"] != 0:
        raise ScriptError("--array with streams.of or streams.first", "it gives each part its streams",
                          "Leave them away; streams.count is the whole number.")
    return job["width"] * job["height"] if job.get("numbers") in ("pixel", "hash") else streams["count"]
