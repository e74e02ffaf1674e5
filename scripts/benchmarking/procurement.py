# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark of docs/benchmark.md: runs the problems of a size several times, verifies what they computed,
and fills the disclosure sheet."""

import datetime
import json
import math
import os
import pathlib
import platform
import re
import shlex
import statistics
import subprocess
import tempfile

from benchmarking.machine import first_line, gpus, lines_of, processor
from benchmarking.runs import Report
from common.failure import ScriptError
from common.program import ROOT
from common.text import rate_text, seconds_text, table_of

DECKS = ROOT / "inputs" / "benchmark"
FORMAT, VERSION = "rivulet benchmark", 1
MOST_DEVIATION = 4  # standard errors: a correct run is beyond them once in 16000 times
FULL = "full"  # of which each node or GPU does an amount
UNKNOWN = "not known: fill in"
# What docs/benchmark.md lets a submitter replace, in the decks that have it.
FREE = ("streams.mapping", "streams.segments", "pi.batches", "fill.memory", "correlate.memory", "correlate.method")
SUBMITTERS = ("submitted by", "machine", "nodes", "price", "fixed or boosted clocks", "changes of the source")


def known_problems():
    return json.loads((DECKS / "problems.json").read_text(encoding="utf-8"))["problems"]


def size_of(text, problems):
    """A size's name, and how many nodes or GPUs share it; "full:64" is of 64."""
    name, _, units = text.partition(":")
    sizes = next(iter(problems.values()))["sizes"]
    if name not in sizes or not re.fullmatch("[1-9][0-9]{0,6}" if name == FULL else "", units):
        raise ScriptError(f"there is no benchmark of size '{text}'.",
                          f"Choose from: {', '.join(sizes)}:N, where N is how many nodes or GPUs the machine has.")
    return name, int(units or 1)


def program_in(folder):
    for path in (folder / "rivulet", folder / "bin" / "rivulet"):
        if path.is_file() and os.access(path, os.X_OK):
            return path.resolve()
    raise ScriptError(f"there is no program rivulet in {folder}.", "Build it, or name its folder with --build.")


def freely(pairs, wanted):
    """What --with replaces, by problem."""
    found = {name: [] for name in wanted}
    for pair in pairs:
        name, key, value = re.fullmatch(r"([^:=]*):?([^=]*)=?(.*)", pair, re.S).groups()
        if name not in found or key not in FREE or not value:
            raise ScriptError(f"--with {pair} is not one of the changes that docs/benchmark.md allows.",
                              f"Give PROBLEM:KEY=VALUE with one of {', '.join(wanted)} and one of {', '.join(FREE)}.")
        found[name].append(f"{key}={value}")
    return found


def words_of(name, problem, size, units, seed=None, free=()):
    """A problem's deck and what replaces its values."""
    one = problem["sizes"][size]
    amount = min(one["amount"] * units, one.get("most", math.inf))
    return [str(DECKS / f"{name}.yaml"), problem["key"].format(amount=amount), *one["with"],
            *([f"streams.seed={seed}"] if seed is not None else []), *free]


def ran(command):
    """The report of a run, and bytes of resident memory that no process of it on this host exceeded: Linux counts this
    script's own, from which the first process started."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        try:
            process = subprocess.Popen(command, stdout=out, stderr=err)
        except OSError as error:
            raise ScriptError(f"{shlex.join(command)} failed.", f"The system says: {error}") from error
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if status != 0:
            raise ScriptError(f"{shlex.join(command)} failed.", f"It reported: {err.read().strip()}")
        return Report(out.read()), used.ru_maxrss * 1024


def verified(reports, expected, deviations):
    """How results were verified, and what is wrong with them: nothing, if all is well."""
    digests = {report.digest for report in reports}
    wrong = []
    if len(digests) > 1:
        wrong.append("the runs have different digests")
    if expected and digests != {expected}:
        wrong.append(f"the digest is not {expected}")
    wrong += [f"it is {one} standard errors from what is expected" for one in deviations
              if not abs(one) < MOST_DEVIATION]
    if expected:
        return "digest", wrong
    return ("deviation" if deviations else "equal digests alone"), wrong


def deviations_of(reports, problem, amount):
    """Without what docs/benchmark.md says is to be subtracted, which grows with the amount's square root."""
    if not problem["deviation"]:
        return []
    pattern = re.compile(rf"^{re.escape(problem['deviation'])}: (\S+) standard errors$", re.M)
    bias = problem.get("bias", 0) * math.sqrt(amount)
    return sorted({round(float(pattern.search(report.text)[1]) - bias, 4) for report in reports})


