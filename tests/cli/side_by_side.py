# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many short runs at the same time, and what each was seen to do."""

import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import h5py

import kernels
import rivulet_cli

STREAMED_BYTES = 1 << 16


@dataclasses.dataclass
class Seen:
    """What one run gave."""
    run: object  # rivulet_cli.Run; None of `rivulet stream`
    digest: str
    launches: dict  # of Rivulet's kernels, by label
    files: list  # their names
    data: dict  # datasets of results, by path


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
    environment = {**os.environ, **rivulet_cli.ENVIRONMENT, "OMP_NUM_THREADS": "2", **variables}
    with subprocess.Popen([rivulet_cli.BINARY, *deck], env=environment, cwd=directory,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        data = process.stdout.read(STREAMED_BYTES)
        process.stdout.close()
        errors = process.stderr.read().decode(errors="replace")
        code = process.wait(60)
    assert code == 0 and len(data) == STREAMED_BYTES, f"{' '.join(deck)}\nexit {code}\n{errors}"
    return hashlib.sha256(data).hexdigest()


def see(deck, ranks=1):
    """Runs one deck in a directory of its own."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-"))
    labels = directory / "labels"
    # Open MPI's runs at the same time remove each other's files, unless each has a folder.
    variables = {**kernels.variables(labels), "OMPI_MCA_orte_tmpdir_base": str(directory / "mpi")}
    work = directory / "work"
    work.mkdir()
    try:
        if deck[0] == "stream":
            digest = streamed(deck, work, variables)
            return Seen(None, digest, kernels.own(kernels.launches(labels)), [], {})
        done = rivulet_cli.run(*deck, ranks=ranks, threads=2, cwd=work, variables=variables)
        failed_tests = 3 if deck[0] == "battery" else 0
        assert done.code in (0, failed_tests) and not done.messages, str(done)
        names = sorted(path.name for path in work.iterdir())
        data = {name: datasets(work / name) for name in names if name.endswith(".h5")}
        return Seen(done, done.digest, kernels.own(kernels.launches(labels)), names, data)
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
