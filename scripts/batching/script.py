# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script of a job."""

import pathlib
import re
import shlex
from dataclasses import dataclass

from batching import launch
from batching.schedulers import SCHEDULERS
from common.failure import ScriptError

CHECKPOINT_WRITTEN = 75  # EX_TEMPFAIL of sysexits.h: what rivulet ends with if it can be resumed


@dataclass(frozen=True)
class Work:
    deck: str
    overrides: tuple = ()
    name: str = None
    path: pathlib.Path = None  # of the script, if known
    output: str = None  # the results file, if it is not named after the job

    @property
    def called(self):
        name = self.name or pathlib.PurePath(self.deck).stem
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", name):
            raise ScriptError(f"'{name}' cannot name a job", "names are letters, digits, and _ . - within, "
                             "at most 100", "Give one with --name.")
        return name


def quoted(words):
    return " ".join(shlex.quote(word) for word in words)


def check(work):
    for one in work.overrides:
        if "=" not in one or "." not in one.partition("=")[0]:
            raise ScriptError(f"'{one}' changes nothing in a deck", "it is not section.key=value",
                             "Correct it, or give one deck only.")
        for key in ("output.file", "checkpoint."):
            if one.startswith(key):
                raise ScriptError(f"{one} cannot be given", "the script names the files of each job",
                                 "Leave it away; --name chooses what the names begin with.")
    if "\n" in work.deck or any("\n" in one for one in work.overrides):
        raise ScriptError("a line break in the deck's name or a value", "scripts have lines",
                         "Remove it.")


def script(machine, work):
    check(work)
    scheduler = SCHEDULERS[machine.scheduler]
    head = [f"{scheduler.mark} {line}" for line in (*scheduler.head(machine, work.called),
                                                    *machine.options)]
    body = resumable(machine, work, scheduler) if machine.checkpoint != "none" else once(machine, work)
    return "\n".join(["#!/bin/bash", *head, "", *environment(machine), "", *body, ""])


def environment(machine):
    begin = SCHEDULERS[machine.scheduler].begin
    return [*begin, *(["module load " + quoted(machine.modules)] if machine.modules else []), *machine.setup,
            *(f"export {key}={value}" for key, value in launch.threads(machine).items())]


def rivulet(machine):
    """The command that starts the ranks, as an array of the shell."""
    return [f"rivulet=({quoted([*launch.command(machine), machine.program])})"]


def output_of(work, job):
    name = work.output or f"{work.called}_{job}.h5"
    return f'--output "{name}"'


def once(machine, work):
    """A job that is not resumed: it must end within its time."""
    job = SCHEDULERS[machine.scheduler].job
    return [*rivulet(machine),
            f'"${{rivulet[@]}}" {quoted([work.deck, *work.overrides])} {output_of(work, job)}']


def resumable(machine, work, scheduler):
    """A job that goes on from its checkpoint. Slurm tells Rivulet itself when the time is nearly over."""
    in_time = [] if machine.scheduler == "slurm" else [
        "--time-limit", f"'{machine.seconds - machine.margin} s'"]
    overrides = [*work.overrides, f"checkpoint.every={machine.checkpoint}"]
    run = ['"${rivulet[@]}" "${work[@]}"', *in_time, output_of(work, "$job")]
    return [f"job={scheduler.job}",
            f'checkpoint="{work.called}_$job.checkpoint"',
            *rivulet(machine),
            f'work=({quoted([work.deck, *overrides])} "checkpoint.file=$checkpoint")',
            'if [[ -e $checkpoint ]]; then work=(--resume "$checkpoint"); fi', "",
            " ".join(run),
            *again(machine, work, scheduler)]


def again(machine, work, scheduler):
    if not scheduler.again:
        return []
    own = shlex.quote(str(work.path)) if work.path else f"$PWD/{work.called}.sh"
    path = [f"RIVULET_SCRIPT=${{RIVULET_SCRIPT:-{own}}} # schedulers run a copy of it"]
    return ["status=$?",
            f"restarts={scheduler.restarts}",
            *(path if scheduler.submits_anew else []),
            "# Rivulet wrote a checkpoint, as it was told to end: the same job again, from there.",
            f"if ((status == {CHECKPOINT_WRITTEN} && restarts < {machine.restarts})); then",
            *(f"  {line}" for line in scheduler.again),
            "fi",
            "exit $status"]
