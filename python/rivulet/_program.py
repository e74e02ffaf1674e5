# SPDX-FileCopyrightText: 2026 The Rivulet Authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program `rivulet`."""

from __future__ import annotations

import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, Any

import numpy as np

from ._library import library_path
from ._results import Results, _h5py

TESTS_FAILED = 3  # exit status of a battery with failed tests; its report and results are complete


def _places() -> Iterator[tuple[str, str | None]]:
    yield "PATH", shutil.which("rivulet")
    try:
        folder = pathlib.Path(library_path()).resolve().parent
    except OSError:
        return
    for path in (folder.parent / "rivulet", folder.parent / "bin" / "rivulet",
                 folder.parents[1] / "bin" / "rivulet"):
        yield str(path), str(path) if os.access(path, os.X_OK) else None


def find_program() -> str:
    """Returns RIVULET_PROGRAM or, if it is unset, the path of `rivulet` on the PATH or near the library. Raises
    FileNotFoundError if there is none."""
    named = os.environ.get("RIVULET_PROGRAM")
    if named:
        return named
    tried = []
    for place, program in _places():
        if program:
            return program
        tried.append(place)
    raise FileNotFoundError(f"there is no program rivulet (tried: {', '.join(tried)}). Set "
                            "RIVULET_PROGRAM to its path.")


def _text(value: Any) -> str:
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, float) and value.is_integer() and abs(value) >= 2**53:
        value = int(value)  # str(int) prints the exact value, str(float) only the shortest digits that round to it
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_text, value))}]"
    if value is None or (isinstance(value, str) and "," in value):
        raise ValueError(f"cannot pass {value!r} to a deck (run() cannot write it as text). Omit it, or write a deck.")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _words(name: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _words(f"{name}.{key}", one)
    else:
        yield f"{name}={_text(value)}"


def _shown(source: int) -> str:
    """Copies all text from a file descriptor to standard error as it arrives, and returns the text. When the
    other end of a pseudoterminal is closed, os.read() raises OSError."""
    text = b""
    while True:
        try:
            piece = os.read(source, 65536)
        except OSError:
            piece = b""
        if not piece:
            return text.decode(errors="replace")
        text += piece
        sys.stderr.write(piece.decode(errors="replace"))
        sys.stderr.flush()


def _started(command: list[str], report: IO[str], end: int) -> subprocess.Popen[bytes]:
    """Starts a process and returns it. Its standard error is the file descriptor `end`, which this function closes."""
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=report, stderr=end)
    except OSError as failure:
        if failure.filename != os.environ.get("RIVULET_PROGRAM"):
            raise
        raise type(failure)(f"the program cannot be started (RIVULET_PROGRAM={failure.filename}: "
                            f"{failure.strerror}). Set RIVULET_PROGRAM to its path.") from None
    finally:
        os.close(end)


def _run(command: list[str]) -> tuple[int, str, str]:
    """Runs a command, and returns its status, report and messages. If this process has a terminal, the command's
    standard error is a pseudoterminal: the program shows its progress bar only on a terminal."""
    source, end = pty.openpty() if sys.stderr.isatty() else os.pipe()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as report:
        try:
            with _started(command, report, end) as process:
                try:
                    messages = _shown(source)
                except BaseException:
                    process.terminate()
                    raise
        finally:
            os.close(source)
        report.seek(0)
        return process.returncode, report.read(), messages


def run(deck: str | os.PathLike[str],
        output: str | os.PathLike[str] | dict[str, Any] | None = None, *,
        launcher: str | Sequence[str] = (), **overrides: Any) -> Results:
    """Runs a deck or a job, waits for its end, and returns its Results.

    deck: a deck's path, or the name of any job except `create`, which writes no results
    output: the results file, or the deck's section `output` as a dict that may have the key `file`; without a
        file, run() reads all results into memory and keeps no file
    launcher: the words before the program: "mpiexec -n 4" or ["mpiexec", "-n", "4"]
    overrides: sections of the deck as dicts, such as pi={"points": 10**6}

    Messages and progress go to standard error, and the report to Results.report. A failed run raises RuntimeError with
    the program's message. A program that cannot be found or started raises OSError. A battery with failed tests is not
    a failed run: run() returns its results.

    >>> results = run("pi", pi={"points": 10**6}, streams={"count": 64})
    >>> results["pi"], results.units["standard_error"]
    (3.140632, '1')
    """
    _h5py()  # raises before the run if h5py is missing
    if deck == "create":
        raise ValueError("run() cannot run the job create (it writes parameter sets, not results). Run it in a shell: "
                         "rivulet create.")
    if isinstance(output, dict):
        overrides["output"] = {key: value for key, value in output.items() if key != "file"}
        output = output.get("file")
    before = shlex.split(launcher) if isinstance(launcher, str) else launcher
    words = [word for section in overrides.items() for word in _words(*section)]
    command = [*before, find_program(), os.fspath(deck), *words, "--output"]
    if output:
        return _results(command, os.fspath(output))
    with tempfile.TemporaryDirectory(prefix="rivulet-") as folder:
        results = _results(command, os.path.join(folder, "results.h5"))
        results._keep()
    return results


def _in_python(message: str) -> str:
    """Returns the program's message, with command-line arguments in its remedy replaced by arguments of run()."""
    def argument(found: re.Match[str]) -> str:
        text, section, key, value = found.group(0, 1, 2, 3)
        if text.startswith("`"):  # a command for a shell
            return text
        if not section:
            return 'output="FILE"'
        if not re.fullmatch(r"[\d.]+", value):
            value = json.dumps(value)
        return f'{section}={{"{key}": {value}}}'

    problem, end, remedy = message.removeprefix("command line: ").rpartition("). ")
    remedy = remedy.replace("Write SECTION.KEY=VALUE, without blanks",
                            'Pass each section as a dict: run("pi", pi={"points": 10**6})')
    return problem + end + re.sub(r"`[^`]*`|--output(?: FILE)?|'?\b([a-z]+)\.(\w+)=([\w.]*\w)'?", argument, remedy)


def _results(command: list[str], path: str) -> Results:
    status, report, messages = _run([*command, path])
    if status != 0 and not (status == TESTS_FAILED and re.search(r"(?m)^Digest: \w+( \(.*\))?\n*\Z", report)):
        own = [_in_python(line.strip()[len("rivulet: "):]) for line in messages.splitlines()
               if line.startswith("rivulet: ") and not line.startswith("rivulet: warning: ")]
        raise RuntimeError("\n".join(own) or f"the program ended with status {status}:\n{messages}")
    results = Results(path)
    results.report = report
    return results