def measured(name, problem, size, units, program, launch, repetitions, seed, free):
    words = words_of(name, problem, size, units, seed, free)
    command = [*launch, str(program), *words]
    reports, memory = zip(*(ran(command) for _ in range(repetitions)), strict=True)
    one = problem["sizes"][size]
    expected = one.get("digest") if seed is None else None
    deviations = deviations_of(reports, problem, one["amount"] * units)
    how, wrong = verified(reports, expected, deviations)
    merits = [report.merit for report in reports]
    return {"problem": name, "command": shlex.join([*launch, "rivulet", f"inputs/benchmark/{name}.yaml", *words[1:]]),
            "ran": re.search("(?m)^Rivulet .*", reports[0].text)[0], "unit": reports[0].unit, "merits": merits,
            "median": statistics.median(merits), "min": min(merits), "max": max(merits),
            "seconds": [report.seconds["total"] for report in reports],
            # Ranks that another daemon starts, such as Slurm's, are not this script's.
            "memory": None if launch and "mpi" not in launch[0] else max(memory), "digest": reports[-1].digest,
            "expected": expected, "deviations": deviations, "verified_by": how, "wrong": wrong}


def cached(folder):
    """What CMake knew of a build, or of an installation's."""
    for place in (folder, folder / "share" / "rivulet"):
        try:
            text = (place / "CMakeCache.txt").read_text(encoding="utf-8")
        except OSError:
            continue
        return dict(re.findall(r"(?m)^(\w+):\w+=(.*)$", text))
    return {}


