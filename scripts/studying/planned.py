# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plan of a study: study.json, and one script per run."""

import json
import os
import pathlib
import re
import shlex
from dataclasses import replace

from batching import machine as machines
from batching.script import Work, script
from common.failure import ScriptError
from common.program import PROGRAM

PLAN = "study.json"

# The key that sets the amount of work, for each job whose scaling can be measured.
AMOUNTS = ("pi.points", "fill.numbers", "alias.samples", "correlate.numbers", "occlusion.height",
           "battery.bytes")
# Launchers for studies on this machine, where cores or GPUs take the role of nodes: one single-threaded rank bound to
# each core, or one rank per GPU.
HERE = {"core": ("mpiexec", "--bind-to", "core", "--map-by", "core", "-n"),
        "GPU": ("mpiexec", "--bind-to", "none", "-n")}

# Keys of a plan with their types, and keys of each run.
STUDY = {"deck": str, "kind": str, "unit": str, "nodes": list, "runs": list, "amount": dict, "threads": int,
         "ranks_a_node": int, "scheduler": str}
RUN = {"name", "nodes", "repetition", "ranks", "amount", "script", "results"}


def plan(chosen):
    """Writes the study's folder, and returns the plan, a dict. Raises ScriptError if the folder already has a study, or
    if the arguments do not fit together."""
    if (chosen.study / PLAN).exists():
        raise ScriptError(f"'{chosen.study}' already holds a study", "its results would be mixed with others",
                         "Give a new folder: `scripts/scaling plan FOLDER ...`.")
    if chosen.repetitions < 1 or chosen.most < 1:
        raise ScriptError("nothing to plan", f"--most {chosen.most} --repetitions {chosen.repetitions}",
                         "Give 1 or more for both.")
    machine = machines.load(chosen.machine, {"nodes": "1", "checkpoint": "none",
                                             **({"program": chosen.program} if chosen.program else {})}
                            ) if chosen.machine else None
    if chosen.kind == "weak" and any(one.startswith("output.expect=") for one in chosen.overrides):
        raise ScriptError("output.expect in a weak study", "each number of nodes has its own digest",
                         "Omit it, or plan a strong study.")
    unit = unit_of(chosen, machine)
    sizes = sizes_up_to(chosen.most, unit)
    amount = amount_of(chosen)
    study = {"deck": chosen.deck, "overrides": chosen.overrides, "kind": chosen.kind, "amount": amount,
             "nodes": sizes, "unit": unit,
             "scheduler": machine.scheduler if machine else "here",
             "ranks_a_node": machine.ranks_a_node if machine else 1,
             "threads": machine.cores_a_rank if machine else 1, "runs": []}
    scripts = {}
    for repetition in range(chosen.repetitions):
        for nodes in sizes:
            run = run_of(study, nodes, repetition)
            study["runs"].append(run)
            scripts[run["script"]] = text_of(machine, chosen, run)
    write(chosen.study, study, scripts)
    return study


def unit_of(chosen, machine):
    """Returns the unit of the study's sizes: node, core or GPU."""
    if chosen.gpus and machine:
        raise ScriptError("--gpus with --machine", "a machine file says how many GPUs a node has",
                         "Omit --gpus.")
    if machine:
        return "node"
    return "GPU" if chosen.gpus else "core"


def sizes_up_to(largest, unit):
    """Returns the sizes of the study: powers of two, and `largest`. Raises ScriptError if this machine has fewer cores
    than `largest`. Does not count GPUs: the program warns if ranks share one."""
    if unit == "core":
        there = len(os.sched_getaffinity(0))
        if largest > there:
            raise ScriptError(f"--most {largest}", f"this machine has {there} cores, and ranks that share "
                             "them measure nothing", f"Give --most {there} or less, or --machine FILE.")
    sizes = [2**power for power in range(largest.bit_length())]
    return sizes if sizes[-1] == largest else [*sizes, largest]


def amount_of(chosen):
    """Returns a dict with the key and the value of the work for one node. A weak study multiplies the value by the
    number
    of nodes. The value is the model's unit of work."""
    values = {key: value for key, _, value in (one.partition("=") for one in chosen.overrides) if key in AMOUNTS}
    if len(values) != 1:
        raise ScriptError("a study needs one amount of work",
                         f"{len(values)} of {', '.join(AMOUNTS)} are given", "Give exactly one as section.key=value.")
    (key, value), = values.items()
    digits = re.fullmatch(r"(\d+)(?:\.(\d+))?(?:e(\d{1,2}))?", value)
    whole, decimals, power = digits.groups(default="") if digits else ("", "", "")
    if not digits or len(decimals) > int(power or 0):
        raise ScriptError(f"{key}={value} is not a whole number", "weak studies multiply it",
                         "Write it such as 20000 or 4.8e13.")
    return {"key": key, "value": int(whole + decimals) * 10 ** (int(power or 0) - len(decimals))}


def run_of(study, nodes, repetition):
    name = f"{study['kind']}_{nodes:05d}_{repetition}"
    times = nodes if study["kind"] == "weak" else 1
    return {"name": name, "nodes": nodes, "repetition": repetition,
            "ranks": nodes * study["ranks_a_node"], "amount": study["amount"]["value"] * times,
            "overrides": [f"{study['amount']['key']}={study['amount']['value'] * times}"],
            "script": f"{name}.sh", "results": f"{name}.h5"}


def text_of(machine, chosen, run):
    deck = str(pathlib.Path(chosen.deck).resolve()) if pathlib.Path(chosen.deck).is_file() else chosen.deck
    key = run["overrides"][0].partition("=")[0]
    overrides = [*(one for one in chosen.overrides if one.partition("=")[0] != key), *run["overrides"]]
    if machine is not None:
        return script(replace(machine, nodes=run["nodes"]),
                      Work(deck, tuple(overrides), run["name"], output=run["results"]))
    program = chosen.program or str(PROGRAM)
    if "/" in program:
        program = str(pathlib.Path(program).resolve())
    words = [*HERE["GPU" if chosen.gpus else "core"], str(run["ranks"]), program, deck, *overrides, "--output", run["results"]]
    # For GPUs the launcher does not bind ranks, so OMP_PROC_BIND is left unset: it would bind every rank's only thread
    # to the first core.
    bind = "" if chosen.gpus else " OMP_PROC_BIND=true"
    return (f"#!/bin/bash\nexport OMP_NUM_THREADS=1{bind}\n"
            "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # as in containers\n"
            + " ".join(map(shlex.quote, words)) + "\n")


def write(folder, study, scripts):
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in scripts.items():
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)
        (folder / PLAN).write_text(json.dumps(study, indent=1) + "\n", encoding="utf-8")
    except OSError as failure:
        raise ScriptError(f"cannot write to '{folder}'", failure.strerror, "Choose another folder.") from failure


def load(folder):
    try:
        study = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        if not all(isinstance(study[key], kind) for key, kind in STUDY.items()):
            raise ValueError("one of its values is of another type")
        if not all(RUN <= run.keys() for run in study["runs"]):
            raise ValueError("one of its runs is incomplete")
        return study
    except OSError as failure:
        raise ScriptError(f"'{folder}' holds no study", failure.strerror,
                         "Begin with `scripts/scaling plan`.") from failure
    except (ValueError, KeyError, TypeError, AttributeError) as failure:
        raise ScriptError(f"cannot read '{folder / PLAN}'", f"it is damaged: {failure}",
                         "Plan the study again, in another folder.") from failure
