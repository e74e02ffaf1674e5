# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many short runs at the same time, and what each was seen to do."""

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
TOOL = os.environ.get("RIVULET_KERNEL_LABELS_TOOL", "")  # kernel_labels.cpp


@dataclasses.dataclass
class Seen:
    """What one run gave."""
    run: object  # rivulet_cli.Run; None of `rivulet stream`
    digest: str
    launches: dict  # of Rivulet's kernels, by label
    files: list  # their names
    data: dict  # datasets of results, by path


def tool_variables(path):
    """What makes a program write its kernels' labels to the file."""
    # Kokkos 3.7 gave the variable its present name; where both are known they must agree.
    return {"KOKKOS_TOOLS_LIBS": TOOL, "KOKKOS_PROFILE_LIBRARY": TOOL,
            "RIVULET_KERNEL_LABELS": str(path)}


def launches(path):
    """How often the kernels of each label were launched, on all ranks."""
    found = collections.Counter()
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            times, label = line.split(" ", 1)
            found[label] += int(times)
    return found


def own(found):
    """Rivulet's labels, without the prefix; the rest must be those of Kokkos and its kernels, some
    of which have none and are called by their type."""
    foreign = [label for label in found if not re.match("rivulet::|(N6)?Kokkos", label)]
    assert not foreign, f"kernels without a label of Rivulet's: {foreign}"
    return {label.removeprefix("rivulet::"): times for label, times in found.items()
            if label.startswith("rivulet::")}


def datasets(path):
    """SHA-256 of every dataset of a results file but those of its deck and its times."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(("config/", "timing/")):
            found[name] = hashlib.sha256(item[()].tobytes()).hexdigest()

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def streamed(deck, directory, variables):
    """SHA-256 of the first bytes of `rivulet stream`."""
    data, code, errors = rivulet_cli.first_bytes(STREAMED_BYTES, *deck[1:], threads=2, cwd=directory, **variables)
    assert code == 0 and len(data) == STREAMED_BYTES, f"{' '.join(deck)}\nexit {code}\n{errors}"
    return hashlib.sha256(data).hexdigest()


def see(deck, ranks=1):
    """Runs one deck in a directory of its own."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-"))
    labels = directory / "labels"
    # Open MPI's runs at the same time remove each other's files, unless each has a folder.
    variables = {**tool_variables(labels), "OMPI_MCA_orte_tmpdir_base": str(directory / "mpi")}
    work = directory / "work"
    work.mkdir()
    try:
        if deck[0] == "stream":
            digest = streamed(deck, work, variables)
            return Seen(None, digest, own(launches(labels)), [], {})
        done = rivulet_cli.run(*deck, ranks=ranks, threads=2, cwd=work, variables=variables)
        failed_tests = 3 if deck[0] == "battery" else 0
        assert done.code in (0, failed_tests) and not done.messages, str(done)
        names = sorted(path.name for path in work.iterdir())
        data = {name: datasets(work / name) for name in names if name.endswith(".h5")}
        return Seen(done, done.digest, own(launches(labels)), names, data)
    finally:
        shutil.rmtree(directory)


def see_all(runs):
    """What each of the different (deck, ranks) gave; a run that failed is its exception."""
    def attempt(one):
        try:
            return see(*one)
        except (AssertionError, subprocess.TimeoutExpired) as failure:
            return failure

    runs = list(dict.fromkeys(runs))
    # A run waits, mostly for MPI, for three quarters of its time.
    with concurrent.futures.ThreadPoolExecutor(2 * min(len(os.sched_getaffinity(0)), 8)) as pool:
        return dict(zip(runs, pool.map(attempt, runs)))