def clocks():
    """As the system says them now, not those of the runs."""
    gpu = first_line("nvidia-smi", "--query-gpu=clocks.sm,clocks.max.sm", "--format=csv,noheader")
    text = "\n".join(lines_of("lscpu"))
    cpu = [": ".join(one) for one in re.findall(r"(?m)^(CPU (?:max )?MHz): +(\S+)$", text)]
    try:
        cpu += re.findall(r"(?m)^cpu MHz\s*: (\S+)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))[:1]
    except OSError:
        pass
    return "; ".join([*([f"GPU now, at most: {gpu}"] if gpu else []), *(["CPU MHz: " + ", ".join(cpu)] if cpu else [])])


def mebibytes(number):
    return f"{number / 2**20:.0f} MiB"


def disclosed(pairs):
    """What the submitter fills in, by line."""
    for pair in pairs:
        if "=" not in pair:
            raise ScriptError(f"--disclose {pair} has no value.", "Give LINE=VALUE, for example 'price=1000 EUR'.")
    return dict(pair.split("=", 1) for pair in pairs)


def version_of(compiler):
    """The first line of what it says, or nvcc's with the version; nothing where it does not run, as on some nodes."""
    said = [line.strip() for line in lines_of(compiler, "--version")] if compiler else []
    return next((line for line in said if ", release " in line), next(iter(said), ""))


def sheet_of(folder, program, ran, given):
    """The lines of a disclosure sheet; those that cannot be found out say so."""
    known = cached(folder)
    compiler = version_of(known.get("CMAKE_CXX_COMPILER", "")) or known.get("RIVULET_COMPILER", "")
    kind = known.get("CMAKE_BUILD_TYPE", "")
    flags = [known.get(key, "") for key in ("CMAKE_CXX_FLAGS", f"CMAKE_CXX_FLAGS_{kind.upper()}")]
    arch = known.get("RIVULET_ARCH") or ("native" if known.get("RIVULET_NATIVE") == "ON" else "")
    gpu = first_line("nvidia-smi", "--query-gpu=name,driver_version,power.limit", "--format=csv,noheader")
    lines = {
        **dict.fromkeys(SUBMITTERS, ""),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "host": platform.node(), "system": f"{platform.system()} {platform.release()}", "processor": processor(),
        "cores that the system shows": str(os.cpu_count()),
        "memory of this host": mebibytes(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")),
        "GPUs": f"{gpus()} x {gpu}" if gpu else "none seen",
        "clocks": clocks(), "compiler": compiler,
        "flags": " ".join([*filter(None, flags), *([f"-march={arch}"] if arch else [])]), "build type": kind,
        "MPI": first_line("mpiexec", "--version"), "Rivulet": first_line(str(program), "--version"),
        "threads": " ".join([ran.rpartition(", ")[2], *(
            f"{key}={value}" for key, value in sorted(os.environ.items())
            if key.startswith(("OMP_", "KMP_", "GOMP_", "KOKKOS_")))])}
    return {key: value or UNKNOWN for key, value in {**lines, **given}.items()}


def benchmark(size, only, folder, launch, repetitions, seed=None, pairs=(), changes=(), save=lambda found: None):
    """The sheet, which is saved after each problem: a batch job may end before the last."""
    problems = known_problems()
    given = disclosed(pairs)
    name, units = size_of(size, problems)
    wanted = [one for one in only.split(",") if one] or list(problems)
    for one in wanted:
        if one not in problems:
            raise ScriptError(f"there is no problem '{one}' in the benchmark.", f"Choose from: {', '.join(problems)}.")
    free = freely(changes, wanted)
    program = program_in(folder)
    rows = []
    for one in wanted:
        rows.append(measured(one, problems[one], name, units, program, launch, repetitions, seed, free[one]))
        sheet = sheet_of(folder, program, rows[0]["ran"], given)
        if any(row["memory"] is None for row in rows):
            sheet.setdefault("memory", UNKNOWN)
        found = {"format": FORMAT, "format_version": VERSION, "size": size, "seed": seed, "repetitions": repetitions,
                 "complete": [row["problem"] for row in rows] == list(problems),
                 "verified": not any(row["wrong"] for row in rows),
                 "sheet": sheet, "problems": rows}
        save(found)
    return found


def page(found):
    """The sheet as Markdown lines."""
    rows = [(row["problem"], *(rate_text(row[key], row["unit"]) for key in ("median", "min", "max")),
             seconds_text(statistics.median(row["seconds"])), mebibytes(row["memory"]) if row["memory"] else found["sheet"].get("memory", UNKNOWN),
             f"FAILED: {'; '.join(row['wrong'])}" if row["wrong"] else row["verified_by"]) for row in found["problems"]]
    seed = "" if found["seed"] is None else f" Seed: {found['seed']}."
    lines = [f"# Rivulet's benchmark, size {found['size']}", "",
             f"Verified: {'yes' if found['verified'] else 'NO'}. Runs of each problem: {found['repetitions']}."
             f"{'' if found['complete'] else ' Some of the problems were left out.'}{seed}", "",
             *table_of(("problem", "figure of merit: median", "min", "max", "whole run, median", "memory, at most",
                        "verified by"), rows),
             "", "## Disclosure", "", *table_of(("what", "value"), found["sheet"].items()), "", "## Runs", ""]
    for row in found["problems"]:
        lines += [f"- {row['ran']}", f"  `{row['command']}`", f"  Digest: {row['digest']}"]
    return lines
