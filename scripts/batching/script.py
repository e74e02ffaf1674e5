# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the shell script of a job. The launchers in it start and bind the ranks."""

import hashlib
import pathlib
import re
import shlex
from dataclasses import dataclass, replace

from batching.machine import seconds_of
from batching.schedulers import SCHEDULERS
from common.failure import ScriptError

CHECKPOINT_WRITTEN = 75  # exit status of a run that can be resumed (EX_TEMPFAIL of sysexits.h)
MERGE_TIME = "01:00:00"


@dataclass(frozen=True)
class Work:
    deck: str
    overrides: tuple = ()
    name: str = None
    path: pathlib.Path = None  # path of the script; None: unknown
    output: str = None  # results file; None: STEM.h5
    parts: int = 0  # number of parts of a job array; 0 for a single job
    streams: int = 0  # total number of streams, which the parts divide among themselves

    @property
    def job_name(self):
        name = self.name or pathlib.PurePath(self.deck).stem
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", name):
            raise ScriptError(f"'{name}' cannot name a job", "a job's name has at most 100 characters: letters, digits "
                             "and _ . -, beginning with a letter or digit", "Give, for example, --name pi_1.")
        return name

    @property
    def stem(self):
        """The common prefix of the job's file names: the job's name and a hash of the deck, overrides and parts. The
        hash covers the names of files in the deck, but not their contents."""
        sha = hashlib.sha256()
        try:
            deck = pathlib.Path(self.deck).read_bytes()
        except OSError:
            deck = self.deck.encode()  # the name of a job, or a deck on another machine
        for one in (deck, *(one.encode() for one in self.overrides), b"%d %d" % (self.parts, self.streams)):
            sha.update(len(one).to_bytes(8, "little") + one)
        return f"{self.job_name}-{sha.hexdigest()[:8]}"


def quoted(words):
    return " ".join(shlex.quote(word) for word in words)


def check(work):
    for one in work.overrides:
        if "=" not in one or "." not in one.partition("=")[0]:
            raise ScriptError(f"'{one}' is not section.key=value", "only the first argument is the deck",
                             "Write SECTION.KEY=VALUE, such as pi.points=1e6.")
        for key in ("output.file", "checkpoint."):
            if one.startswith(key):
                raise ScriptError(f"{one} cannot be given", "the script names the files of each job",
                                 "Omit it; --name sets how the names begin.")
        if work.parts and one.startswith("output.expect="):
            raise ScriptError(f"{one} with --array {work.parts}", "each part has its own digest", "Omit it.")
    if "\n" in work.deck or any("\n" in one for one in work.overrides):
        raise ScriptError("a line break in the deck's name or a value", "the script writes it on one line",
                         "Remove it.")


def script(machine, work):
    check(work)
    keeps = machine.checkpoint != "none"
    return complete_script(machine, work.job_name, work.parts,
                           resumable(machine, work) if keeps else single_run(machine, work))


def merging(machine, work):
    """Returns the script of the job that merges the results of an array's parts. The job is one process on one core for
    at most MERGE_TIME, and requests no GPUs and no memory."""
    time = MERGE_TIME if machine.seconds > seconds_of(MERGE_TIME) else machine.time
    options = tuple(one for one in machine.options if not one.startswith("--exclusive"))
    machine = replace(machine, nodes=1, cores=1, ranks="1", gpus=0, memory="", time=time, checkpoint="none",
                      options=(*options, "--kill-on-invalid-dep=yes"))
    results = f"{work.stem}_{{0..{work.parts - 1}}}.h5"
    end = '"${rivulet[@]}" merge ' + results + ' --output "$results"'
    return complete_script(machine, f"{work.job_name}_merge", 0,
                           [f'results="{work.stem}.h5"', *rivulet(machine), *exit_if_finished("if"), "fi", "", end])


def complete_script(machine, name, parts, body):
    scheduler = SCHEDULERS[machine.scheduler]
    head = [f"{scheduler.mark} {line}" for line in (*scheduler.head(machine, name, parts), *machine.options)]
    return "\n".join(["#!/bin/bash", *head, "", *environment(machine), "", *body, ""])


def environment(machine):
    begin = SCHEDULERS[machine.scheduler].begin
    return [*begin, *machine.setup, *(["module load " + quoted(machine.modules)] if machine.modules else []),
            *(f"export {key}={value}" for key, value in threads(machine).items())]


def rivulet(machine):
    """Returns the shell line that defines the array `rivulet`, the command that starts the ranks."""
    launch = LAUNCHES[machine.launcher](machine, machine.nodes * machine.ranks_a_node)
    return [f"rivulet=({quoted([*launch, machine.program])})"]


def files(machine, work):
    """Returns the shell lines that set the results file and, in a job array, the part's streams."""
    if not work.parts:
        return [f'results="{work.output or work.stem + ".h5"}"']
    share = f"{work.streams} * %s / {work.parts}"
    return [f"part={SCHEDULERS[machine.scheduler].part}",
            f"first=$(({share % 'part'}))",
            f"count=$(({share % '(part + 1)'} - first))",
            f'results="{work.stem}_$part.h5"']


