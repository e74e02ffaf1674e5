# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the built program as a user would, on ranks and threads, in an empty directory."""

import functools
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = os.environ.get("RIVULET_BINARY", "build/rivulet")
SOURCE_DIR = pathlib.Path(os.environ.get("RIVULET_SOURCE_DIR", "."))
DATA_DIR = SOURCE_DIR / "tests" / "data"
MPIEXEC = shutil.which(os.environ.get("RIVULET_MPIEXEC", "mpiexec") or "none")

# Settings that let Open MPI 4 and 5 run as root, with more ranks than cores, and with ranks that share cores.
ENVIRONMENT = {
    "KOKKOS_DISABLE_WARNINGS": "1",  # warnings would mix with other ranks' lines
    "OMP_PROC_BIND": "false",
    "OMP_WAIT_POLICY": "passive",  # threads and ranks share few cores
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
# Without files in shared memory, a limit on file sizes applies only to the results file. The ranks communicate over
# the loopback interface.
WITHOUT_SHARED_MEMORY = {
    "OMPI_MCA_btl": "self,tcp",
    "OMPI_MCA_btl_tcp_if_include": "lo",
    "PMIX_MCA_gds": "hash",
    "PMIX_MCA_psec": "native",
}

FOM_LINE = re.compile(r"Figure of Merit \(FOM\): ([0-9.e+-]+) (\S+)")
DIGEST_LINE = re.compile(r"Digest: ([0-9a-f]{64})")


ONE_AND_TWO = (1, 2) if MPIEXEC else (1,)  # numbers of ranks
CHECKPOINT_WRITTEN = 75  # status of a run that can be resumed


def ranks_up_to(most):
    """Returns 1, 2, ..., most; only 1 if the program was built without MPI."""
    return range(1, most + 1) if MPIEXEC else range(1, 2)


def layouts(*rows):
    """Returns the rows that the build can run. Each row begins with a number of ranks."""
    return [row for row in rows if MPIEXEC or row[0] == 1]


def environment(**variables):
    """Returns the environment of a run with these variables, and without those that are None."""
    every = {**os.environ, **ENVIRONMENT, **variables}
    return {name: value for name, value in every.items() if value is not None}


def backends():
    """Returns Kokkos' names of the build's backends; kernels run on the first."""
    listed = run("--list").out.partition("\nBackends\n")[2]
    return re.findall(r"(?m)^  (\w+) ", listed)


def generators():
    """Returns the program's generators, each with its mappings in this build."""
    found = {}
    for line in run("--list").out.split("Generators\n")[1].split("\n\n")[0].splitlines():
        mappings = re.search(r"; by ([a-z, ]+); streams ", line)
        found[line.split()[0]] = mappings[1].split(", ")
    return found


@functools.cache
def has_battery():
    """True if the build has the job battery (RIVULET_BATTERY)."""
    return "\n  battery " in run("--list").out


def is_built(deck):
    """True if the build has the job with which a deck begins. The deck is a text or a list of words."""
    words = deck.split() if isinstance(deck, str) else deck
    return words[0] != "battery" or has_battery()


def lines_of(dataset):
    """Returns the lines of a text in a results file."""
    return dataset[()].decode().splitlines()


def on_device(names):
    """True if the first of these backends runs kernels on a device."""
    return names[0] not in ("Serial", "OpenMP", "Threads", "HPX")


def has_device():
    """True if a build for devices finds a device on this machine."""
    return run("pi", "pi.points=2", "streams.count=1", "output.file=").code == 0


def skip_without_device():
    """Skips tests if kernels run on the host or there is no device."""
    backend = backends()[0]
    if not on_device([backend]):
        raise unittest.SkipTest(f"this build's kernels run on the host, with {backend}")
    if not has_device():
        raise unittest.SkipTest(f"there is no device for this build's {backend}")


class Run:
    """The output and the exit status of a run."""

    def __init__(self, process, command, seconds):
        self.command = " ".join(command)
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr
        self.seconds = seconds

    def __str__(self):
        return f"{self.command}\nexit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"

    @property
    def messages(self):
        """The lines of the program's error messages, without its warnings and the lines of mpiexec and Kokkos."""
        return [line for line in self.err.splitlines()
                if line.startswith("rivulet: ") and not line.startswith("rivulet: warning: ")]

    def result(self, name):
        """Returns the value in the report's line `name: value unit`."""
        found = re.findall(rf"^{re.escape(name)}: (\S+)", self.out, re.MULTILINE)
        assert len(found) == 1, f"{len(found)} lines '{name}: ...' in\n{self}"
        return found[0]

    @property
    def hits(self):
        return int(self.result("hits"))

    @property
    def digest(self):
        return self.result("Digest")


def on_ranks(command, ranks):
    """Returns the command, preceded by mpiexec if there are several ranks."""
    if ranks == 1:
        return command
    if not MPIEXEC:
        raise unittest.SkipTest("built without MPI")
    return [MPIEXEC, "-n", str(ranks), *command]


def started(arguments, cwd, ranks=1, **variables):
    """Starts a run in the background."""
    return subprocess.Popen(
        on_ranks([BINARY, *map(str, arguments)], ranks), cwd=cwd, text=True, errors="replace",
        env=environment(**{"OMP_NUM_THREADS": "1", **variables}),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(*arguments, ranks=1, threads=1, cwd=None, file_limit=None, memory_limit=None, timeout=60,
        variables=None, stdin=subprocess.DEVNULL):
    """Runs the program. file_limit is the largest size of a file, and memory_limit a rank's limit on address space,
    both in bytes."""
    command = [BINARY, *map(str, arguments)]
    variables = environment(**{"OMP_NUM_THREADS": str(threads), **(variables or {})})
    # The limits apply to the ranks only, because mpiexec writes its own files. ulimit counts blocks of 512 and 1024 B.
    limits = [f"ulimit -{letter} {limit // block}; "
              for letter, limit, block in (("f", file_limit, 512), ("v", memory_limit, 1024))
              if limit is not None]
    if limits:
        # Otherwise, contending threads may reserve malloc arenas of 64 MiB, which count against memory_limit.
        variables.update(WITHOUT_SHARED_MEMORY, MALLOC_ARENA_MAX="1")
        command = ["/bin/sh", "-c", "".join(limits) + 'exec "$@"', "sh", *command]
    command = on_ranks(command, ranks)
    begun = time.monotonic()
    process = subprocess.run(
        command, cwd=cwd, env=variables, text=True, errors="replace",
        timeout=timeout, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return Run(process, command, time.monotonic() - begun)


def first_bytes(count, *arguments, threads=1, cwd=None, **variables):
    """Reads `count` bytes of `rivulet stream` (-1: all) and closes the pipe. Returns the bytes, exit status and
    messages."""
    process = subprocess.Popen(
        [BINARY, "stream", *map(str, arguments)], cwd=cwd,
        env=environment(**{"OMP_NUM_THREADS": str(threads), **variables}),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    data = process.stdout.read(count)
    process.stdout.close()
    message = process.stderr.read().decode(errors="replace")
    process.stderr.close()
    return data, process.wait(60), message


def streamed(*arguments):
    """Returns all bytes that `rivulet stream fill` writes."""
    data, status, message = first_bytes(-1, "fill", *arguments)
    assert status == 0, message
    return data


def reseal(path, kind):
    """Recomputes the seal of a file that a test has changed (docs/results_file.md)."""
    size, end = 512, b" end of seal\n"
    body = path.read_bytes()[size:]
    lines = f"\nkind: {kind}\n".encode()
    digest = hashlib.sha256(body + lines).hexdigest()
    line = (f"rivulet sealed file: SHA-256 {digest} over the {len(body)} bytes that follow the first {size}, and the "
            "lines below")
    path.write_bytes((line.encode() + lines).ljust(size - len(end)) + end + body)


class Case(unittest.TestCase):
    """A test in its own empty directory."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="rivulet-"))
        self.addCleanup(shutil.rmtree, self.directory)

    def run_ok(self, *arguments, **options):
        """Runs the program in the directory and requires success."""
        done = run(*arguments, cwd=self.directory, **options)
        self.assertEqual(done.code, 0, done)
        self.assertEqual(done.messages, [], done)
        return done

    def stop_early(self, *arguments, limit="0.1 s", **options):
        """Stops a run at its time limit, after the first piece of work. Requires that it wrote a checkpoint."""
        done = run(*arguments, "--time-limit", limit, cwd=self.directory, **options)
        self.assertEqual(done.code, CHECKPOINT_WRITTEN, done)
        return done

    def run_script(self, name, *arguments):
        """Runs scripts/NAME in the directory."""
        return subprocess.run([sys.executable, SOURCE_DIR.resolve() / "scripts" / name, *map(str, arguments)],
                              cwd=self.directory, text=True, capture_output=True, check=False, env=environment())

    def results(self, job, name="out.h5"):
        """Returns the digest of a results file, and the datasets and attributes of its group /results/JOB."""
        import h5py  # pylint: disable=import-outside-toplevel
        with h5py.File(self.directory / name) as file:
            group = file[f"results/{job}"]
            return file.attrs["digest"], {name: one[()] for name, one in group.items()}, dict(group.attrs)

    def require_repeated(self, done, name="out.h5", **options):
        """Requires that the deck in the run's results file reproduces the result, in again.h5."""
        import h5py  # pylint: disable=import-outside-toplevel
        with h5py.File(self.directory / name) as file:
            self.write("again.yaml", file["config/deck"][()].decode())
        again = self.run_ok("again.yaml", "--output", "again.h5", **options)
        self.assertEqual(again.digest, done.digest)

    def files(self):
        """Returns the names of all files in the directory."""
        return sorted(str(path.relative_to(self.directory))
                      for path in self.directory.rglob("*") if not path.is_dir())

    def remove_files(self):
        """Removes all files from the directory."""
        for name in self.files():
            (self.directory / name).unlink()

    def table(self, weights, name="table.h5", **datasets):
        """Writes a table of weights and named axes for the alias job. Returns the overrides that name the file."""
        import h5py  # pylint: disable=import-outside-toplevel
        with h5py.File(self.directory / name, "w") as file:
            for other, values in {"weights": weights, **datasets}.items():
                file[other] = values
        return ["table.weights=file", f"table.file={name}"]

    def write(self, name, text):
        (self.directory / name).write_text(text, encoding="utf-8")
        return name


def points_of_streams(points, streams):
    """Returns the number of points of each stream. The first `points % streams` streams draw one more than the
    others."""
    return [points // streams + (s < points % streams) for s in range(streams)]


def pi_digest(points, hits):
    """Returns the pi job's digest, which covers (points, hits) of every stream, 64-bit little-endian."""
    sha = hashlib.sha256()
    for row in zip(points, hits):
        sha.update(struct.pack("<QQ", *map(int, row)))
    return sha.hexdigest()


def sets_digest(p, rows):
    """Returns a parameter file's digest, which covers p and the number of sets (64 bits), then id, a, b, c of each
    (32 bits)."""
    sha = hashlib.sha256(struct.pack("<QQ", p, len(rows)))
    for row in rows:
        sha.update(struct.pack("<4I", *map(int, row)))
    return sha.hexdigest()
