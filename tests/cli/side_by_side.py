# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs many short decks in parallel, and records the digest, kernels and files of each."""

import collections
import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import h5py

import rivulet_cli

STREAMED_BYTES = 1 << 16
TOOL = os.environ.get("RIVULET_KERNEL_LABELS_TOOL", "")  # library of kernel_labels.cpp


@dataclasses.dataclass
class Observation:
    """What one run computed, launched and wrote."""
    run: object  # rivulet_cli.Run; None for `rivulet stream`
    digest: str
    launches: dict  # number of launches of Rivulet's kernels, by label
    files: list  # names of the files
    data: dict  # SHA-256 of the results' datasets, by path


def tool_variables(path):
    """Returns the variables that make a program write its kernels' labels to a file."""
    # Kokkos before 3.7 uses the second name. A Kokkos that knows both requires equal values.
    return {"KOKKOS_TOOLS_LIBS": TOOL, "KOKKOS_PROFILE_LIBRARY": TOOL,
            "RIVULET_KERNEL_LABELS": str(path)}


def launches(path):
    """Returns the number of kernel launches by label, over all ranks."""
    found = collections.Counter()
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            times, label = line.split(" ", 1)
            found[label] += int(times)
    return found


def rivulet_launches(found):
    """Returns the launches of Rivulet's kernels, by label without prefix. All other labels must belong to Kokkos and
    Kokkos Kernels; unlabelled kernels have their type's name."""
    foreign = [label for label in found if not re.match("rivulet::|(N6)?Kokkos", label)]
    assert not foreign, f"kernels without a label of Rivulet's: {foreign}"
    return {label.removeprefix("rivulet::"): times for label, times in found.items()
            if label.startswith("rivulet::")}


def datasets(path):
    """Returns the SHA-256 of every dataset of a results file, except its deck and times."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(("config/", "timing/")):
            found[name] = hashlib.sha256(item[()].tobytes()).hexdigest()

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def streamed(deck, directory, variables):
    """Returns the SHA-256 of the first bytes of `rivulet stream`."""
    data, code, errors = rivulet_cli.first_bytes(STREAMED_BYTES, *deck[1:], threads=2, cwd=directory, **variables)
    assert code == 0 and len(data) == STREAMED_BYTES, f"{' '.join(deck)}\nexit {code}\n{errors}"
    return hashlib.sha256(data).hexdigest()


def observe(deck, ranks=1):
    """Runs one deck in its own directory, and returns its Observation."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-"))
    labels = directory / "labels"
    # Simultaneous runs of Open MPI remove each other's files unless each has its own folder.
    variables = {**tool_variables(labels), "OMPI_MCA_orte_tmpdir_base": str(directory / "mpi")}
    work = directory / "work"
    work.mkdir()
    try:
        if deck[0] == "stream":
            digest = streamed(deck, work, variables)
            return Observation(None, digest, rivulet_launches(launches(labels)), [], {})
        done = rivulet_cli.run(*deck, ranks=ranks, threads=2, cwd=work, variables=variables)
        failed_tests = 3 if deck[0] == "battery" else 0
        assert done.code in (0, failed_tests) and not done.messages, str(done)
        names = sorted(path.name for path in work.iterdir())
        data = {name: datasets(work / name) for name in names if name.endswith(".h5")}
        return Observation(done, done.digest, rivulet_launches(launches(labels)), names, data)
    finally:
        shutil.rmtree(directory)


def observe_all(runs):
    """Runs each distinct (deck, ranks) once. Returns a dict from (deck, ranks) to the run's Observation or, if the run
    failed, its exception."""
    def attempt(one):
        try:
            return observe(*one)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            return failure

    runs = list(dict.fromkeys(runs))
    # Two runs share a core, because a run waits three quarters of its time, mostly for MPI.
    with concurrent.futures.ThreadPoolExecutor(2 * min(len(os.sched_getaffinity(0)), 8)) as pool:
        return dict(zip(runs, pool.map(attempt, runs)))
