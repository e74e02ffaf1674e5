# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine files, which describe clusters."""

import difflib
import re
from dataclasses import dataclass, fields

from common.failure import ScriptError

# Supported launchers per scheduler; the first is the default.
LAUNCHERS = {"slurm": ("srun", "openmpi", "hydra"), "flux": ("flux",),
             "pbs": ("openmpi", "pals", "hydra"), "lsf": ("openmpi", "jsrun", "hydra")}
ONE_RANK_A = ("numa", "gpu", "core", "node")
MARGIN_SECONDS = 120  # time for the last piece of work, the checkpoint, and the batch system's delays
LEAST_MARGIN = 10


@dataclass(frozen=True)
class Machine:
    scheduler: str
    cores: int  # per node
    time: str
    nodes: int = 1
    numa: int = 1  # NUMA domains per node
    gpus: int = 0  # per node
    memory: str = ""  # per node
    ranks: str = ""  # a value of ONE_RANK_A (one rank per domain, GPU, core or node), or the ranks per node
    partition: str = ""
    account: str = ""
    launcher: str = ""
    mpi: str = ""  # the value of srun's --mpi
    options: tuple = ()  # further scheduler options, verbatim
    modules: tuple = ()
    setup: tuple = ()  # shell lines that run before the modules are loaded
    program: str = "rivulet"
    checkpoint: str = "10 min"  # time between checkpoints, or "none"
    margin: int = MARGIN_SECONDS  # seconds from the last checkpoint to the time limit
    restarts: int = 1000  # maximum number of restarts, which prevents endless requeueing

    @property
    def ranks_a_node(self):
        counts = {"numa": self.numa, "gpu": self.gpus, "core": self.cores, "node": 1}
        return counts[self.ranks] if self.ranks in counts else int(self.ranks)

    @property
    def cores_a_rank(self):
        return self.cores // self.ranks_a_node

    @property
    def seconds(self):
        return seconds_of(self.time)


def seconds_of(time):
    found = re.fullmatch(r"(?:(\d+)-)?(\d+):([0-5]\d):([0-5]\d)", time)
    if not found:
        raise ScriptError(f"time: {time} is not a time", "batch systems disagree on what other forms mean",
                         "Write HH:MM:SS or D-HH:MM:SS.")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def load(path, overrides):
    """Returns the machine that a file describes, with the `overrides` of the command line. Raises ScriptError."""
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            found = yaml.load(file, Loader=yaml.BaseLoader)  # keeps 12:00:00 as text instead of a base-60 number
    except (OSError, UnicodeDecodeError) as failure:
        raise ScriptError(f"cannot read '{path}'", getattr(failure, "strerror", None) or failure,
                         "Give a machine file, such as inputs/machines/slurm_cpu.yaml.") from failure
    except yaml.YAMLError as failure:
        mark = getattr(failure, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        raise ScriptError(f"cannot read '{path}'", f"{place}{getattr(failure, 'problem', failure)}",
                         "Write YAML: key: value.") from failure
    if not isinstance(found, dict):
        raise ScriptError(f"'{path}' is not a machine file", "it holds no keys",
                         "Give one such as inputs/machines/slurm_cpu.yaml.")
    for field in fields(Machine):
        if field.name in overrides:
            value_of(field, overrides[field.name], "command line")
    return checked({**found, **overrides}, path)


def checked(found, path):
    fields_by_name = {field.name: field for field in fields(Machine)}
    for key in found:
        if key not in fields_by_name:
            if key == "job":
                raise ScriptError(f"{path}: this is a deck, not a machine file", "it has the key 'job'",
                                  "Give a machine file, such as inputs/machines/slurm_cpu.yaml.")
            near = difflib.get_close_matches(str(key), fields_by_name, 1)
            raise ScriptError(f"{path}: there is no key '{key}'", f"keys are {', '.join(fields_by_name)}",
                             f"Did you mean {near[0]}?" if near else "Remove it.")
    for key in ("scheduler", "cores", "time"):
        if key not in found:
            raise ScriptError(f"{path}: {key} is missing", "no script can be written without it",
                             f"Add {key}: as in inputs/machines/slurm_cpu.yaml.")
    machine = Machine(**{key: value_of(fields_by_name[key], value, path) for key, value in found.items()})
    return consistent(machine, path)


def value_of(field, value, path):
    kind = {"int": int, int: int, "tuple": tuple, tuple: tuple}.get(field.type, str)
    if kind is tuple:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise ScriptError(f"{path}: {field.name} is not a list of strings", f"it is {value!r}",
                             f"Write {field.name}: [first, second].")
    elif not isinstance(value, str):
        raise ScriptError(f"{path}: {field.name} is not a single value", f"it is {value!r}",
                         f"Write {field.name}: VALUE.")
    if field.name != "setup" and any(ord(letter) < 32 for letter in "".join(value)):
        raise ScriptError(f"{path}: {field.name} has line breaks or control characters",
                         "it becomes part of a line of the script", "Remove them.")
    if kind is tuple:
        return tuple(value)
    if kind is int:
        minimum = 0 if field.name in ("gpus", "restarts") else 1
        if not re.fullmatch(r"\d{1,9}", value) or int(value) < minimum:
            raise ScriptError(f"{path}: {field.name}: {value} is out of range",
                             f"{field.name} is a whole number from {minimum} to 999999999",
                             f"Give {field.name} such a number.")
        return int(value)
    return value


def one_of(machine, key, choices, path):
    value = getattr(machine, key)
    if value not in choices:
        near = difflib.get_close_matches(value, choices, 1)
        raise ScriptError(f"{path}: {key}: {value} is not known", f"choices: {', '.join(choices)}",
                         f"Did you mean {near[0]}?" if near else f"Set {key} to one of these.")


def consistent(machine, path):
    """Returns the machine with the defaults filled in. Raises ScriptError if values contradict each other."""
    one_of(machine, "scheduler", tuple(LAUNCHERS), path)
    launchers = LAUNCHERS[machine.scheduler]
    changes = {"launcher": machine.launcher or launchers[0],
               "ranks": machine.ranks or ("gpu" if machine.gpus else "numa")}
    machine = Machine(**{**vars(machine), **changes})
    one_of(machine, "launcher", launchers, path)
    if not re.fullmatch(r"[1-9]\d{0,5}", machine.ranks):
        one_of(machine, "ranks", ONE_RANK_A, path)
    if machine.mpi and machine.launcher != "srun":
        raise ScriptError(f"{path}: mpi: {machine.mpi} works only with srun", f"the launcher is {machine.launcher}",
                         "Remove mpi.")
    if machine.ranks == "gpu" and machine.gpus == 0:
        raise ScriptError(f"{path}: ranks: gpu with gpus: 0", "a node would have no rank",
                         "Set gpus to the number in a node, or set ranks: numa.")
    if machine.cores_a_rank < 1 or machine.cores % machine.ranks_a_node:
        raise ScriptError(f"{path}: {machine.cores} cores cannot be shared by {machine.ranks_a_node} ranks",
                         "each rank needs the same number, at least one", "Change cores, numa, gpus or ranks.")
    if machine.margin < LEAST_MARGIN or machine.margin >= machine.seconds:
        raise ScriptError(f"{path}: a margin of {machine.margin} s does not suit time: {machine.time}",
                         f"a checkpoint needs at least {LEAST_MARGIN} s, and the work the rest",
                         "Change margin or time.")
    return machine