def deck_of(work, *more):
    """Returns the deck and its overrides as words of a shell array. In a job array the last words set the part's
    streams."""
    words = [work.deck, *(one for one in work.overrides
                          if not (work.parts and one.startswith("streams.count="))), *more]
    part = f' streams.of={work.streams} "streams.first=$first" "streams.count=$count"' if work.parts else ""
    return quoted(words) + part


def exit_if_finished(word):
    """Returns the shell lines that begin an if or elif (`word`) and end the job if its results file exists. Submitting
    a finished job again thus does nothing; a resumed run would refuse to replace the file."""
    return [f"{word} [[ -e $results ]]; then",
            '  echo "$results is there: nothing is left to do. To start afresh, remove it."', "  exit 0"]


def single_run(machine, work):
    """Returns the shell lines of a job without checkpoints, which must end within its time limit."""
    return [*files(machine, work), *rivulet(machine),
            *([] if work.output else [*exit_if_finished("if"), "fi", ""]),
            f'"${{rivulet[@]}}" {deck_of(work)} --output "$results"']


def resumable(machine, work):
    """Returns the shell lines of a job that resumes from its checkpoint. Slurm announces the time limit by a signal;
    under other schedulers the script passes --time-limit to the program."""
    time_limit = [] if machine.scheduler == "slurm" else [
        "--time-limit", f"'{machine.seconds - machine.margin} s'"]
    run = ['"${rivulet[@]}" "${work[@]}"', *time_limit, '--output "$results"']
    return [*files(machine, work), 'checkpoint="${results%.h5}.checkpoint"', *rivulet(machine),
            f'work=({deck_of(work, f"checkpoint.every={machine.checkpoint}")} "checkpoint.file=$checkpoint")',
            "if [[ -e $checkpoint ]]; then", '  work=(--resume "$checkpoint")',
            *([] if work.output else exit_if_finished("elif")), "fi", "",
            " ".join(run),
            *requeue(machine, work, SCHEDULERS[machine.scheduler])]


def requeue(machine, work, scheduler):
    if not scheduler.requeue:
        return []
    default_path = shlex.quote(str(work.path)) if work.path else f"$PWD/{work.job_name}.sh"
    path = [f"RIVULET_SCRIPT=${{RIVULET_SCRIPT:-{default_path}}} # schedulers run a copy of it"]
    return ["status=$?",
            f"restarts={scheduler.restarts}",
            *(path if scheduler.resubmits else []),
            "# Rivulet was told to end and wrote a checkpoint: queue the job again.",
            f"if ((status == {CHECKPOINT_WRITTEN} && restarts < {machine.restarts})); then",
            *(f"  {line}" for line in scheduler.requeue),
            "fi",
            "exit $status"]


# Launchers: each function returns the words of the command that starts `total` ranks.
def gpus_a_rank(machine):
    return max(1, machine.gpus // machine.ranks_a_node)


def srun(machine, total):
    """Binds each rank's threads to the rank's cores. Each rank sees all GPUs of its node; Rivulet assigns them in rank
    order. --distribution=block:block puts neighbouring ranks on one socket, because neighbouring GPUs are mostly on one
    socket too."""
    words = ["srun"]
    if machine.mpi:
        words.append(f"--mpi={machine.mpi}")
    words += [f"--ntasks={total}", f"--ntasks-per-node={machine.ranks_a_node}",
              f"--cpus-per-task={machine.cores_a_rank}", "--cpu-bind=cores"]
    if machine.gpus:
        words += ["--distribution=block:block", "--gpu-bind=none"]
    return words


def flux(machine, total):
    words = ["flux", "run", f"--nodes={machine.nodes}", f"--ntasks={total}",
             f"--cores-per-task={machine.cores_a_rank}", "--setopt=cpu-affinity=per-task"]
    if machine.gpus:
        words += [f"--gpus-per-task={gpus_a_rank(machine)}", "--setopt=gpu-affinity=off"]
    return words


def openmpi(machine, total):
    return ["mpiexec", "-n", str(total), "--map-by",
            f"ppr:{machine.ranks_a_node}:node:pe={machine.cores_a_rank}", "--bind-to", "core"]


def pals(machine, total):
    return ["mpiexec", "-n", str(total), "--ppn", str(machine.ranks_a_node), "--depth",
            str(machine.cores_a_rank), "--cpu-bind", "depth"]


def hydra(machine, total):
    return ["mpiexec", "-n", str(total), "-ppn", str(machine.ranks_a_node), "-bind-to",
            f"core:{machine.cores_a_rank}"]


def jsrun(machine, total):
    """Creates one resource set per rank."""
    words = ["jsrun", f"--nrs={total}", f"--rs_per_host={machine.ranks_a_node}", "--tasks_per_rs=1",
             f"--cpu_per_rs={machine.cores_a_rank}", f"--bind=packed:{machine.cores_a_rank}"]
    if machine.gpus:
        words.append(f"--gpu_per_rs={gpus_a_rank(machine)}")
    return words


LAUNCHES = {"srun": srun, "flux": flux, "openmpi": openmpi, "pals": pals, "hydra": hydra, "jsrun": jsrun}


def threads(machine):
    """Returns a dict of the OpenMP variables that bind one thread to each core."""
    return {"OMP_NUM_THREADS": str(machine.cores_a_rank), "OMP_PROC_BIND": "close",
            "OMP_PLACES": "cores"}
